import type { Queryable } from "../../database/database.ts";
import { prepared } from "../../database/sql.ts";
import { parseBigints } from "../../lib/bigint-json.ts";
import { assert } from "../../lib/errors.ts";
import type { UsableQuote } from "./quotes.ts";

/** A number for a deposit address that no other transaction has or gets, also when this one is not created after all. */
export async function nextDepositIndex(db: Queryable): Promise<number> {
  const [row] = await db.query<{ index: string }>(
    prepared`select nextval('deposit_address_indexes') as index`,
  );
  assert(row, "a sequence has a next value");
  return Number(row.index);
}

/** What a quote of this account says, whether or not it can still be used. */
export async function readQuote(
  db: Queryable,
  userId: string,
  id: string,
): Promise<UsableQuote | undefined> {
  const [row] = await db.query<{ quote: string }>(prepared`
    select quote::text as quote from quotes where id = ${id} and user_id = ${userId}`);
  return row && (parseBigints(row.quote) as UsableQuote);
}
