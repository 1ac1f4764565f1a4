import { describe, expect, test } from "vitest";
import { endpointsOf, type Findable, findIn, isAddress, pagesOfId } from "./search-results.ts";

function market(words: string): Findable {
  return { kind: "Markets", title: words, path: `/cex/kraken/${words}`, words };
}

const titlesOf = (found: readonly { title: string }[]) => found.map(({ title }) => title);

describe("searching", () => {
  const markets = ["WBTC-BTC kraken", "ETH-BTC kraken", "BTC-USD kraken"].map(market);

  test("what begins with the word comes before what has it inside", () => {
    expect(titlesOf(findIn(markets, "btc"))).toEqual([
      "BTC-USD kraken",
      "ETH-BTC kraken",
      "WBTC-BTC kraken",
    ]);
  });

  test("every word must be there, in any order and case, with a slash as well", () => {
    expect(titlesOf(findIn(markets, "KRAKEN usd"))).toEqual(["BTC-USD kraken"]);
    expect(titlesOf(findIn(markets, "BTC/USD"))).toEqual(["BTC-USD kraken"]);
    expect(findIn(markets, "doge")).toEqual([]);
    expect(findIn(markets, " ")).toEqual([]);
  });

  test("no more is shown than can be looked at", () => {
    expect(findIn(markets, "btc", 2)).toHaveLength(2);
  });

  test.each([
    ["txn-12", ["/ramp/transactions/txn-12", "/operator/transactions/txn-12"]],
    [" TXN-12 ", ["/ramp/transactions/txn-12", "/operator/transactions/txn-12"]],
    ["whk-7", ["/developer/webhooks/whk-7"]],
    ["usr-1", ["/operator/verifications/usr-1"]],
    ["wal-1", ["/ramp/methods"]],
    ["xyz-1", []],
    ["txn-", []],
  ])("the id %s leads to %j", (id, paths) => {
    expect(pagesOfId(id).map(({ path }) => path)).toEqual(paths);
  });

  test("an address is 20 bytes in hex", () => {
    expect(isAddress("0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640")).toBe(true);
    expect(isAddress("0x88e6")).toBe(false);
  });

  test("endpoints are found by their path and by what they do", () => {
    const summary = "A market's order book, best prices first";
    const operation = { tags: ["Market data"], summary };
    const endpoints = endpointsOf({
      paths: { "/v2/cex/{exchange}/{market}/orders": { get: operation } },
    });
    expect(findIn(endpoints, "order book")[0]?.path).toBe(
      "/docs#tag/market-data/GET/v2/cex/{exchange}/{market}/orders",
    );
    expect(findIn(endpoints, "cex orders")).toHaveLength(1);
  });
});
