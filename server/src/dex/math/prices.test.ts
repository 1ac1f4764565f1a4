import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Decimal } from "../../lib/decimal34.ts";
import { tokenPrices } from "./prices.ts";

type Prices = {
  sqrtPriceX96: string;
  decimals0: number;
  decimals1: number;
  token0Price: string;
  token1Price: string;
};

const { sqrtPriceToTokenPrices, legacyQ192 } = JSON.parse(
  readFileSync(new URL("../../../test/vectors/dex-vectors.json", import.meta.url), "utf8"),
) as { sqrtPriceToTokenPrices: Prices[]; legacyQ192: Omit<Prices, "token0Price"> };

test.each(sqrtPriceToTokenPrices)(
  "$sqrtPriceX96 with $decimals0 and $decimals1 decimals is $token0Price and $token1Price",
  ({ sqrtPriceX96, decimals0, decimals1, token0Price, token1Price }) => {
    const prices = tokenPrices(BigInt(sqrtPriceX96), decimals0, decimals1);
    expect(prices.token0Price.toString()).toBe(token0Price);
    expect(prices.token1Price.toString()).toBe(token1Price);
  },
);

test("a pool without a price has two prices of zero", () => {
  const { token0Price, token1Price } = tokenPrices(0n, 18, 6);
  expect([token0Price.toString(), token1Price.toString()]).toEqual(["0", "0"]);
});

test("the price is exact where old deployments, which divided by a float, were wrong from the 17th digit", () => {
  const { sqrtPriceX96, decimals0, decimals1, token1Price } = legacyQ192;
  const sqrtPrice = BigInt(sqrtPriceX96);
  const legacy = Decimal.fromInteger(sqrtPrice * sqrtPrice).dividedBy(
    Decimal.parse("6.277101735386681e57"),
  );
  expect(legacy.toString()).toBe(token1Price);
  const exact = tokenPrices(sqrtPrice, decimals0, decimals1).token1Price.toString();
  expect(exact.slice(0, 16)).toBe(token1Price.slice(0, 16));
  expect(exact[16]).not.toBe(token1Price[16]);
});

test.each([
  [0, 254],
  [254, 0],
])("tokens of %i and %i decimals have prices too", (decimals0, decimals1) => {
  const { token0Price, token1Price } = tokenPrices(1n << 96n, decimals0, decimals1);
  expect(token0Price.toString()).toBe(Decimal.one.shiftedBy(decimals1 - decimals0).toString());
  expect(token1Price.toString()).toBe(Decimal.one.shiftedBy(decimals0 - decimals1).toString());
});
