import { beforeAll, describe, expect, test } from "vitest";
import { faultOf, useCexApp } from "../../test/cex-app.ts";
import { OrderBook } from "../cex/order-book.ts";
import { liquidityOf } from "./liquidity.ts";

const { app, feed, freshness } = useCexApp("BTC-USD", "NIL-USD");
const path = "/v2/analytics/liquidity/kraken/BTC-USD";

beforeAll(async () => {
  const levels = (sign: number) =>
    Array.from({ length: 3_000 }, (_, at) => [100 + sign * (at + 1) * 0.01, 1 + at / 7]).flat();
  feed.setBook("BTC-USD", levels(-1), levels(1));
  await feed.goLive("BTC-USD");
  await feed.goLive("NIL-USD");
});

describe("GET /v2/analytics/liquidity/{exchange}/{market}", () => {
  test("200: the same as from the whole book with the same nonce", async () => {
    for (const depth of [undefined, 0.02, 1]) {
      const client = app.as("master");
      const options = depth === undefined ? {} : { depth };
      const answer = await client.analytics.liquidity("kraken", "btc-usd", options);
      const { nonce, bids, asks } = await client.cex.book("kraken", "BTC-USD", { limit: 50_000 });
      const book = new OrderBook();
      book.reset(bids.flat(), asks.flat());
      const liquidity = liquidityOf(book, depth);
      expect(answer).toEqual({ exchange: "kraken", market: "BTC-USD", nonce, liquidity });
      expect(liquidity).toBeGreaterThan(0);
    }
  });

  test("200: nothing rests in an empty book", async () => {
    const response = await app.ask("/v2/analytics/liquidity/kraken/NIL-USD");
    expect(await response.json()).toMatchObject({ liquidity: 0 });
    expect(freshness(response)).toMatchObject({ age: "0", source: "websocket" });
  });

  test.each(["0", "1.01", "-0.5", "2%25", "", "NaN", "1e-3"])("400: depth=%s", async (depth) => {
    expect(await faultOf(await app.ask(`${path}?depth=${depth}`))).toEqual({
      status: 400,
      message: "depth must be a number above 0 and at most 1",
    });
  });

  test.each([
    ["/v2/analytics/liquidity/krakn/BTC-USD", 'Did you mean "kraken"?'],
    ["/v2/analytics/liquidity/kraken/BTC-USB", 'Did you mean "BTC-USD"?'],
  ])("404: %s", async (url, message) => {
    expect(await faultOf(await app.ask(url))).toEqual({
      status: 404,
      message: expect.stringContaining(message),
    });
  });
});
