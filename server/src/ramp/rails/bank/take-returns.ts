import type { Transaction } from "../../../database/database.ts";
import { asCents, formatCents } from "../../../lib/money.ts";
import { isDispute } from "../../payouts/ach-returns.ts";
import { BadFile } from "../file-exchange.ts";
import type { AchCorrection, AchReturn } from "../nacha/ach-file.ts";
import { readCorrectedData } from "../nacha/corrected-data.ts";
import { readAchReturns } from "../nacha/read-returns.ts";
import { findEntryByTrace } from "../store/bank-entries.ts";
import type { BankContext } from "./bank-profile.ts";
import { hearOfEntry } from "./entry-news.ts";
import { joined, problem, type Reading, type Told, tellInOrder } from "./reading.ts";

/** Reads a file of ACH payments that came back, and of accounts that banks corrected. */
export async function readReturns(
  tx: Transaction,
  context: BankContext,
  bytes: Buffer,
): Promise<Reading> {
  const { returns, corrections } = readAchReturns(bytes);
  for (const each of returns) await checkAmount(tx, each);
  return {
    format: "nacha_return",
    entries: returns.length + corrections.length,
    cents: asCents(returns.reduce((sum, { cents }) => sum + cents, 0n)),
    async take() {
      const came = await tellInOrder(returns, ({ originalTrace, code }) =>
        hearOfEntry(tx, context, originalTrace, { outcome: "returned", code }),
      );
      const corrected = await tellInOrder(corrections, (each) => correct(tx, context, each));
      return joined([came, corrected]);
    },
  };
}

/** Part of a payment cannot come back: with another amount one of us reads the file wrongly. */
async function checkAmount(tx: Transaction, { originalTrace, code, cents }: AchReturn) {
  const entry = await findEntryByTrace(tx, originalTrace);
  if (!entry || entry.cents === cents || isDispute(code)) return;
  throw new BadFile(
    `return of ${originalTrace}`,
    `is of ${formatCents(cents)} dollars, but ${formatCents(entry.cents)} were sent`,
  );
}

async function correct(
  tx: Transaction,
  { clock }: BankContext,
  { originalTrace, code, correctedData }: AchCorrection,
): Promise<Told> {
  const entry = await findEntryByTrace(tx, originalTrace);
  if (!entry) return problem(`${originalTrace} is corrected, but is no payment of ours`);
  const corrected = readCorrectedData(code, correctedData);
  if (!corrected) {
    return problem(
      `${entry.payoutId}: ${code} corrects something that is not kept here; look at the file and change it by hand if it matters`,
    );
  }
  const news = { code, corrected, at: clock.now() };
  const notice = { kind: "account_corrected", reference: entry.payoutId, ...news } as const;
  return { notices: [notice], problems: [] };
}
