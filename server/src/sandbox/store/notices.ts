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

/** How much came with the wire that the bank knows by this reference. */
export async function findWireCents(
  db: Queryable,
  bankReference: string,
): Promise<bigint | undefined> {
  const [row] = await db.query<{ cents: string }>(sql`
    select notice -> 'cents' ->> 'bigint' as cents from sandbox_notices
    where notice ->> 'kind' = 'wire_received' and notice ->> 'bankReference' = ${bankReference}
    limit 1`);
  return row && BigInt(row.cents);
}
