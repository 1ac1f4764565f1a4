import type { DexPool } from "@slipway/sdk";
import { about, aboutDollars } from "../../lib/figures.ts";
import type { DataColumn } from "../../parts/data-table.tsx";
import { LongId } from "../../parts/figures.tsx";
import type { Place } from "./paths.ts";
import { feeText, priceOf, usualSide } from "./pool-figures.ts";
import { PoolName } from "./pool-name.tsx";
import { PoolPrice } from "./pool-price.tsx";

/** What a list of pools shows of each. */
export function poolColumns(place: Place): DataColumn<DexPool>[] {
  return [
    {
      header: "Pool",
      value: ({ token0, token1, feeTier }) =>
        `${token0.symbol} / ${token1.symbol} ${feeText(feeTier)}`,
      cell: (pool) => <PoolName pool={pool} place={place} />,
    },
    {
      header: "Price",
      isFigure: true,
      value: (pool) => priceOf(usualSide(pool), pool),
      cell: (pool) => <PoolPrice pool={pool} />,
    },
    {
      header: "Locked",
      isFigure: true,
      value: ({ tvlUSD }) => tvlUSD,
      cell: ({ tvlUSD }) => aboutDollars(tvlUSD),
    },
    {
      header: "Volume",
      isFigure: true,
      value: ({ volumeUSD }) => volumeUSD,
      cell: ({ volumeUSD }) => aboutDollars(volumeUSD),
    },
    {
      header: "Transactions",
      isFigure: true,
      isExtra: true,
      value: ({ txCount }) => txCount,
      cell: ({ txCount }) => about(txCount),
    },
    {
      header: "Address",
      isExtra: true,
      value: ({ id }) => id,
      cell: ({ id }) => <LongId of={id} />,
    },
  ];
}
