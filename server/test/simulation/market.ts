import { asPriceE18, type PriceE18 } from "../../src/lib/money.ts";
import type { Prices } from "../../src/ramp/ports.ts";
import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";

/** Prices that move when the story says so. */
export type Market = Prices & {
  /** Some go up, some down, some far, and a stablecoin may lose its dollar or find it again. */
  move(): void;
  /** Everything is worth again what it was in the beginning. */
  calm(): void;
};

const e14 = 10n ** 14n;
const calmPrices: readonly [symbol: string, tenThousandths: number][] = [
  ["USDC", 10_000],
  ["USDT", 10_000],
  ["ETH", 25_003_700],
];

/** Opens a market at its calm prices. */
export function openMarket(chance: Chance, faults: Faults): Market {
  const prices = new Map<string, PriceE18>();
  const set = (symbol: string, tenThousandths: number) =>
    prices.set(symbol, asPriceE18(BigInt(Math.round(tenThousandths)) * e14));
  const calm = () => {
    for (const [symbol, price] of calmPrices) set(symbol, price);
  };
  calm();
  return {
    calm,
    move() {
      for (const [symbol, price] of calmPrices) {
        if (symbol === "ETH") set(symbol, (price * chance.between(700, 1_300)) / 1_000);
        else set(symbol, chance.isTrue(0.3) ? 9_700 : price);
      }
    },
    current({ symbol }) {
      const priceE18 = faults.strikes("price_missing") ? undefined : prices.get(symbol);
      return priceE18 && { priceE18, sources: ["simulation"] };
    },
  };
}
