import type { Assets, TokenEntry } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../../test/test-app.ts";

const app = useApp();

describe("GET /v2/ramp/crypto", () => {
  let assets: Assets;
  beforeAll(async () => {
    assets = await app.as("master").ramp.assets();
  });
  const entries = (): TokenEntry[] => [
    ...Object.values(assets.tokens),
    ...Object.values(assets.tokensbyBlockchain).flat(),
    ...Object.values(assets.defaultTokens),
  ];

  test("200: exactly what is specified", () => {
    expect(Object.keys(assets)).toEqual([
      "supportedBlockchains",
      "fiatCurrencies",
      "tokens",
      "tokensbyBlockchain",
      "defaultTokens",
    ]);
    expect(assets.fiatCurrencies).toEqual({
      USD: { name: "US Dollar", base: "USD", logo: `${app.url}/logo/fiat/USD.svg` },
    });
    expect(assets.tokens.USDC).toEqual({
      base: "USDC",
      logo: `${app.url}/logo/crypto/USDC.svg`,
      name: "USD Coin",
      quotes: ["USD"],
      blockchains: [
        "ethereum",
        "polygon",
        "arbitrum",
        "optimism",
        "base",
        "bnb",
        "avalanche",
        "solana",
      ],
      decimals: 6,
      limits: { min: 10, max: 5_000_000 },
    });
    expect(assets.tokens.LINK?.limits).toEqual({ min: 0.5, max: null });
  });

  test("has pictures that can be looked at without a key", async () => {
    const logos = [...entries(), ...Object.values(assets.fiatCurrencies)].map(({ logo }) => logo);
    for (const logo of new Set(logos)) {
      const { status, headers } = await fetch(logo);
      expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    }
  });

  test("has the same blockchains as their own list, in both places", async () => {
    expect(assets.supportedBlockchains).toEqual(await app.as("master").ramp.blockchains());
    expect(Object.keys(assets.tokensbyBlockchain)).toEqual(assets.supportedBlockchains);
  });

  test("has the decimals of each blockchain, and the usual ones", () => {
    const on = (blockchain: string) =>
      assets.tokensbyBlockchain[blockchain]?.find(({ base }) => base === "USDC")?.decimals;
    expect([on("ethereum"), on("bnb"), assets.tokens.USDC?.decimals]).toEqual([6, 18, 6]);
  });

  test("says of each token where it is, and it is there", () => {
    for (const [symbol, { blockchains }] of Object.entries(assets.tokens)) {
      const places = assets.supportedBlockchains.filter((blockchain) =>
        assets.tokensbyBlockchain[blockchain]?.some(({ base }) => base === symbol),
      );
      expect(blockchains).toEqual(places);
    }
  });

  test("has the widest limits of all blockchains for a token", () => {
    for (const { base, limits } of Object.values(assets.tokensbyBlockchain).flat()) {
      const widest = assets.tokens[base]?.limits ?? { min: Infinity, max: 0 };
      expect(widest.min).toBeLessThanOrEqual(limits.min);
      expect(widest.max ?? Infinity).toBeGreaterThanOrEqual(limits.max ?? Infinity);
    }
  });

  test("has limits that no reader of JSON can get wrong", () => {
    for (const { limits } of entries())
      for (const limit of [limits.min, limits.max ?? 1]) {
        expect(limit).toBeGreaterThan(0);
        expect(String(limit)).toMatch(/^[0-9.]{1,15}$/);
      }
  });

  test("has default tokens that are tokens", () => {
    const symbols = Object.keys(assets.defaultTokens);
    expect(symbols).toEqual(expect.arrayContaining(["USDC", "ETH", "BTC"]));
    for (const symbol of symbols)
      expect(assets.defaultTokens[symbol]).toEqual(assets.tokens[symbol]);
  });

  test("401: no key, in the ramp's envelope", async () => {
    const response = await fetch(`${app.url}/v2/ramp/crypto`);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 401 });
  });
});
