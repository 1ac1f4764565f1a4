import { describe, expect, test } from "vitest";
import { dexChains } from "../../../test/dex-fixture.ts";
import { useApp } from "../../../test/test-app.ts";

const app = useApp({}, undefined, { chains: dexChains });

const ethereum = { id: "ethereum", name: "Ethereum" };
const base = { id: "base", name: "Base" };

test("GET /v2/dex, 200: exchanges, each with its blockchains", async () => {
  expect(await app.as("master").dex.exchanges()).toEqual([
    { id: "uniswap-v3", name: "Uniswap v3", blockchains: [ethereum, base] },
    { id: "pancakeswap-v3", name: "PancakeSwap v3", blockchains: [ethereum] },
  ]);
});

describe("GET /v2/dex/{exchange}", () => {
  test("200: its blockchains", async () => {
    expect(await app.as("master").dex.blockchains("uniswap-v3")).toEqual([ethereum, base]);
  });

  test.each([
    ["uniswap-v2", 'There is no such exchange here. Did you mean "uniswap-v3"?'],
    ["Uniswap-V3", 'There is no such exchange here. Did you mean "uniswap-v3"?'],
    ["elephant", "There is no such exchange here. GET /v2/dex lists those there are."],
    ["__proto__", "There is no such exchange here."],
    // Known to us, but not configured here.
    ["sushiswap-v3", "There is no such exchange here."],
  ])("404: %s", async (exchange, message) => {
    await expect(app.as("master").dex.blockchains(exchange)).rejects.toMatchObject({
      status: 404,
      messages: [expect.stringContaining(message)],
    });
  });

  test("401: no key", async () => {
    const response = await fetch(`${app.url}/v2/dex/uniswap-v3`);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ Unauthorized: "Invaild API Key" });
  });
});

test.each([
  ["uniswap-v3", "etherium", 'not served on such a blockchain. Did you mean "ethereum"?'],
  ["pancakeswap-v3", "base", "GET /v2/dex/pancakeswap-v3 lists those it is on."],
  ["nonsense", "ethereum", "There is no such exchange here."],
])(
  "404 below an exchange that is not on a blockchain: %s on %s",
  async (exchange, chain, message) => {
    const { dex } = app.as("master");
    const pool = `0x${"0".repeat(40)}`;
    for (const ask of [
      () => dex.tokens(exchange, chain),
      () => dex.token(exchange, chain, pool),
      () => dex.pools(exchange, chain),
      () => dex.bars(exchange, chain, pool, { timeframe: "day" }),
      () => dex.trades(exchange, chain, pool),
    ]) {
      await expect(ask()).rejects.toMatchObject({
        status: 404,
        messages: [expect.stringContaining(message)],
      });
    }
  },
);
