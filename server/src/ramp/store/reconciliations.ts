import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { parseBigints, stringifyBigints } from "../../lib/bigint-json.ts";
import { timestamp } from "../../lib/timestamp.ts";

/** Something of which the other side says something else than our books. */
export type Difference = {
  /** What was compared: `wire:IMAD1`, `payout:pay-1`, `return:pay-1`, `file:ACH-1`, `line:S1/3`, `journal:17`, `statement:S1`, `account:hot:USDC.ethereum`. */
  item: string;
  asset: string;
  theirs: bigint;
  ours: bigint;
  /** What is wrong, in words. */
  explanation: string;
};

/** Amounts of an item that differ and have been accounted for otherwise. */
export type Explained = Pick<Difference, "item" | "theirs" | "ours"> & { at: number };

/** What came of comparing our books with others' once. */
export type Finding = {
  /** `bank` or `chain:ethereum`. */
  subject: string;
  /** Up to where both were compared: the end of a statement, or a block. */
  asOf: string;
  /** How many accounts and items were compared. */
  compared: number;
  differences: readonly Difference[];
  /** What one side has and the other will have soon. */
  inTransit: readonly Difference[];
  explained: readonly Explained[];
};

/** A finding that was written down. */
export type Report = Finding & { id: string; isOk: boolean; at: Date };

type ReportRow = Omit<Report, "differences" | "inTransit" | "explained"> & {
  differences: string;
  inTransit: string;
  explained: string;
};

const asReport = sql`
  id, subject, as_of as "asOf", is_ok as "isOk", compared, differences::text as differences,
  in_transit::text as "inTransit", explained::text as explained, at`;

/** Writes down what was found. */
export async function insertReport(tx: Transaction, report: Report): Promise<void> {
  const { id, subject, asOf, isOk, compared, differences, inTransit, explained, at } = report;
  await tx.query(sql`
    insert into reconciliations
      (id, subject, as_of, is_ok, compared, differences, in_transit, explained, at)
    values (${id}, ${subject}, ${asOf}, ${isOk}, ${compared}, ${stringifyBigints(differences)}::jsonb,
      ${stringifyBigints(inTransit)}::jsonb, ${stringifyBigints(explained)}::jsonb, ${at})`);
}

/** Forgets reports in which nothing was wrong. */
export async function forgetGoodReports(tx: Transaction, before: Date): Promise<void> {
  await tx.query(sql`delete from reconciliations where is_ok and at < ${before}`);
}

/** The report with this id. */
export async function findReport(db: Queryable, id: string): Promise<Report | undefined> {
  const [row] = await db.query<ReportRow>(sql`
    select ${asReport} from reconciliations where id = ${id}`);
  return row && reportOf(row);
}

/** The newest report about a subject. */
export async function findLastReport(db: Queryable, subject: string): Promise<Report | undefined> {
  const [row] = await db.query<ReportRow>(sql`
    select ${asReport} from reconciliations where subject = ${subject}
    order by at desc, as_of desc, id limit 1`);
  return row && reportOf(row);
}

/** Reports, newest first. */
export async function listReports(
  db: Queryable,
  page: {
    subject: string | undefined;
    isOk: boolean | undefined;
    limit: number;
    after: string | undefined;
  },
): Promise<Report[]> {
  const { subject, isOk, limit, after } = page;
  const rows = await db.query<ReportRow>(sql`
    select ${asReport} from reconciliations
    where ${subject === undefined ? sql`true` : sql`subject = ${subject}`}
      and ${isOk === undefined ? sql`true` : sql`is_ok = ${isOk}`}
      and ${
        after === undefined
          ? sql`true`
          : sql`(at, id) < (select at, id from reconciliations where id = ${after})`
      }
    order by at desc, id desc limit ${limit}`);
  return rows.map(reportOf);
}

/** Whether each subject was all right when it was compared last. */
export function listLastOutcomes(db: Queryable): Promise<{ subject: string; isOk: boolean }[]> {
  return db.query<{ subject: string; isOk: boolean }>(sql`
    select distinct on (subject) subject, is_ok as "isOk" from reconciliations
    order by subject, at desc, as_of desc`);
}

/** A statement is known in reports by its end. */
export const statementName = (end: Date): string => timestamp(end);

const endName = sql`to_char(to_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS')`;

/** Whether a statement is in no report, and ends after one that is. */
const isUncompared = sql`
  not exists (select from reconciliations where subject = 'bank' and as_of = ${endName})
  and exists (select from reconciliations where subject = 'bank' and as_of < ${endName})`;

/** Ends of the statements, since a time, that have not been compared, and of the newest one. Oldest first. */
export async function listEndsToCompare(db: Queryable, since: Date): Promise<Date[]> {
  const rows = await db.query<{ to: Date }>(sql`
    select to_at as "to" from bank_statements
    where (to_at > ${since} and ${isUncompared})
      or to_at = (select max(to_at) from bank_statements)
    order by to_at`);
  return rows.map(({ to }) => to);
}

/** The subjects of which there is no report since a time, and the bank when it has left a statement since another. */
export async function listDueSubjects(
  db: Queryable,
  subjects: readonly string[],
  { since, statementsSince }: { since: Date; statementsSince: Date },
): Promise<string[]> {
  const rows = await db.query<{ subject: string }>(sql`
    select subject from unnest(${subjects}::text[]) as wanted (subject)
    where (
      not exists (
        select from reconciliations where reconciliations.subject = wanted.subject and at > ${since})
      and (subject <> 'bank' or exists (select from bank_statements))
    ) or (
      subject = 'bank'
      and exists (select from bank_statements where to_at > ${statementsSince} and ${isUncompared})
    )`);
  return rows.map(({ subject }) => subject);
}

function reportOf({ differences, inTransit, explained, ...rest }: ReportRow): Report {
  // Written by `insertReport`, and by nobody else.
  return {
    ...rest,
    differences: parseBigints(differences) as Difference[],
    inTransit: parseBigints(inTransit) as Difference[],
    explained: parseBigints(explained) as Explained[],
  };
}
