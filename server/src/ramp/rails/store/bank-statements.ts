import type { Queryable, Transaction } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import type { BankLine, BankStatement } from "../iso20022/wire-file.ts";

/** A statement of the bank as we keep it, without its lines. */
export type StoredStatement = {
  id: string;
  fileId: string;
  from: Date;
  to: Date;
  /** Booked balances; negative is overdrawn. */
  openingCents: bigint;
  closingCents: bigint;
};

/** A line of a statement: what came in is positive, what went out negative. */
export type StoredLine = {
  number: number;
  reference: string;
  endToEndId: string | null;
  cents: bigint;
  bookedAt: Date;
};

type StatementRow = Omit<StoredStatement, "openingCents" | "closingCents"> & {
  openingCents: string;
  closingCents: string;
};

const asStatement = sql`
  id, file_id as "fileId", from_at as "from", to_at as "to",
  opening_cents as "openingCents", closing_cents as "closingCents"`;

/** Keeps a statement with its lines. Answers false when there is one already with this id or up to this time. */
export async function insertStatement(
  tx: Transaction,
  fileId: string,
  { id, from, to, openingCents, closingCents, lines }: BankStatement,
): Promise<boolean> {
  const inserted = await tx.query(sql`
    insert into bank_statements (id, file_id, from_at, to_at, opening_cents, closing_cents)
    values (${id}, ${fileId}, ${new Date(from)}, ${new Date(to)}, ${openingCents}, ${closingCents})
    on conflict do nothing returning id`);
  if (inserted.length === 0) return false;
  await tx.query(sql`
    insert into bank_lines (statement_id, number, reference, end_to_end, cents, booked_at)
    select ${id}, line.number, line.reference, line.end_to_end, line.cents, line.booked_at
    from unnest(${lines.map(({ reference }) => reference)}::text[],
      ${lines.map(({ endToEndId }) => endToEndId)}::text[],
      ${lines.map((line) => String(signedCents(line)))}::numeric[],
      ${lines.map(({ bookedAt }) => new Date(bookedAt))}::timestamptz[])
      with ordinality as line (reference, end_to_end, cents, booked_at, number)`);
  return true;
}

/** The next statements that end after a time, oldest first; from the first on when there is none. */
export async function listStatements(
  db: Queryable,
  { after, limit }: { after: Date | null; limit: number },
): Promise<StoredStatement[]> {
  const rows = await db.query<StatementRow>(sql`
    select ${asStatement} from bank_statements
    where to_at > coalesce(${after}::timestamptz, '-infinity') order by to_at limit ${limit}`);
  return rows.map(statementOf);
}

/** The newest statements that end before a time, newest first. */
export async function listStatementsBefore(
  db: Queryable,
  { before, limit }: { before: Date; limit: number },
): Promise<StoredStatement[]> {
  const rows = await db.query<StatementRow>(sql`
    select ${asStatement} from bank_statements
    where to_at < ${before} order by to_at desc limit ${limit}`);
  return rows.map(statementOf);
}

/** The statement with this id of the bank's. */
export async function findStatement(
  db: Queryable,
  id: string,
): Promise<StoredStatement | undefined> {
  const [row] = await db.query<StatementRow>(sql`
    select ${asStatement} from bank_statements where id = ${id}`);
  return row && statementOf(row);
}

/** The lines of a statement, as they stand in it. */
export async function listLines(db: Queryable, statementId: string): Promise<StoredLine[]> {
  const rows = await db.query<Omit<StoredLine, "cents"> & { cents: string }>(sql`
    select number, reference, end_to_end as "endToEndId", cents, booked_at as "bookedAt"
    from bank_lines where statement_id = ${statementId} order by number`);
  return rows.map(({ cents, ...line }) => ({ ...line, cents: BigInt(cents) }));
}

function statementOf({ openingCents, closingCents, ...rest }: StatementRow): StoredStatement {
  return { ...rest, openingCents: BigInt(openingCents), closingCents: BigInt(closingCents) };
}

/** What a line adds to the balance. */
function signedCents({ direction, cents }: BankLine): bigint {
  return direction === "credit" ? cents : -cents;
}
