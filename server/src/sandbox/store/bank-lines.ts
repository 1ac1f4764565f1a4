import type { Queryable, Transaction } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { assert } from "../../lib/errors.ts";
import { asCents } from "../../lib/money.ts";
import type { BankLine } from "../../ramp/rails/iso20022/wire-file.ts";

/** The last statement of the sandbox's bank. */
export type LastStatement = { lastLine: bigint; closingCents: bigint; to: Date };

type Details = Pick<BankLine, "counterparty" | "returnReason" | "texts">;
type LineRow = {
  id: bigint;
  reference: string;
  endToEndId: string | null;
  cents: string;
  details: Details;
  bookedAt: Date;
};

/** Whether a line waits for a statement. */
export async function isStatementDue(db: Queryable): Promise<boolean> {
  const rows = await db.query(sql`select from sandbox_bank_lines where due_at is not null limit 1`);
  return rows.length > 0;
}

/** Writes down a line. With `statementAt`, a statement is due then. */
export async function insertLine(
  tx: Transaction,
  line: BankLine,
  statementAt: Date | null,
): Promise<void> {
  const { reference, endToEndId, counterparty, returnReason, texts, bookedAt } = line;
  const details: Details = { counterparty, returnReason, texts };
  await tx.query(sql`
    insert into sandbox_bank_lines (reference, end_to_end, cents, details, booked_at, due_at)
    values (${reference}, ${endToEndId}, ${String(signedCents(line))},
      ${JSON.stringify(details)}::jsonb, ${new Date(bookedAt)}, ${statementAt})`);
}

/** What a line adds to the balance. */
export function signedCents({ direction, cents }: Pick<BankLine, "direction" | "cents">): bigint {
  return direction === "credit" ? cents : -cents;
}

/** Locks the line with which a statement is due. */
export function takeDueLine(now: Date): Sql {
  return sql`
    select id from sandbox_bank_lines where due_at <= ${now}
    order by due_at limit 1 for update skip locked`;
}

/** Puts a statement off. */
export function postponeStatement(until: Date): Sql {
  return sql`update sandbox_bank_lines set due_at = ${until} where due_at is not null`;
}

/** Locks the line for which a statement is due, whenever that is, and then the balance: everybody takes them in this order. */
export async function lockStatement(tx: Transaction, account: string): Promise<bigint> {
  await tx.query(sql`select from sandbox_bank_lines where due_at is not null for update`);
  const [row] = await tx.query<{ balance: string }>(sql`
    insert into sandbox_balances (account, balance) values (${account}, 0)
    on conflict (account) do update set balance = sandbox_balances.balance
    returning balance`);
  assert(row, "a balance is there or was opened");
  return BigInt(row.balance);
}

/** The statement that was written last. */
export async function findLastStatement(tx: Transaction): Promise<LastStatement | undefined> {
  const [row] = await tx.query<{ lastLine: bigint; closingCents: string; to: Date }>(sql`
    select last_line as "lastLine", closing_cents as "closingCents", to_at as "to"
    from sandbox_statements order by number desc limit 1`);
  return row && { ...row, closingCents: BigInt(row.closingCents) };
}

/** The first lines after one, and by how much these and all others after it have changed the balance. */
export async function listLinesAfter(
  tx: Transaction,
  lastLine: bigint,
  limit: number,
): Promise<{ lines: BankLine[]; lastLine: bigint; sumOfAll: bigint }> {
  const rows = await tx.query<LineRow>(sql`
    select id, reference, end_to_end as "endToEndId", cents, details, booked_at as "bookedAt"
    from sandbox_bank_lines where id > ${lastLine} order by id limit ${limit}`);
  const [all] = await tx.query<{ sum: string }>(sql`
    select coalesce(sum(cents), 0) as sum from sandbox_bank_lines where id > ${lastLine}`);
  return {
    lines: rows.map(lineOf),
    lastLine: rows.at(-1)?.id ?? lastLine,
    sumOfAll: BigInt(all?.sum ?? 0),
  };
}

/** Writes down a statement up to a line. What comes after that line waits for one until `nextAt`. Answers its number. */
export async function insertStatement(
  tx: Transaction,
  { lastLine, closingCents, to, nextAt }: LastStatement & { nextAt: Date },
): Promise<bigint> {
  await tx.query(sql`update sandbox_bank_lines set due_at = null where due_at is not null`);
  await tx.query(sql`
    update sandbox_bank_lines set due_at = ${nextAt} where id = (
      select min(id) from sandbox_bank_lines where id > ${lastLine})`);
  const [row] = await tx.query<{ number: bigint }>(sql`
    insert into sandbox_statements (last_line, closing_cents, to_at)
    values (${lastLine}, ${String(closingCents)}, ${to}) returning number`);
  assert(row, "a statement gets a number");
  return row.number;
}

function lineOf({ id: _, cents, details, bookedAt, ...line }: LineRow): BankLine {
  const signed = BigInt(cents);
  return {
    ...line,
    ...details,
    direction: signed > 0n ? "credit" : "debit",
    cents: asCents(signed > 0n ? signed : -signed),
    isReversal: false,
    bookedAt: bookedAt.getTime(),
  };
}
