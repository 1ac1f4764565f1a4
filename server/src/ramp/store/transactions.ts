import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { parseBigints } from "../../lib/bigint-json.ts";
import type { Ramp } from "../transaction.ts";

/** The whole transaction as its row keeps it. Select `ramp::text`: what pg makes of jsonb has no bigints. */
export function rampOfRow({ ramp }: { ramp: string }): Ramp {
  return parseBigints(ramp) as Ramp;
}

/** A transaction of this account. */
export async function findRamp(
  db: Queryable,
  userId: string,
  id: string,
): Promise<Ramp | undefined> {
  const [row] = await db.query<{ ramp: string }>(sql`
    select ramp::text as ramp from ramp_transactions where id = ${id} and user_id = ${userId}`);
  return row && rampOfRow(row);
}

/** A transaction, whoever's it is. */
export async function findAnyRamp(db: Queryable, id: string): Promise<Ramp | undefined> {
  const [row] = await db.query<{ ramp: string }>(sql`
    select ramp::text as ramp from ramp_transactions where id = ${id}`);
  return row && rampOfRow(row);
}

/** A transaction that nobody else can change until `tx` ends. */
export async function lockRamp(tx: Transaction, id: string): Promise<Ramp | undefined> {
  const [row] = await tx.query<{ ramp: string }>(sql`
    select ramp::text as ramp from ramp_transactions where id = ${id} for update`);
  return row && rampOfRow(row);
}
