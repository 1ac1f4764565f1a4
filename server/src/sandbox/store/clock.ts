import type { Database, Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { assert } from "../../lib/errors.ts";

/** The channel on which processes hear that the sandbox's time was moved, with its advance in milliseconds. */
export const sandboxClockChanges = "sandbox_clock_changes";

type Advance = { advanceMs: bigint };

/** How far the sandbox's time is ahead, in milliseconds. */
export async function findAdvance(db: Queryable): Promise<number> {
  const [row] = await db.query<Advance>(sql`select advance_ms as "advanceMs" from sandbox_clock`);
  assert(row, "the sandbox's clock has its row");
  return Number(row.advanceMs);
}

/** Puts the sandbox's time ahead by at least this much, tells every process, and says how much it is now. */
export async function raiseAdvance(db: Database, leastMs: number): Promise<number> {
  const [row] = await db.query<Advance>(sql`
    with raised as (
      update sandbox_clock set advance_ms = greatest(advance_ms, ${leastMs}) returning advance_ms
    )
    select advance_ms as "advanceMs", pg_notify(${sandboxClockChanges}, advance_ms::text) from raised`);
  assert(row, "the sandbox's clock has its row");
  return Number(row.advanceMs);
}

/** Until when the time is wished to be moved. */
export async function findWish(db: Queryable): Promise<number> {
  return wishOf(await db.query(sql`select wished_at as "wishedAt" from sandbox_clock`));
}

/** The same, with the promise that nobody wishes anything else until the transaction ends. */
export async function lockWish(tx: Transaction): Promise<number> {
  return wishOf(await tx.query(sql`select wished_at as "wishedAt" from sandbox_clock for update`));
}

/** Writes down until when the time is to be moved. */
export async function setWish(tx: Transaction, at: number): Promise<void> {
  await tx.query(sql`update sandbox_clock set wished_at = ${new Date(at)}`);
}

function wishOf([row]: readonly { wishedAt: Date }[]): number {
  assert(row, "the sandbox's clock has its row");
  return row.wishedAt.getTime();
}
