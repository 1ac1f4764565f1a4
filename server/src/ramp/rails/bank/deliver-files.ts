import type { DueRunner } from "../../../database/due.ts";
import { backoffMs } from "../../../lib/backoff.ts";
import { messageOf } from "../../../lib/errors.ts";
import type { FileExchange } from "../file-exchange.ts";
import {
  claimBankFile,
  openBankFile,
  postponeDelivery,
  type SealedBankFile,
} from "../store/bank-files.ts";
import type { BankContext } from "./bank-profile.ts";
import { noteDelivery } from "./file-news.ts";

type SenderContext = BankContext & { exchange: FileExchange };

/** For how long a file is left to whoever took it; longer than any exchange takes to give up. */
const leaseMs = 5 * 60_000;

const retry = { firstMs: 5_000, mostMs: 15 * 60_000 };

/** So many attempts take about an hour: then somebody has to look. */
const attemptsUntilAlarm = 10;

/** Leaves files that are ready at the bank. A file that may have been left is left again: that changes nothing. */
export function fileSender(context: SenderContext): DueRunner {
  return {
    name: "delivery of files to the bank",
    async run(signal) {
      let handled = 0;
      while (!signal?.aborted && (await sendNext(context))) handled++;
      return handled;
    },
  };
}

async function sendNext(context: SenderContext): Promise<boolean> {
  const { db, clock, sealer, exchange } = context;
  const now = clock.now();
  const file = await claimBankFile(db, new Date(now), new Date(now + leaseMs));
  if (!file) return false;
  try {
    await exchange.put(file.name, openBankFile(sealer, file));
  } catch (error) {
    await putOff(context, file, messageOf(error));
    return true;
  }
  await recordDelivery(context, file);
  return true;
}

async function recordDelivery(context: SenderContext, file: SealedBankFile): Promise<void> {
  await context.db.transact((tx) => noteDelivery(tx, context, file));
  context.log.info({ file: file.id, name: file.name }, "a file was delivered to the bank");
}

async function putOff(
  { db, clock, random, log }: SenderContext,
  { id, name, attempts }: SealedBankFile,
  problem: string,
): Promise<void> {
  const until = new Date(clock.now() + backoffMs(attempts - 1, retry, random));
  await postponeDelivery(db, id, { problem, until });
  const details = { file: id, name, attempts, reason: problem };
  if (attempts < attemptsUntilAlarm) {
    log.warn(details, "a file cannot be delivered to the bank; it is tried again");
  } else {
    log.error(
      details,
      "a file could still not be delivered to the bank and its payouts wait; look at the reason, or send its content by hand",
    );
  }
}
