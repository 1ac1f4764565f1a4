import type { Transaction } from "../../../database/database.ts";
import type { DueWork } from "../../../database/due.ts";
import { assert } from "../../../lib/errors.ts";
import { ledgerAccounts } from "../../../ramp/ledger/accounts.ts";
import type { BankStatement } from "../../../ramp/rails/iso20022/wire-file.ts";
import {
  findLastStatement,
  insertStatement,
  listLinesAfter,
  lockStatement,
  postponeStatement,
  signedCents,
  takeDueLine,
} from "../../store/bank-lines.ts";
import { leaveStatement } from "./answers.ts";

type Statement = Omit<BankStatement, "createdAt" | "accountNumber">;

/** Longer statements than any bank's would not be read; what is left comes with the next one. */
const linesMost = 5_000;
const minuteMs = 60_000;

/** Writes statements in the evening of every open day since whose statement something has happened. */
export const dueStatements: DueWork<{ id: bigint }> = {
  name: "statements of the sandbox's bank",
  take: takeDueLine,
  async handle(tx, _, now) {
    await writeStatement(tx, now.getTime());
  },
  postpone: (_, now) => postponeStatement(new Date(now.getTime() + minuteMs)),
};

/** Writes a statement of everything since the last one, and lays it out for us. */
export async function writeStatement(tx: Transaction, at: number): Promise<Statement> {
  const balance = await lockStatement(tx, ledgerAccounts.bank());
  const last = await findLastStatement(tx);
  const { lines, lastLine, sumOfAll } = await listLinesAfter(tx, last?.lastLine ?? 0n, linesMost);
  const openingCents = balance - sumOfAll;
  assert(
    (last?.closingCents ?? openingCents) === openingCents,
    "every change of the balance is a line",
  );
  const closingCents = lines.reduce((sum, line) => sum + signedCents(line), openingCents);
  const times = lines.map(({ bookedAt }) => bookedAt);
  const lastTo = last?.to.getTime();
  // No two statements end at the same time, and none ends before its last line.
  const to = Math.max(at, ...times.slice(-1), ...(lastTo === undefined ? [] : [lastTo + 1]));
  const from = lastTo ?? times[0] ?? to;
  const written = { lastLine, closingCents, to: new Date(to), nextAt: new Date(at) };
  const number = await insertStatement(tx, written);
  const statement = { id: `SBX-${number}`, from, to, openingCents, closingCents, lines };
  await leaveStatement(tx, statement);
  return statement;
}
