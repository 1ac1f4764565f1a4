import type { DexPool } from "@slipway/sdk";
import { Link } from "wouter";
import { type Place, poolPath } from "./paths.ts";
import { feeText } from "./pool-figures.ts";

type Props = {
  pool: Pick<DexPool, "id" | "token0" | "token1" | "feeTier">;
  place: Place;
};

/** A pool by its tokens and its fee, and the way to its page. */
export function PoolName({ pool, place }: Props) {
  return (
    <span className="whitespace-nowrap">
      <Link href={poolPath(place, pool.id)} className="font-medium">
        {pool.token0.symbol} / {pool.token1.symbol}
      </Link>{" "}
      <span className="text-xs text-quiet">{feeText(pool.feeTier)}</span>
    </span>
  );
}
