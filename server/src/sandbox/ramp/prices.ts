import { assert } from "../../lib/errors.ts";
import { asPriceE18, parseDecimal } from "../../lib/money.ts";
import type { Prices } from "../../ramp/ports.ts";

/** Dollars for one token. They never move, so that whoever tries the sandbox can do the sums by hand. */
const dollars: Record<string, string> = {
  USDC: "1",
  USDT: "1",
  DAI: "1",
  ETH: "3500",
  WETH: "3500",
  BTC: "100000",
  WBTC: "99900",
  SOL: "200",
  POL: "0.5",
  MATIC: "0.5",
  BNB: "700",
  AVAX: "35.25",
  LINK: "20.5",
  UNI: "10.75",
};

/** Prices of the sandbox. */
export function sandboxPrices(): Prices {
  const prices = new Map(
    Object.entries(dollars).map(([symbol, text]) => {
      const priceE18 = parseDecimal(text, 18);
      assert(priceE18, `${symbol} has a price`);
      return [symbol, { priceE18: asPriceE18(priceE18), sources: ["sandbox"] }];
    }),
  );
  return { current: ({ symbol }) => prices.get(symbol) };
}
