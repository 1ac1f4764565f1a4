import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { parseBigints, stringifyBigints } from "../../lib/bigint-json.ts";
import type { Notice } from "../../ramp/ports.ts";

/** Who tells: the sandbox's bank, or its chains. */
export type SandboxSource = "sandbox-bank" | "sandbox-chain";

const tellingLock = 5_210_008;
const pageSize = 500;

/**
 * Tells a notice. One transaction at a time tells, until it ends: otherwise a notice could show up behind one with a
 * higher number, and a reader that goes by numbers would miss it.
 */
export async function tellNotice(
  tx: Transaction,
  source: SandboxSource,
  notice: Notice,
): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${tellingLock})`);
  await tx.query(sql`
    insert into sandbox_notices (source, notice, at)
    values (${source}, ${stringifyBigints(notice)}::jsonb, ${new Date(notice.at)})`);
}

/** What a source told after the notice with this number, oldest first; many come in several readings. */
export async function readNotices(
  db: Queryable,
  source: SandboxSource,
  after: string | null,
): Promise<{ notices: Notice[]; cursor: string | null }> {
  const rows = await db.query<{ id: bigint; notice: string }>(sql`
    select id, notice::text from sandbox_notices
    where source = ${source} and id > ${after ?? "0"}::bigint order by id limit ${pageSize}`);
  // Written by `tellNotice`, and by nobody else.
  const notices = rows.map(({ notice }) => parseBigints(notice) as Notice);
  const last = rows.at(-1);
  return { notices, cursor: last ? String(last.id) : after };
}

/** The wire that the bank told of under this reference. */
export async function findToldWire(
  db: Queryable,
  bankReference: string,
): Promise<Extract<Notice, { kind: "wire_received" }> | undefined> {
  const [row] = await db.query<{ notice: string }>(sql`
    select notice::text from sandbox_notices
    where notice ->> 'kind' = 'wire_received' and notice ->> 'bankReference' = ${bankReference}
    limit 1`);
  // Written by `tellNotice`, and of this kind.
  return row && (parseBigints(row.notice) as Extract<Notice, { kind: "wire_received" }>);
}
