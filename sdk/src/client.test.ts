import { expect, test } from "vitest";
import { Slipway, SlipwayError } from "./slipway.ts";

/** A service that records what it is asked and answers what it is told. */
function answering(status: number, body: unknown) {
  const asked: { url: string; init: RequestInit }[] = [];
  const client = new Slipway({
    baseUrl: "http://service/",
    apiKey: "key",
    retries: 0,
    fetch: async (url, init) => {
      asked.push({ url, init });
      return new Response(body === undefined ? null : JSON.stringify(body), {
        status,
        headers: { "x-request-id": "req-1" },
      });
    },
  });
  return { client, asked };
}

test("a call goes to its path with the key in the header", async () => {
  const { client, asked } = answering(200, ["ethereum"]);
  expect(await client.ramp.blockchains()).toEqual(["ethereum"]);
  expect(asked[0]).toEqual({
    url: "http://service/v2/ramp/blockchains",
    init: { method: "GET", headers: { apiKey: "key" }, signal: expect.any(AbortSignal) },
  });
});

test("a body is JSON, and an id is escaped", async () => {
  const { client, asked } = answering(201, { newSubAccountId: "usr-1" });
  await client.ramp.subaccounts.create({ name: "A B", email: "a@b.org" });
  await client.ramp.subaccounts.get("usr/1?x");
  expect(asked[0]?.init).toMatchObject({
    method: "POST",
    body: '{"name":"A B","email":"a@b.org"}',
  });
  expect(asked[1]?.url).toBe("http://service/v2/ramp/subaccounts/usr%2F1%3Fx");
});

test("options become a query, without those that are left out", async () => {
  const { client, asked } = answering(200, []);
  await client.dex.tokens("uniswap-v3", "ethereum", { limit: 5, tokenSymbol: "A&B", logo: true });
  await client.dex.bars("uniswap-v3", "ethereum", "0xab", { timeframe: "hour", from: 0 });
  await client.dex.trades("uniswap-v3", "a/b", "0xab");
  expect(asked.map(({ url }) => url)).toEqual([
    "http://service/v2/dex/uniswap-v3/ethereum/tokens?limit=5&tokenSymbol=A%26B&logo=true",
    "http://service/v2/dex/uniswap-v3/ethereum/pool/0xab/aggregate?timeframe=hour&from=0",
    "http://service/v2/dex/uniswap-v3/a%2Fb/pool/0xab/trades",
  ]);
});

test("questions about a centralized exchange go to its paths", async () => {
  const { client, asked } = answering(200, {});
  const { cex, analytics } = client;
  await cex.status("kraken");
  await cex.market("kraken", "BTC/USD");
  await cex.price("kraken", "BTC-USD");
  await cex.book("kraken", "BTC-USD", { limit: 5 });
  await cex.candles("kraken", "BTC-USD", { timeframe: "1h", fill: "previous" });
  await analytics.liquidity("kraken", "BTC-USD", { depth: 0.02 });
  expect(asked.map(({ url }) => url.replace("http://service/v2/", ""))).toEqual([
    "cex/kraken/status",
    "cex/kraken/BTC%2FUSD",
    "cex/kraken/BTC-USD/currentprice",
    "cex/kraken/BTC-USD/orders?limit=5",
    "cex/kraken/BTC-USD/aggregates?timeframe=1h&fill=previous",
    "analytics/liquidity/kraken/BTC-USD?depth=0.02",
  ]);
});

test.each([
  [400, { errors: [{ message: "one" }, { message: "two" }], code: 400 }, ["one", "two"]],
  [401, { Unauthorized: "Invaild API Key" }, ["Unauthorized: Invaild API Key"]],
  [502, undefined, ["The service gave no reason."]],
])("%i becomes an error that says why", async (status, body, messages) => {
  const { client } = answering(status, body);
  const error = await client.ramp.blockchains().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SlipwayError);
  expect(error).toMatchObject({ status, messages, requestId: "req-1" });
});
