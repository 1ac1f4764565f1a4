import type { CexTrade, CexTrades } from "@slipway/sdk";
import { Type } from "typebox";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { asMilliseconds, timeField } from "../../http/list.ts";
import { readTradeCursor, tradeCursor } from "../cursor.ts";
import { type ReadPage, readTrades, type TradeQuery } from "../store/read-trades.ts";
import type { TradeKey } from "../trade-key.ts";
import {
  type CexContext,
  common,
  limitField,
  limitOf,
  marketFields,
  marketText,
} from "./cex-context.ts";
import { pageAnswer, pathOf, refuseTwoCursors } from "./stored-page.ts";

const text = Type.String();
const TradeSchema = shapeOf<CexTrade>()(
  Type.Object({
    id: text,
    timestamp: Type.String({ description: "Unix milliseconds" }),
    price: Type.Number(),
    size: Type.Number(),
    cost: Type.Number(),
    side: Type.Enum(["buy", "sell"]),
  }),
);
const TradesSchema = shapeOf<CexTrades>()(
  Type.Object({ exchange: text, market: text, trades: Type.Array(TradeSchema) }),
);

/** What was traded, from the tables. */
export function tradeEndpoints({ live, db, clock }: CexContext): Endpoint[] {
  /** Whether anything older than a page would be on the next. */
  async function hasOlder(query: TradeQuery, page: ReadPage<TradeKey>): Promise<boolean> {
    const { exchange, market, limit, since } = query;
    if (!page.oldest || (page.count < limit && !query.before)) return false;
    const next = { exchange, market, since, limit: 1, after: page.oldest };
    return (await readTrades(db, next)).count > 0;
  }

  return [
    endpoint({
      ...common,
      path: "/v2/cex/{exchange}/{market}/trades",
      summary: "A market's trades, newest first",
      description:
        "`since` leaves out what happened before. The header `CB-AFTER` is the cursor for `after`, which gives what is " +
        "older; `CB-BEFORE` is the one for `before`, which gives what is newer. `Link` has the same as URLs.",
      params: Type.Object(marketFields),
      query: Type.Object({
        ...limitField,
        since: timeField,
        before: Type.Optional(text),
        after: Type.Optional(text),
      }),
      response: TradesSchema,
      rows: "trades",
      async handle({ params, query }) {
        const { before, after, since } = query;
        const asked = askedFor(query);
        const isOfThePast = (since ?? before ?? after) !== undefined;
        const history = await live.history(params.exchange, params.market, { isOfThePast });
        const { exchange, id: market } = history.market;
        const names = { exchange, market };
        const page = await readTrades(db, { ...names, ...asked });
        const isLast = !(await hasOlder({ ...names, ...asked }, page));
        return pageAnswer(page, {
          path: pathOf(exchange, market, "trades"),
          query: { limit: query.limit, since },
          head: `{${marketText(exchange, market)},"trades":[`,
          newer: page.newest ? tradeCursor(page.newest) : before,
          older: page.oldest && !isLast ? tradeCursor(page.oldest) : undefined,
          isRising: false,
          at: history.at ?? page.newest?.time,
          clock,
        });
      },
    }),
  ];
}

type Asked = { limit?: number; since?: number; before?: string; after?: string };

function askedFor(query: Asked): Omit<TradeQuery, "exchange" | "market"> {
  refuseTwoCursors(query);
  const { before, after, since } = query;
  return {
    limit: limitOf(query),
    since: since === undefined ? undefined : asMilliseconds(since),
    before: before === undefined ? undefined : readTradeCursor(before, "before"),
    after: after === undefined ? undefined : readTradeCursor(after, "after"),
  };
}
