import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { useCexApp } from "../../../test/cex-app.ts";
import { candleCursor, tradeCursor } from "../cursor.ts";

const { app, feed } = useCexApp("BTC-USD", "ETH-USD");
beforeAll(() => feed.goLive("BTC-USD"));

const market = fc.constantFrom("BTC-USD", "eth-usd", "BTC%2FUSD", "%00", "NO-SUCH", "__proto__");
const list = fc.constantFrom("", "/orders", "/trades", "/aggregates", "/currentprice", "/gaps");
const path = fc.oneof(
  fc.tuple(market, list).map(([name, rest]) => `/v2/cex/kraken/${name}${rest}`),
  market.map((name) => `/v2/analytics/liquidity/kraken/${name}`),
);
const name = fc.constantFrom(
  ...["limit", "since", "from", "to", "before", "after", "depth", "fill"],
  ...["timeframe", "interval", "orderDirection"],
);
const value = fc.oneof(
  fc.constantFrom("0", "1", "-1", "50000", "50001", "1e3", "0.02", "9007199254740991"),
  fc.constantFrom("1m", "1d", "asc", "DESC", "previous", "none", "", "\u0000", "' or 1=1 --", "$1"),
  fc.constantFrom(tradeCursor({ time: 1, id: "x" }), candleCursor(999_999_999_999_999)),
  fc.constantFrom(
    tradeCursor({ time: 999_999_999_999_999, id: "9".repeat(200) }),
    candleCursor(0),
    tradeCursor({ time: 0, id: "\ud800" }),
  ),
  fc.integer().map(String),
  fc.string({ unit: "binary", maxLength: 20 }),
);

test("any values of any parameters: an answer below 500", async () => {
  await fc.assert(
    fc.asyncProperty(path, fc.array(fc.tuple(name, value), { maxLength: 5 }), async (at, pairs) => {
      const response = await app.ask(`${at}?${new URLSearchParams(pairs)}`);
      expect([200, 400, 404]).toContain(response.status);
      expect(response.headers.get("content-type")).toContain("application/json");
      await response.json();
    }),
    { numRuns: 1_000 },
  );
  expect(app.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
}, 120_000);
