import type { Queryable, Transaction } from "../../database/database.ts";
import type { DueWork } from "../../database/due.ts";
import { sql } from "../../database/sql.ts";
import { parseBigints, stringifyBigints } from "../../lib/bigint-json.ts";
import type { Cents, PriceE18, Units } from "../../lib/money.ts";
import type { Ramp, SettlementMethod } from "../transaction.ts";

/** What a quote promises. Times are Unix milliseconds. */
export type UsableQuote = {
  id: `quo-${string}`;
  type: Ramp["type"];
  settlementMethod: SettlementMethod;
  symbol: string;
  blockchain: string;
  units: Units;
  cents: Cents;
  priceE18: PriceE18;
  /** Where the price came from. */
  priceSources?: readonly string[];
  feeCents: Cents;
  createdAt: number;
  expiresAt: number;
};

/** How long a quote is still known to have been there after it expired. */
const rememberedMs = 7 * 24 * 3_600_000;

/** Keeps a quote for the account it was made for. */
export async function insertQuote(
  tx: Queryable,
  userId: string,
  quote: UsableQuote,
): Promise<void> {
  const { id, createdAt, expiresAt } = quote;
  await tx.query(sql`
    insert into quotes (id, user_id, quote, created_at, expires_at, due_at)
    values (${id}, ${userId}, ${stringifyBigints(quote)}::jsonb, ${new Date(createdAt)},
      ${new Date(expiresAt)}, ${new Date(expiresAt + rememberedMs)})`);
}

/** Takes a quote for a transaction, once. Somebody else's is the same as none. */
export async function useQuote(
  tx: Transaction,
  userId: string,
  quoteId: string,
  transactionId: string,
  now: number,
): Promise<UsableQuote | "unknown" | "expired" | "used"> {
  const [row] = await tx.query<{ quote: string; transactionId: string | null }>(sql`
    select quote::text as quote, transaction_id as "transactionId"
    from quotes where id = ${quoteId} and user_id = ${userId} for update`);
  if (!row) return "unknown";
  if (row.transactionId !== null) return "used";
  const quote = parseBigints(row.quote) as UsableQuote;
  if (now >= quote.expiresAt) return "expired";
  await tx.query(sql`
    update quotes set transaction_id = ${transactionId}, due_at = null where id = ${quoteId}`);
  return quote;
}

/** Forgets quotes that nobody used and that expired long ago. */
export const purgeQuotes: DueWork<{ id: string }> = {
  name: "forget expired quotes",
  take: (now) => sql`
    select id from quotes where due_at <= ${now} order by due_at limit 1 for update skip locked`,
  async handle(tx, { id }) {
    await tx.query(sql`delete from quotes where id = ${id}`);
  },
  postpone: ({ id }, now) => sql`
    update quotes set due_at = ${new Date(now.getTime() + 60_000)} where id = ${id}`,
};
