import { Decimal } from "../../lib/decimal34.ts";
import type { Changes } from "./changes.ts";
import { type Bar, type BarSeconds, barSizes, type Pool } from "./state.ts";

/** What a swap adds to the bars. */
export type BarVolume = {
  volume0: Decimal;
  volume1: Decimal;
  volumeUsd: Decimal;
  feesUsd: Decimal;
};

/** Brings the bars of an event's hour and day to the pool's state after the event. */
export function updateBars(changes: Changes, pool: Pool, time: number, volume?: BarVolume): void {
  for (const seconds of barSizes) {
    const bar = barAt(pool, seconds, time);
    bar.txCount++;
    followPool(bar, pool);
    if (volume) addVolume(bar, volume);
    changes.bars.add(bar);
  }
}

/** The same without counting: what is no trade opens no bar, but an open one still shows the pool's end state. */
export function refreshBars(changes: Changes, pool: Pool, time: number): void {
  for (const seconds of barSizes) {
    const bar = pool.bars.get(seconds);
    if (bar?.number !== Math.floor(time / seconds)) continue;
    followPool(bar, pool);
    changes.bars.add(bar);
  }
}

/** A bar opens at the price after its first event, not at the close before it. */
function barAt(pool: Pool, seconds: BarSeconds, time: number): Bar {
  const number = Math.floor(time / seconds);
  const newest = pool.bars.get(seconds);
  if (newest?.number === number) return newest;
  const bar: Bar = {
    pool,
    seconds,
    number,
    open: pool.token0Price,
    high: pool.token0Price,
    low: pool.token0Price,
    close: pool.token0Price,
    volume0: Decimal.zero,
    volume1: Decimal.zero,
    volumeUsd: Decimal.zero,
    feesUsd: Decimal.zero,
    txCount: 0,
    liquidity: pool.liquidity,
    sqrtPrice: pool.sqrtPrice,
    tick: pool.tick,
    token0Price: pool.token0Price,
    token1Price: pool.token1Price,
    tvlUsd: pool.totalValueLockedUsd,
    feeGrowth0: pool.feeGrowth0,
    feeGrowth1: pool.feeGrowth1,
  };
  pool.bars.set(seconds, bar);
  return bar;
}

function followPool(bar: Bar, pool: Pool): void {
  const price = pool.token0Price;
  if (price.greaterThan(bar.high)) bar.high = price;
  if (price.lessThan(bar.low)) bar.low = price;
  bar.close = price;
  bar.liquidity = pool.liquidity;
  bar.sqrtPrice = pool.sqrtPrice;
  bar.tick = pool.tick;
  bar.token0Price = pool.token0Price;
  bar.token1Price = pool.token1Price;
  bar.tvlUsd = pool.totalValueLockedUsd;
  bar.feeGrowth0 = pool.feeGrowth0;
  bar.feeGrowth1 = pool.feeGrowth1;
}

function addVolume(bar: Bar, { volume0, volume1, volumeUsd, feesUsd }: BarVolume): void {
  bar.volume0 = bar.volume0.plus(volume0);
  bar.volume1 = bar.volume1.plus(volume1);
  bar.volumeUsd = bar.volumeUsd.plus(volumeUsd);
  bar.feesUsd = bar.feesUsd.plus(feesUsd);
}
