import type { Queryable } from "../../database/database.ts";
import { prepared } from "../../database/sql.ts";
import { assert } from "../../lib/errors.ts";
import { asCents, type Cents } from "../../lib/money.ts";
import type { Ramp, SettlementMethod } from "../transaction.ts";

/** The fee of a transaction that is created at a time. Later changes of the table leave it as it is. */
export async function feeFor(
  db: Queryable,
  type: Ramp["type"],
  method: SettlementMethod,
  at: Date,
): Promise<Cents> {
  const [fee] = await db.query<{ cents: string }>(prepared`
    select fee_cents as cents from fee_schedule
    where type = ${type} and method = ${method} and valid_from <= ${at}
    order by valid_from desc limit 1`);
  assert(fee, `there is a fee for ${type} by ${method}`);
  return asCents(BigInt(fee.cents));
}
