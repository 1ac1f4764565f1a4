import type { Transaction } from "../../../database/database.ts";
import type { DueRunner } from "../../../database/due.ts";
import { assert, messageOf, UnavailableError } from "../../../lib/errors.ts";
import { newId } from "../../../lib/ids.ts";
import { asCents, type Cents, formatCents } from "../../../lib/money.ts";
import {
  type BankRail,
  fileEntries,
  isFileDue,
  listDueEntries,
  lockFiles,
  postponeFile,
  sumBooked,
} from "../store/bank-entries.ts";
import { type FileFormat, insertBankFile } from "../store/bank-files.ts";
import type { BankContext } from "./bank-profile.ts";
import { draftAchFile } from "./draft-ach.ts";
import { draftWireFile } from "./draft-wires.ts";

/** A file that is written and not yet kept. */
export type Draft = {
  format: FileFormat;
  name: string;
  content: Buffer;
  payoutIds: readonly string[];
  /** The sum of what stands in it. */
  cents: Cents;
  /** When what is in it counts as settled unless the bank says otherwise; null: the bank says so. */
  settleAt: Date | null;
};

const rails: readonly BankRail[] = ["ach", "wire"];

/** As many as are written and read back within a second or so: nothing else happens in this thread meanwhile. */
const entriesMost: Record<BankRail, number> = { ach: 10_000, wire: 1_000 };

/** For how long a file waits that could not be made. */
const postponedMs = 10 * 60_000;

/** Makes files for the bank of what waits for one. Each payout is in one file, whoever else makes files. */
export function fileMaker(context: BankContext): DueRunner {
  return {
    name: "files for the bank",
    async run(signal) {
      let made = 0;
      for (const rail of rails) while (!signal?.aborted && (await makeNext(context, rail))) made++;
      return made;
    },
  };
}

/** Returns whether a file was made, or put off because it cannot be. */
async function makeNext(context: BankContext, rail: BankRail): Promise<boolean> {
  const { db, clock, log } = context;
  const now = clock.now();
  if (!(await isFileDue(db, rail, new Date(now)))) return false;
  try {
    const made = await db.transact((tx) => make(tx, context, rail, now));
    if (made) log.info(made, "a file for the bank was made");
    return made !== undefined;
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    log.error(
      { rail, reason: messageOf(error) },
      "a file for the bank could not be made, and nothing of it left; it is tried again in ten minutes",
    );
    await postponeFile(db, rail, { now: new Date(now), until: new Date(now + postponedMs) });
    return true;
  }
}

/** Says which file it made; nothing when somebody else was faster. */
async function make(
  tx: Transaction,
  context: BankContext,
  rail: BankRail,
  now: number,
): Promise<Record<string, unknown> | undefined> {
  const { bank, random } = context;
  const at = new Date(now);
  await lockFiles(tx, rail);
  const fileId = newId("fil", random);
  const draft = await draftOf(tx, context, rail, fileId, now);
  if (!draft) return undefined;
  const { format, name, content, payoutIds, cents } = draft;
  await checkBooks(tx, rail, draft);
  const approvalsNeeded = cents > bank.approvalsAboveCents ? bank.approvals : 0;
  const { isNew } = await insertBankFile(tx, context, {
    ...{ id: fileId, direction: "out", format, name, content, cents, approvalsNeeded, at },
    entries: payoutIds.length,
    ...(approvalsNeeded > 0 ? { state: "held", dueAt: null } : { state: "ready", dueAt: at }),
  });
  assert(isNew, `there is no other file ${name}`);
  await fileEntries(tx, payoutIds, { fileId, at, dueAt: draft.settleAt });
  const usd = formatCents(cents);
  return { file: fileId, name, entries: payoutIds.length, usd, approvalsNeeded };
}

/** Nothing when somebody else has made the file meanwhile. */
async function draftOf(
  tx: Transaction,
  context: BankContext,
  rail: BankRail,
  fileId: string,
  at: number,
): Promise<Draft | undefined> {
  const { bank } = context;
  const page = { now: new Date(at), limit: entriesMost[rail] };
  if (rail === "ach") {
    const due = await listDueEntries(tx, context, rail, page);
    return due.length > 0 ? draftAchFile(tx, bank, due, at) : undefined;
  }
  const due = await listDueEntries(tx, context, rail, page);
  return due.length > 0 ? draftWireFile(tx, bank, due, { fileId, at }) : undefined;
}

/** A file says what the books say, or it is not made. */
async function checkBooks(
  tx: Transaction,
  rail: BankRail,
  { payoutIds, cents }: Draft,
): Promise<void> {
  const booked = await sumBooked(tx, rail, payoutIds);
  const sums = `the file is over ${formatCents(cents)}, its payouts over ${formatCents(asCents(booked.cents))}`;
  if (booked.wrong.length > 0 || booked.cents !== cents) {
    const difference = formatCents(asCents(cents - booked.cents));
    const named = booked.wrong.slice(0, 10).join(", ");
    throw new Error(`${sums}: ${difference} too much; look at ${named || "all of them"}`);
  }
  if (cents > booked.out) {
    throw new Error(
      `${sums}, and only ${formatCents(asCents(booked.out))} are booked as being out`,
    );
  }
}
