import { Type } from "typebox";
import type { Queryable } from "../../database/database.ts";
import { WithHeaders } from "../../http/answer.ts";
import { type HeardAt, heardHeaders } from "../../http/freshness.ts";
import type { Clock } from "../../lib/clock.ts";
import type { LiveMarkets } from "../live/live-markets.ts";

/** What the endpoints need to answer. */
export type CexContext = { db: Queryable; clock: Clock; live: LiveMarkets };

/** What all of these endpoints have in common. */
export const common = { method: "GET", family: "data", scope: "data:read", status: 200 } as const;

/** The path parameters of an exchange, and of one of its markets. */
export const exchangeFields = { exchange: Type.String({ description: "such as `kraken`" }) };
export const marketFields = {
  ...exchangeFields,
  market: Type.String({ description: "such as `BTC-USD`, in any case" }),
};

const limitMost = 50_000;
const limitUsual = 200;

/** How many trades, candles, or levels of each side of a book. */
export const limitField = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limitMost,
      default: limitUsual,
      description: `must be a whole number from 1 to ${limitMost}`,
    }),
  ),
};

export function limitOf({ limit = limitUsual }: { limit?: number }): number {
  return limit;
}

/** An answer with headers that tell how fresh it is. */
export function heard<Content>(content: Content, at: HeardAt, clock: Clock): WithHeaders<Content> {
  return new WithHeaders(content, heardHeaders(at, clock.now()));
}

/** The beginning of every answer about a market. */
export function marketText(exchange: string, market: string): string {
  return `"exchange":${JSON.stringify(exchange)},"market":${JSON.stringify(market)}`;
}
