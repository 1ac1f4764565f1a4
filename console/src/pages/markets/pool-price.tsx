import type { DexPool } from "@slipway/sdk";
import { Price } from "../../parts/figures.tsx";
import { priceOf, usualSide } from "./pool-figures.ts";

/** A pool's price, seen from where people look at it. */
export function PoolPrice({ pool }: { pool: DexPool }) {
  const side = usualSide(pool);
  const counted = side === "token0" ? pool.token1 : pool.token0;
  return (
    <>
      <Price of={priceOf(side, pool)} />
      <span className="text-xs text-quiet"> {counted.symbol}</span>
    </>
  );
}
