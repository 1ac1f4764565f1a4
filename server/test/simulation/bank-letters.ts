import { hash } from "node:crypto";
import { newYorkDay } from "../../src/lib/calendar.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { asCents } from "../../src/lib/money.ts";
import { newYorkClock } from "../../src/ramp/rails/bank/file-times.ts";
import { writeCamt053 } from "../../src/ramp/rails/iso20022/camt053.ts";
import { writeCamt054 } from "../../src/ramp/rails/iso20022/camt054.ts";
import { writePacs002 } from "../../src/ramp/rails/iso20022/pacs002.ts";
import type {
  BankLine,
  BankStatement,
  WireGroupStatus,
  WireStatus,
} from "../../src/ramp/rails/iso20022/wire-file.ts";
import type { AchCorrection, AchReturn } from "../../src/ramp/rails/nacha/ach-file.ts";
import { writeAchReturns } from "../../src/ramp/rails/nacha/write-returns.ts";

/** The bank of the stories, and what it calls us. Files over more than so much wait for an operator. */
export const bankProfile = {
  ...{ routingNumber: "091000019", bankName: "OUR BANK", accountNumber: "4400112233" },
  ...{ companyName: "SLIPWAY", companyId: "1234567890", cutOffs: ["17:00"] },
  ...{ approvals: 1, approvalsAboveCents: asCents(250_00n) },
};

/** Writes what the bank says, each under a name of its own. */
export type BankLetters = ReturnType<typeof openBankLetters>;

/** Opens the bank's writing desk. */
export function openBankLetters(clock: Pick<Clock, "now">) {
  let count = 0;
  const next = (kind: string) => ({
    messageId: `${kind}${++count}`,
    createdAt: new Date(clock.now()).toISOString(),
  });
  const xml = (messageId: string, bytes: Buffer) => ({ name: `${messageId}.xml`, bytes });

  return {
    acknowledgement(
      file: { name: string; bytes: Buffer; entries: number; cents: bigint },
      reason: string | null,
    ) {
      const { name, bytes, entries, cents } = file;
      const lines = [
        ...[`file: ${name}`, `sha256: ${hash("sha256", bytes)}`],
        ...[`status: ${reason === null ? "accepted" : "rejected"}`],
        ...[`entries: ${entries}`, `cents: ${cents}`],
        ...(reason === null ? [] : [`reason: ${reason}`]),
      ];
      return { name: `${name}.ack`, bytes: Buffer.from(`${lines.join("\n")}\n`) };
    },

    statuses(originalMessageId: string, statuses: readonly WireStatus[], group?: WireGroupStatus) {
      const head = { ...next("STATUS"), originalMessageId };
      const report = { ...head, statuses, ...(group && { group }) };
      return xml(head.messageId, writePacs002(report));
    },

    notification(line: BankLine) {
      const head = next("NOTICE");
      const { accountNumber } = bankProfile;
      return xml(head.messageId, writeCamt054({ ...head, accountNumber, lines: [line] }));
    },

    statement(statement: Omit<BankStatement, "id" | "createdAt" | "accountNumber">) {
      const { messageId: id, createdAt } = next("STATEMENT");
      const { accountNumber } = bankProfile;
      return xml(id, writeCamt053({ ...statement, id, createdAt, accountNumber }));
    },

    achReturns(
      returns: readonly Omit<AchReturn, "trace" | "information">[],
      corrections: readonly Omit<AchCorrection, "trace">[],
    ) {
      const { messageId } = next("RETURNS");
      const now = clock.now();
      const day = newYorkDay(now);
      const { routingNumber, bankName, companyId, companyName } = bankProfile;
      const traced = (index: number) => `02100002${String(count * 100 + index).padStart(7, "0")}`;
      const bytes = writeAchReturns({
        origin: { routingNumber, name: bankName },
        destination: { id: companyId, name: companyName },
        ...{ createdOn: day, createdAt: newYorkClock(now).slice(0, 5), modifier: "A" },
        settledOn: day,
        returns: returns.map((one, index) => ({
          ...{ ...one, trace: traced(index), information: "" },
        })),
        corrections: corrections.map((one, index) => ({
          ...{ ...one, trace: traced(returns.length + index) },
        })),
      });
      return { name: `${messageId}.ach`, bytes };
    },
  };
}
