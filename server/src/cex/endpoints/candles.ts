import type { CexAggregates, CexCandle } from "@slipway/sdk";
import { Type } from "typebox";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { directionField, directionOf, timeField, timeFields } from "../../http/list.ts";
import { CallerError } from "../../lib/errors.ts";
import { candleCursor, readCandleCursor } from "../cursor.ts";
import { type CandleQuery, readCandles } from "../store/read-candles.ts";
import type { ReadPage } from "../store/read-trades.ts";
import { timeframes } from "../timeframes.ts";
import {
  type CexContext,
  common,
  limitField,
  limitOf,
  marketFields,
  marketText,
} from "./cex-context.ts";
import { type Span, spanOf } from "./span.ts";
import { pageAnswer, pathOf, refuseTwoCursors } from "./stored-page.ts";

const text = Type.String();
const number = Type.Number();
const CandleSchema = shapeOf<CexCandle>()(
  Type.Object({
    timestamp: Type.String({ description: "when it starts, in Unix milliseconds" }),
    o: number,
    h: number,
    l: number,
    c: number,
    volume: number,
    txCount: Type.Optional(Type.Integer()),
    closed: Type.Boolean(),
  }),
);
const AggregatesSchema = shapeOf<CexAggregates>()(
  Type.Object({
    exchange: text,
    market: text,
    timeframe: text,
    aggregates: Type.Array(CandleSchema),
  }),
);

const labels = [...timeframes.keys()];
const TimeframeField = Type.Optional(
  Type.Enum(labels, { description: `must be one of ${labels.join(", ")}` }),
);
const querySchema = Type.Object({
  timeframe: TimeframeField,
  interval: TimeframeField,
  ...limitField,
  ...timeFields,
  since: timeField,
  before: Type.Optional(text),
  after: Type.Optional(text),
  orderDirection: directionField,
  fill: Type.Optional(
    Type.Enum(["none", "previous"], { default: "none", description: "must be none or previous" }),
  ),
});

/** What the price did, from the tables. */
export function candleEndpoints({ live, db, clock }: CexContext): Endpoint[] {
  /** Whether anything older than a page would be on the next. */
  async function hasOlder(query: CandleQuery, page: ReadPage<number>): Promise<boolean> {
    if (page.oldest === undefined) return false;
    // Without a bound the exchange may have older ones that nobody asked for yet.
    if (query.from === undefined) return true;
    const next = { ...query, limit: 1, before: undefined, after: page.oldest };
    return (await readCandles(db, next)).count > 0;
  }

  const current = endpoint({
    ...common,
    path: "/v2/cex/{exchange}/{market}/aggregates",
    summary: "A market's candles, newest first",
    description:
      "`timeframe` is required; `interval` is another name for it, and `since` for `from`. `from` and `to` say when " +
      "candles start. Times without trades have no candle, unless `fill` is `previous`. The newest one may still " +
      "grow: then it is not `closed`. Cursors are as for trades.",
    params: Type.Object(marketFields),
    query: querySchema,
    response: AggregatesSchema,
    rows: "aggregates",
    async handle({ params, query }) {
      refuseTwoCursors(query);
      const { timeframe, seconds } = timeframeOf(query);
      const { before, after, fill } = query;
      const asked = {
        seconds,
        ...spanOf(query),
        limit: limitOf(query),
        before: before === undefined ? undefined : readCandleCursor(before, "before"),
        after: after === undefined ? undefined : readCandleCursor(after, "after"),
        direction: directionOf(query.orderDirection),
        isFilled: fill === "previous",
        now: clock.now(),
      };
      const history = await live.history(params.exchange, params.market, {
        isOfThePast: (asked.from ?? asked.to ?? before ?? after) !== undefined,
        candles: { timeframe, from: reachOf(asked) },
      });
      const { exchange, id: market } = history.market;
      const wanted = { exchange, market, ...asked };
      const page = await readCandles(db, wanted);
      const isLast = !(await hasOlder(wanted, page));
      return pageAnswer(page, {
        path: pathOf(exchange, market, "aggregates"),
        query: keptQuery(query, timeframe, asked),
        head: `{${marketText(exchange, market)},"timeframe":"${timeframe}","aggregates":[`,
        newer: page.newest === undefined ? before : candleCursor(page.newest),
        older: page.oldest === undefined || isLast ? undefined : candleCursor(page.oldest),
        isRising: asked.direction === "asc",
        at: history.at ?? page.newest,
        clock,
      });
    },
  });
  return [current, { ...current, path: "/v2/cex/{exchange}/{market}/aggregate" }];
}

type TimeframeQuery = { timeframe?: string; interval?: string };

function timeframeOf({ timeframe, interval }: TimeframeQuery) {
  const chosen = timeframe ?? interval;
  const seconds = timeframes.get(chosen ?? "");
  if (chosen === undefined || seconds === undefined) {
    const message = `Required field is missing: timeframe, which must be one of ${labels.join(", ")}`;
    throw new CallerError("bad_request", message);
  }
  if (interval !== undefined && interval !== chosen) {
    throw new CallerError("bad_request", "timeframe and interval must be the same");
  }
  return { timeframe: chosen, seconds };
}

type Reach = Span & Pick<CandleQuery, "seconds" | "limit" | "before" | "after" | "now">;

/** How far back a page goes when no candle is missing: so far the exchange is asked for what we lack. */
function reachOf({ from, to, before, after, seconds, limit, now }: Reach): number {
  if (from !== undefined) return from;
  if (before !== undefined) return before;
  const end = Math.min(to ?? now, after ?? now, now);
  const step = seconds * 1_000;
  return Math.max(0, Math.floor(end / step) * step - limit * step);
}

/** What the pages around this one have in common with it. */
function keptQuery(
  { limit, fill, orderDirection }: { limit?: number; fill?: string; orderDirection?: string },
  timeframe: string,
  { from, to }: Span,
) {
  return { timeframe, limit, from, to, orderDirection, fill };
}
