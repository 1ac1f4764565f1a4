import { maxUint256 } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import type { Pool } from "../layout.ts";
import { fairPoolPrice, type UsdPrices } from "../market/amounts.ts";

/** What orders are carried out with. */
export type Desk = {
  usdOf: UsdPrices;
  /** The price in every pool that is open. */
  prices: ReadonlyMap<Pool, number>;
  /** Asks a contract at the newest block. */
  call(to: Hex, data: Hex): Promise<Hex>;
};

/** Nothing in the sandbox is ever too late. */
export const deadline = maxUint256;

/** Enough for anything a single order does. */
export const orderGas = 3_000_000n;

/** The price in a pool, or the one that it will be opened at. */
export function priceIn(pool: Pool, { prices, usdOf }: Desk): number {
  return prices.get(pool) ?? fairPoolPrice(pool, usdOf);
}
