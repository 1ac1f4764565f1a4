import type { Transaction } from "../../../database/database.ts";
import { asCents, formatCents } from "../../../lib/money.ts";
import { readCamt053 } from "../iso20022/camt053.ts";
import type { BankLine, BankStatement } from "../iso20022/wire-file.ts";
import {
  findStatement,
  insertStatement,
  listStatements,
  listStatementsBefore,
  type StoredStatement,
} from "../store/bank-statements.ts";
import type { BankContext } from "./bank-profile.ts";
import type { Reading } from "./reading.ts";
import { checkAccount, isIncoming, tellLines } from "./take-notifications.ts";

/**
 * Reads a statement of our account. It is kept to be compared with our books, and what it says that no notification
 * said before is told: a bank names a line by the same reference in both.
 */
export function readStatement(context: BankContext, bytes: Buffer): Reading {
  const statement = readCamt053(bytes);
  const { accountNumber, lines } = statement;
  checkAccount(context, accountNumber);
  const nameless = lines.filter((line) => isNameless(statement, line));
  return {
    format: "camt.053",
    entries: lines.length,
    cents: asCents(lines.reduce((sum, { cents }) => sum + cents, 0n)),
    async take(tx, fileId) {
      const named = lines.filter((line) => !nameless.includes(line));
      const { notices, problems } = await tellLines(tx, context, named);
      const faults = await keep(tx, fileId, statement);
      return { notices, problems: [...problems, ...faultsOfNames(nameless), ...faults] };
    },
  };
}

/** Whether a wire has no reference but the one it got in this statement: in a notification it had another one. */
function isNameless({ id }: BankStatement, line: BankLine): boolean {
  return isIncoming(line) && line.reference.startsWith(`${id}/`);
}

function faultsOfNames(nameless: readonly BankLine[]): string[] {
  if (nameless.length === 0) return [];
  return [
    `${nameless.length} wires have no reference of the bank's own, such as ${nameless[0]?.reference}: none was booked from the statement, compare them with those that came`,
  ];
}

/** Keeps a statement. Answers what does not fit to those that are there. */
async function keep(tx: Transaction, fileId: string, statement: BankStatement): Promise<string[]> {
  const { id, to, openingCents, closingCents } = statement;
  const known = await findStatement(tx, id);
  if (known) {
    const isSame = known.openingCents === openingCents && known.closingCents === closingCents;
    return isSame && known.to.getTime() === to
      ? []
      : [`statement ${id} was there before with other balances: the first is kept, ask the bank`];
  }
  const at = new Date(to);
  const [before] = await listStatementsBefore(tx, { before: at, limit: 1 });
  const [after] = await listStatements(tx, { after: at, limit: 1 });
  if (!(await insertStatement(tx, fileId, statement)))
    return [`statement ${id} ends when another one does: the first is kept, ask the bank`];
  const { from } = statement;
  const stored = { id, fileId, from: new Date(from), to: at, openingCents, closingCents };
  return [
    ...(before ? faultsBetween(before, stored) : []),
    ...(after ? faultsBetween(stored, after) : []),
  ];
}

/** What does not fit between a statement and the next one. */
function faultsBetween(one: StoredStatement, next: StoredStatement): string[] {
  const overlap = `statements ${one.id} and ${next.id} overlap: lines may be in both`;
  const gap = `statement ${one.id} ends with ${dollars(one.closingCents)} dollars, but ${next.id} begins with ${dollars(next.openingCents)}: one between them is missing`;
  return [
    ...(next.from < one.to ? [overlap] : []),
    ...(one.closingCents === next.openingCents ? [] : [gap]),
  ];
}

const dollars = (cents: bigint) => formatCents(asCents(cents));
