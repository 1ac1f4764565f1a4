import type { TransactionStatus } from "@slipway/sdk";
import { Type } from "typebox";
import type { Database, Queryable } from "../../database/database.ts";
import { CallerError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { CreateContext } from "../create-transaction.ts";
import { isToBeEstimated, presentStatus } from "../present-details.ts";
import type { RampSettings } from "../settings.ts";
import { settlementFor } from "../settlement.ts";
import { loadCalendar } from "../store/calendars.ts";
import { findRamp } from "../store/transactions.ts";
import type { Ramp } from "../transaction.ts";

/** What the endpoints of transactions need. Without `ports` there is no bank and no chain, and nothing new can begin. */
export type TransactionContext = CreateContext & { db: Database; settings: RampSettings };

/** Where transactions are. */
export const transactionsPath = "/v2/ramp/transactions";

/** What all endpoints for customers have in common. */
export const forCustomers = { family: "ramp", actsFor: "subaccounts" } as const;

/** Named so that it is documented; the edge has read it. */
export const userIdField = Type.Optional(
  Type.String({ description: "the subaccount that is meant; left out it is the caller itself" }),
);

/** A transaction of this account. Somebody else's is the same as none. */
export async function ownRamp(db: Queryable, userId: string, id: string): Promise<Ramp> {
  const ramp = isId("txn", id) ? await findRamp(db, userId, id) : undefined;
  if (!ramp) throw unknownTransaction(id);
  return ramp;
}

/** Says that there is no such transaction. What cannot be a mistyped id is not repeated. */
export function unknownTransaction(id: string): CallerError {
  const name = /^[\w-]{1,40}$/.test(id) ? ` ${id}` : "";
  return new CallerError("not_found", `Transaction${name} was not found`);
}

/** Where a transaction stands; before its payout is queued, the dates are those of a payout that would be queued now. */
export async function statusOf(db: Queryable, ramp: Ramp, now: number): Promise<TransactionStatus> {
  if (!isToBeEstimated(ramp)) return presentStatus(ramp, null);
  const { settlementMethod } = ramp;
  const calendar = await loadCalendar(db, settlementMethod);
  return presentStatus(ramp, settlementFor(settlementMethod, now, calendar));
}
