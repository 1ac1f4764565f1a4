import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../lib/errors.ts";
import { routingNumberFault } from "../../ramp/banking/routing-number.ts";
import { openSftpExchange } from "../../ramp/rails/bank/sftp-exchange.ts";
import type { RailSettings } from "../../ramp/rails/rail-settings.ts";
import type { RampSettings } from "../../ramp/settings.ts";
import { broken, type Finding, ok, warning } from "./check.ts";

type Bank = NonNullable<RailSettings["bank"]>;
type Sftp = NonNullable<Bank["sftp"]>;

type WireInstructions = RampSettings["wire"] & {
  /** Nobody has said where customers wire to, so that they are told the sandbox's account. */
  isUnset: boolean;
};

/** Whether files can be exchanged with the bank, and customers are told to wire their money there. */
export async function bankFindings(bank: Bank, wire: WireInstructions): Promise<Finding[]> {
  return [
    ...(bank.sftp ? await sftpFindings(bank.sftp) : []),
    ...(bank.folder && !bank.sftp ? await folderFindings(bank.folder) : []),
    ...numberFindings(bank),
    ...wireFindings(bank, wire),
    ...(bank.webhookSecret ? [] : [withoutWebhook]),
  ];
}

const withoutWebhook = ok(
  "The bank tells by files only: for messages at once set SLIPWAY_BANK_WEBHOOK_SECRET",
);

/** The server lets us in, is the right one, and shows both folders. No file is left there: it is a bank. */
async function sftpFindings(sftp: Sftp): Promise<Finding[]> {
  const { host, port, inbox, outbox } = sftp;
  try {
    const waiting = await openSftpExchange(sftp).list();
    await openSftpExchange({ ...sftp, inbox: outbox }).list();
    return [
      ok(`${host}:${port} lets us in and shows ${inbox} (${waiting.length} waiting) and ${outbox}`),
    ];
  } catch (error) {
    return [
      broken({
        what: capitalized(messageOf(error)),
        why: "No file leaves for the bank and none of its own is read: payouts wait, and returns are not seen.",
        fix: "Check ramp.rails.bank.sftp: host, port, username, hostKey, privateKeyFile or SLIPWAY_SFTP_PASSWORD, inbox and outbox.",
      }),
    ];
  }
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

async function folderFindings(folder: string): Promise<Finding[]> {
  const faults: string[] = [];
  for (const place of [folder, join(folder, "inbox"), join(folder, "outbox")]) {
    const fault = await folderFault(place);
    // What is missing in the folder is made when it is needed.
    if (fault && !(fault.isMissing && place !== folder)) faults.push(`${place} ${fault.what}`);
  }
  if (faults.length === 0) return [ok(`Files go through ${folder}`)];
  return [
    broken({
      what: `${faults.join("; ")}.`,
      why: "No file leaves for the bank and none of its own is read: payouts wait, and returns are not seen.",
      fix: "Make the folder and give it to the user who runs Slipway, or change ramp.rails.bank.folder.",
    }),
  ];
}

async function folderFault(
  folder: string,
): Promise<{ what: string; isMissing: boolean } | undefined> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) return { what: "does not exist", isMissing: true };
  if (!found.isDirectory()) return { what: "is no folder", isMissing: false };
  return access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    () => ({ what: "cannot be written to", isMissing: false }),
  );
}

function numberFindings({ routingNumber }: Bank): Finding[] {
  const fault = routingNumberFault(routingNumber);
  if (!fault) return [];
  return [
    broken({
      what: `ramp.rails.bank.routingNumber ${fault}.`,
      why: "The bank refuses files in which it is not named rightly.",
      fix: "Correct ramp.rails.bank.routingNumber.",
    }),
  ];
}

/** Customers wire to one account, and we read the statements of one: it had better be the same. */
function wireFindings(bank: Bank, wire: WireInstructions): Finding[] {
  const fix =
    "Set ramp.wire: beneficiaryName, beneficiaryAddress, bankName, routingNumber and accountNumber.";
  if (wire.isUnset) {
    return [
      broken({
        what: "Customers are told to wire their dollars to the sandbox's account.",
        why: "Nobody has that account: real money would be lost on its way, or take weeks to come back.",
        fix,
      }),
    ];
  }
  const isSame =
    wire.routingNumber === bank.routingNumber && wire.accountNumber === bank.accountNumber;
  if (isSame) return [];
  return [
    warning({
      what: `Customers are told to wire their dollars to ${wire.bankName} (${wire.routingNumber}), another account than that of ramp.rails.bank.`,
      why: "What arrives there is in none of the bank's files, so nothing is bought for it.",
      fix,
    }),
  ];
}
