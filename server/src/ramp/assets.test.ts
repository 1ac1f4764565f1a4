import { describe, expect, test } from "vitest";
import { sandboxPrices } from "../sandbox/ramp/prices.ts";
import { findToken, supportedTokens } from "./assets.ts";
import { blockchains, readBlockchain } from "./blockchains.ts";
import { grossCents } from "./pricing.ts";

describe("tokens", () => {
  test.each<[string, string, number]>([
    ["USDC", "ethereum", 6],
    ["USDC", "base", 6],
    ["USDC", "solana", 6],
    ["USDC", "bnb", 18],
    ["USDT", "ethereum", 6],
    ["USDT", "bnb", 18],
    ["DAI", "polygon", 18],
    ["ETH", "arbitrum", 18],
    ["WETH", "polygon", 18],
    ["WBTC", "ethereum", 8],
    ["BTC", "bitcoin", 8],
    ["SOL", "solana", 9],
    ["POL", "polygon", 18],
    ["BNB", "bnb", 18],
    ["AVAX", "avalanche", 18],
    ["LINK", "base", 18],
    ["UNI", "optimism", 18],
  ])("%s on %s has %i decimals", (symbol, blockchain, decimals) => {
    expect(findToken(symbol, blockchain)).toMatchObject({ symbol, blockchain, decimals });
    expect(findToken(symbol.toLowerCase(), blockchain)).toMatchObject({ symbol });
  });

  test.each([
    ["DAI", "solana"],
    ["ETH", "bitcoin"],
    ["BTC", "ethereum"],
    ["SOL", "ethereum"],
    ["USDC", "bitcoin"],
    ["USDC", "constructor"],
    ["", ""],
    ["__proto__", "ethereum"],
  ])("there is no %s on %j", (symbol, blockchain) => {
    expect(findToken(symbol, blockchain)).toBeUndefined();
  });

  test("each stands once, and every blockchain has some", () => {
    const places = supportedTokens.map(({ symbol, blockchain }) => `${symbol}.${blockchain}`);
    expect(new Set(places).size).toBe(places.length);
    expect(new Set(supportedTokens.map(({ blockchain }) => blockchain))).toEqual(
      new Set(blockchains),
    );
  });

  test("the least of each is worth about ten dollars, and pays for its own refund", () => {
    const prices = sandboxPrices();
    for (const token of supportedTokens) {
      const price = prices.current(token);
      expect(price?.sources).toEqual(["sandbox"]);
      const worth = price && grossCents(token.leastUnits, price.priceE18, token.decimals);
      expect(worth).toBeGreaterThanOrEqual(8_00n);
      expect(worth).toBeLessThanOrEqual(11_00n);
      expect(token.refundGasUnits).toBeGreaterThan(0n);
      expect(token.refundGasUnits).toBeLessThan(token.leastUnits / 2n);
    }
  });

  test("a stablecoin of the sandbox is exactly one dollar, and nobody knows a price of others' tokens", () => {
    const prices = sandboxPrices();
    const stablecoins = supportedTokens.filter(({ isStablecoin }) => isStablecoin);
    expect(new Set(stablecoins.map(({ symbol }) => symbol))).toEqual(
      new Set(["USDC", "USDT", "DAI"]),
    );
    for (const token of stablecoins) expect(prices.current(token)?.priceE18).toBe(10n ** 18n);
    expect(prices.current({ symbol: "constructor" })).toBeUndefined();
  });
});

describe("names of blockchains", () => {
  test.each([
    ["ethereum", "ethereum"],
    ["ETH", "ethereum"],
    [" Ethereum ", "ethereum"],
    ["matic", "polygon"],
    ["Polygon PoS", "polygon"],
    ["arbitrum-one", "arbitrum"],
    ["Arbitrum_One", "arbitrum"],
    ["op", "optimism"],
    ["BASE", "base"],
    ["bsc", "bnb"],
    ["BNB Smart Chain", "bnb"],
    ["avax", "avalanche"],
    ["btc", "bitcoin"],
    ["sol", "solana"],
  ])("%j is %s", (text, id) => {
    expect(readBlockchain(text)).toBe(id);
  });

  test.each(["", "foo", "constructor", "__proto__", "eth ereum", "ethereum-classic", "0"])(
    "%j is none",
    (text) => expect(readBlockchain(text)).toBeUndefined(),
  );
});
