import { type TSchema, Type } from "typebox";
import type { LiveMarkets } from "../cex/live/live-markets.ts";
import type { Queryable } from "../database/database.ts";
import type { ServedChain } from "../dex/endpoints/served.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { Ready } from "../http/ready.ts";
import type { Clock } from "../lib/clock.ts";
import { CallerError, UnavailableError } from "../lib/errors.ts";
import { cexFeed } from "./cex-feed.ts";
import { dexFeed } from "./dex-feed.ts";
import type { Charted } from "./feed.ts";
import { historyOf } from "./history.ts";
import { type QuoteAnswer, quoteOf } from "./quotes.ts";
import { cexResolutions } from "./resolutions.ts";

type UdfContext = {
  db: Queryable;
  clock: Clock;
  live: LiveMarkets;
  chains(): readonly ServedChain[];
};

const common = { method: "GET", family: "data", scope: "data:read", status: 200 } as const;
const searchedUsual = 30;
const searchedMost = 200;
const quotesMost = 50;

const text = (description: string) => Type.Optional(Type.String({ description }));
const symbolField = text("such as `KRAKEN:BTC-USD` or `UNISWAP-V3:ETHEREUM:0x…`");
const ErrorSchema = Type.Object({ s: Type.Literal("error"), errmsg: Type.String() });
const numbers = Type.Array(Type.Number());

const HistorySchema = Type.Union([
  Type.Object({
    s: Type.Literal("ok"),
    t: Type.Array(Type.Integer({ description: "when bars start, in Unix seconds" })),
    ...{ o: numbers, h: numbers, l: numbers, c: numbers, v: numbers },
  }),
  Type.Object({ s: Type.Literal("no_data"), nextTime: Type.Optional(Type.Integer()) }),
  ErrorSchema,
]);

const FoundSchema = Type.Object({
  symbol: Type.String(),
  full_name: Type.String(),
  description: Type.String(),
  exchange: Type.String(),
  ticker: Type.String(),
  type: Type.String(),
});

const QuotesSchema = Type.Object({
  s: Type.Literal("ok"),
  d: Type.Array(
    Type.Object({
      s: Type.Enum(["ok", "error"]),
      n: Type.String(),
      v: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()])),
      errmsg: Type.Optional(Type.String()),
    }),
  ),
});

const anything: TSchema = Type.Record(Type.String(), Type.Unknown());

/** TradingView's Universal Data Feed: what a chart asks for, in the words that it understands. */
export function udfEndpoints({ db, clock, live, chains }: UdfContext): Endpoint[] {
  const feeds = [dexFeed({ db, chains }), cexFeed({ db, clock, live })];
  const nowSeconds = () => Math.floor(clock.now() / 1_000);

  async function find(symbol: string | undefined): Promise<Charted> {
    if (!symbol) throw new CallerError("bad_request", "Required field is missing: symbol");
    for (const feed of feeds) {
      const charted = await feed.find(symbol);
      if (charted) return charted;
    }
    throw new CallerError("not_found", "There is no such symbol.");
  }

  async function quote(symbol: string): Promise<QuoteAnswer> {
    try {
      return await quoteOf(await find(symbol), symbol, nowSeconds());
    } catch (error) {
      if (!(error instanceof CallerError || error instanceof UnavailableError)) throw error;
      return { s: "error", n: symbol, v: {}, errmsg: error.message };
    }
  }

  return [
    endpoint({
      ...common,
      path: "/udf/config",
      summary: "What the chart feed can do",
      response: anything,
      async handle() {
        const exchanges = (await Promise.all(feeds.map((feed) => feed.exchanges()))).flat();
        return answer({
          supports_search: true,
          supports_group_request: false,
          supports_marks: false,
          supports_timescale_marks: false,
          supports_time: true,
          exchanges: [
            { value: "", name: "All", desc: "All exchanges" },
            ...exchanges.map(({ value, name }) => ({ value, name, desc: name })),
          ],
          symbols_types: [{ name: "Crypto", value: "crypto" }],
          supported_resolutions: cexResolutions,
        });
      },
    }),
    endpoint({
      ...common,
      path: "/udf/time",
      summary: "The time of the chart feed in Unix seconds",
      response: Type.Integer(),
      handle: () => new Ready(String(nowSeconds())),
    }),
    endpoint({
      ...common,
      path: "/udf/symbols",
      summary: "What a chart needs to know of a symbol",
      query: Type.Object({ symbol: symbolField }),
      response: Type.Union([anything, ErrorSchema]),
      handle: ({ query }) => inProtocol(async () => (await find(query.symbol)).info),
    }),
    endpoint({
      ...common,
      path: "/udf/search",
      summary: "Symbols that have something to do with a text",
      query: Type.Object({
        query: text("a part of the symbol, such as BTC"),
        exchange: text("as in /udf/config; empty for all"),
        type: text("crypto, or empty"),
        limit: text(`how many at most; ${searchedUsual} if left out, and up to ${searchedMost}`),
      }),
      response: Type.Union([Type.Array(FoundSchema), ErrorSchema]),
      handle: ({ query }) =>
        inProtocol(async () => {
          const limit = limitOf(query.limit);
          if (query.type && query.type !== "crypto") return [];
          const wanted = { text: query.query ?? "", exchange: query.exchange ?? "", limit };
          const found = await Promise.all(feeds.map((feed) => feed.search(wanted)));
          return found.reverse().flat().slice(0, limit);
        }),
    }),
    endpoint({
      ...common,
      path: "/udf/history",
      summary: "Bars of a symbol, oldest first",
      description:
        "Bars that start before `to`: as many as `countback` says, or else those from `from` on. Without any, `no_data` " +
        "comes with the time of the newest older bar, if there is one, as `nextTime`.",
      query: Type.Object({
        symbol: symbolField,
        resolution: text("minutes, or 1D"),
        from: text("Unix seconds; not looked at where countback is given"),
        to: text("Unix seconds; the first moment that is not included"),
        countback: text("how many bars, however far back they are"),
      }),
      response: HistorySchema,
      handle: ({ query }) => inProtocol(async () => historyOf(await find(query.symbol), query)),
    }),
    endpoint({
      ...common,
      path: "/udf/quotes",
      summary: "Last prices of symbols",
      query: Type.Object({ symbols: text(`up to ${quotesMost} symbols with commas between them`) }),
      response: Type.Union([QuotesSchema, ErrorSchema]),
      handle: ({ query }) =>
        inProtocol(async () => ({ s: "ok", d: await Promise.all(symbolsOf(query).map(quote)) })),
    }),
  ];
}

/** What is wrong with a request is told in the protocol's manner: charts do not look at the status. */
async function inProtocol(work: () => Promise<object>): Promise<Ready> {
  try {
    return answer(await work());
  } catch (error) {
    if (!(error instanceof CallerError)) throw error;
    return answer({ s: "error", errmsg: error.message });
  }
}

/** Long arrays of numbers need no schema to be written. */
function answer(content: object): Ready {
  return new Ready(JSON.stringify(content));
}

function limitOf(given: string | undefined): number {
  if (given === undefined || given === "") return searchedUsual;
  const limit = /^\d{1,6}$/.test(given) ? Number(given) : 0;
  if (limit < 1) throw new CallerError("bad_request", "limit must be a whole number above 0");
  return Math.min(limit, searchedMost);
}

function symbolsOf({ symbols = "" }: { symbols?: string }): string[] {
  const all = symbols.split(",").map((symbol) => symbol.trim());
  const named = all.filter((symbol) => symbol !== "");
  if (named.length === 0)
    throw new CallerError("bad_request", "Required field is missing: symbols");
  if (named.length > quotesMost) {
    throw new CallerError("bad_request", `symbols must be at most ${quotesMost}`);
  }
  return named;
}
