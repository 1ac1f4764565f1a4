import type { Log } from "../../chains/chain.ts";
import { Decimal } from "../../lib/decimal34.ts";
import { flashFees, swapFees } from "../math/fee-growth.ts";
import { tokenPrices } from "../math/prices.ts";
import { refreshBars, updateBars } from "./bars.ts";
import { type Changes, type Trade, touch, touchTicks } from "./changes.ts";
import { createPool, type TokenBook } from "./create-pool.ts";
import type { EventOf, PoolEvent } from "./events.ts";
import { IntegrityError } from "./integrity.ts";
import { derivedEth, nativePriceUsd, trackedUsd, untrackedValueUsd } from "./pricing.ts";
import type { Pool, State, Token } from "./state.ts";

const q256 = 1n << 256n;

/** Where an event happened. */
export type Place = Pick<Log, "block" | "time" | "index" | "transactionHash" | "address">;

type Step<Event> = { state: State; changes: Changes; place: Place; event: Event };

/**
 * Applies one event: the state moves on, and the changes say what has to be written.
 * No I/O, no clock: the same events always give the same figures.
 */
export function applyEvent(
  state: State,
  changes: Changes,
  place: Place,
  event: PoolEvent,
  tokens: TokenBook,
): void {
  if (event.kind === "poolCreated") {
    createPool({ state, changes, place, event }, tokens);
    return;
  }
  const pool = state.pools.get(place.address);
  if (!pool) return;
  applyToPool(pool, state, changes, place, event);
}

function applyToPool(
  pool: Pool,
  state: State,
  changes: Changes,
  place: Place,
  event: Exclude<PoolEvent, { kind: "poolCreated" }>,
): void {
  switch (event.kind) {
    case "initialize":
      initialize(pool, { state, changes, place, event });
      break;
    case "mint":
      mint(pool, { state, changes, place, event });
      break;
    case "burn":
      burn(pool, { state, changes, place, event });
      break;
    case "swap":
      swap(pool, { state, changes, place, event });
      break;
    case "collect":
      collect(pool, { state, changes, place, event });
      break;
    case "flash":
      flash(pool, { state, changes, place, event });
      break;
    case "setFeeProtocol":
      pool.feeProtocol0 = event.feeProtocol0;
      pool.feeProtocol1 = event.feeProtocol1;
      changes.pools.add(pool);
      break;
    case "collectProtocol":
      collectProtocol(pool, { state, changes, place, event });
  }
}

function initialize(
  pool: Pool,
  { state, changes, place, event }: Step<EventOf<"initialize">>,
): void {
  pool.sqrtPrice = event.sqrtPrice;
  pool.tick = event.tick;
  if (state.rules.dialect === "pancake") {
    pool.feeProtocol0 = pool.feeProtocol1 = pancakeShares[pool.fee] ?? pancakeUsualShare;
  }
  refreshPrices(pool, state);
  updateBars(changes, pool, place.time);
  touch(changes, pool);
}

/** PancakeSwap's pools start with a protocol share, in ten-thousandths of the fee, that no event announces. */
const pancakeShares: Record<number, number> = { 100: 3_300, 500: 3_400 };
const pancakeUsualShare = 3_200;

function mint(pool: Pool, { state, changes, place, event }: Step<EventOf<"mint">>): void {
  changeTicks(pool, { state, changes, place, event }, event.amount);
  const amounts = amountsOf(pool, event);
  const amountUsd = untrackedUsd(pool, amounts, state);
  count(pool);
  if (isInRange(pool, event)) pool.liquidity += event.amount;
  addLocked(pool, amounts.amount0, amounts.amount1);
  revalue(pool, state);
  const { kind, sender, owner, amount } = event;
  record(changes, pool, place, { kind, ...amounts, amountUsd, sender, owner, amount });
  updateBars(changes, pool, place.time);
}

/** Burning only makes tokens owed; they stay locked until they are collected. */
function burn(pool: Pool, { state, changes, place, event }: Step<EventOf<"burn">>): void {
  changeTicks(pool, { state, changes, place, event }, -event.amount);
  const amounts = amountsOf(pool, event);
  const amountUsd = untrackedUsd(pool, amounts, state);
  count(pool);
  if (isInRange(pool, event)) pool.liquidity -= event.amount;
  const { kind, owner, amount } = event;
  record(changes, pool, place, { kind, ...amounts, amountUsd, owner, amount });
  updateBars(changes, pool, place.time);
}

function collect(pool: Pool, { state, changes, place, event }: Step<EventOf<"collect">>): void {
  const { amount0, amount1 } = amountsOf(pool, event);
  count(pool);
  pool.token0.totalValueLocked = pool.token0.totalValueLocked.minus(amount0);
  pool.token1.totalValueLocked = pool.token1.totalValueLocked.minus(amount1);
  pool.totalValueLocked0 = pool.totalValueLocked0.minus(amount0);
  pool.totalValueLocked1 = pool.totalValueLocked1.minus(amount1);
  revalue(pool, state);
  touch(changes, pool);
  updateBars(changes, pool, place.time);
}

/** Dollars by the prices before the swap; values by those after it. */
function swap(pool: Pool, { state, changes, place, event }: Step<EventOf<"swap">>): void {
  const fees = feesOfSwap(pool, state, place, event);
  const amounts = amountsOf(pool, event);
  const volume0 = amounts.amount0.abs();
  const volume1 = amounts.amount1.abs();
  const volumeUsd = trackedUsd(
    pool,
    { amount0: volume0, amount1: volume1 },
    state.ethPriceUsd,
  ).halved();
  const usd0 = volume0.times(pool.token0.derivedEth).times(state.ethPriceUsd);
  const usd1 = volume1.times(pool.token1.derivedEth).times(state.ethPriceUsd);
  const untrackedVolumeUsd = usd0.plus(usd1).halved();
  const feesUsd = volumeUsd.times(Decimal.fromInteger(pool.fee)).shiftedBy(-6);
  count(pool);

  pool.volume0 = pool.volume0.plus(volume0);
  pool.volume1 = pool.volume1.plus(volume1);
  pool.token0.volume = pool.token0.volume.plus(volume0);
  pool.token1.volume = pool.token1.volume.plus(volume1);
  for (const each of [pool, pool.token0, pool.token1]) {
    each.volumeUsd = each.volumeUsd.plus(volumeUsd);
    each.untrackedVolumeUsd = each.untrackedVolumeUsd.plus(untrackedVolumeUsd);
    each.feesUsd = each.feesUsd.plus(feesUsd);
  }

  pool.liquidity = event.liquidity;
  pool.tick = event.tick;
  pool.sqrtPrice = event.sqrtPrice;
  growFees(pool, fees);
  // The protocol's share of the fee is in the pool, but belongs to its liquidity no more.
  addLocked(
    pool,
    lessFee(amounts.amount0, fees.protocol0, pool.token0),
    lessFee(amounts.amount1, fees.protocol1, pool.token1),
  );
  refreshPrices(pool, state);
  valuePool(pool, state);
  for (const token of [pool.token0, pool.token1]) {
    token.totalValueLockedUsd = token.totalValueLocked
      .times(token.derivedEth)
      .times(state.ethPriceUsd);
    token.totalValueLockedUsdUntracked = untrackedValueUsd(token, state);
  }
  const { kind, sender, recipient, sqrtPrice } = event;
  record(changes, pool, place, {
    kind,
    ...amounts,
    amountUsd: volumeUsd,
    sender,
    recipient,
    sqrtPrice,
  });
  updateBars(changes, pool, place.time, { volume0, volume1, volumeUsd, feesUsd });
}

function changeTicks(
  pool: Pool,
  { state, changes, place, event }: Step<{ tickLower: number; tickUpper: number }>,
  amount: bigint,
): void {
  const { tickLower, tickUpper } = event;
  if (!pool.ticks.add(tickLower, tickUpper, amount)) {
    tolerate(pool, state, `the burn in log ${place.index} of block ${place.block}`);
  }
  touchTicks(changes, pool, tickLower, tickUpper);
}

/** What does not follow from the logs before it means that we have missed some, unless the pool is known to be odd. */
function tolerate(pool: Pool, { tolerated }: State, what: string): void {
  pool.isTolerated ||= tolerated.has(pool.address);
  if (pool.isTolerated) return;
  throw new IntegrityError(
    `${what} does not follow from the logs of pool ${pool.address} before it`,
    pool.address,
  );
}

type Fees = { growth0: bigint; growth1: bigint; protocol0: bigint; protocol1: bigint };

/** Walks the swap through the pool's ticks. It must end where the event says. */
function feesOfSwap(pool: Pool, state: State, place: Place, event: EventOf<"swap">): Fees {
  const walk = swapFees(pool, event, state.rules.dialect);
  if (walk && walk.liquidity === event.liquidity && walk.tick === event.tick) return walk;
  tolerate(pool, state, `the swap in log ${place.index} of block ${place.block}`);
  return walk ?? { growth0: 0n, growth1: 0n, protocol0: 0n, protocol1: 0n };
}

function flash(pool: Pool, { state, changes, place, event }: Step<EventOf<"flash">>): void {
  const fees = flashFees(pool, event, state.rules.dialect);
  growFees(pool, fees);
  const paid0 = Decimal.fromUnits(event.paid0, pool.token0.decimals);
  const paid1 = Decimal.fromUnits(event.paid1, pool.token1.decimals);
  addLocked(
    pool,
    lessFee(paid0, fees.protocol0, pool.token0),
    lessFee(paid1, fees.protocol1, pool.token1),
  );
  revalue(pool, state);
  touch(changes, pool);
  refreshBars(changes, pool, place.time);
}

/** What was owed is no longer counted as locked; only what nobody saw accrue still has to go. */
function collectProtocol(
  pool: Pool,
  { state, changes, place, event }: Step<EventOf<"collectProtocol">>,
): void {
  const missing0 = event.amount0 > pool.protocolOwed0 ? event.amount0 - pool.protocolOwed0 : 0n;
  const missing1 = event.amount1 > pool.protocolOwed1 ? event.amount1 - pool.protocolOwed1 : 0n;
  pool.protocolOwed0 -= event.amount0 - missing0;
  pool.protocolOwed1 -= event.amount1 - missing1;
  changes.pools.add(pool);
  if (missing0 === 0n && missing1 === 0n) return;
  addLocked(
    pool,
    Decimal.fromUnits(-missing0, pool.token0.decimals),
    Decimal.fromUnits(-missing1, pool.token1.decimals),
  );
  revalue(pool, state);
  touch(changes, pool);
  refreshBars(changes, pool, place.time);
}

function amountsOf(
  { token0, token1 }: Pool,
  event: { amount0: bigint; amount1: bigint },
): { amount0: Decimal; amount1: Decimal } {
  return {
    amount0: Decimal.fromUnits(event.amount0, token0.decimals),
    amount1: Decimal.fromUnits(event.amount1, token1.decimals),
  };
}

function untrackedUsd(
  { token0, token1 }: Pool,
  { amount0, amount1 }: { amount0: Decimal; amount1: Decimal },
  { ethPriceUsd }: State,
): Decimal {
  return amount0
    .times(token0.derivedEth.times(ethPriceUsd))
    .plus(amount1.times(token1.derivedEth.times(ethPriceUsd)));
}

function isInRange({ tick }: Pool, position: { tickLower: number; tickUpper: number }): boolean {
  return tick !== undefined && position.tickLower <= tick && tick < position.tickUpper;
}

/** Counts events, not transactions, as everybody does. */
function count(pool: Pool): void {
  pool.txCount++;
  pool.token0.txCount++;
  pool.token1.txCount++;
}

function addLocked(pool: Pool, amount0: Decimal, amount1: Decimal): void {
  pool.totalValueLocked0 = pool.totalValueLocked0.plus(amount0);
  pool.totalValueLocked1 = pool.totalValueLocked1.plus(amount1);
  pool.token0.totalValueLocked = pool.token0.totalValueLocked.plus(amount0);
  pool.token1.totalValueLocked = pool.token1.totalValueLocked.plus(amount1);
}

function lessFee(amount: Decimal, fee: bigint, { decimals }: Token): Decimal {
  return fee === 0n ? amount : amount.minus(Decimal.fromUnits(fee, decimals));
}

function growFees(pool: Pool, { growth0, growth1, protocol0, protocol1 }: Fees): void {
  pool.feeGrowth0 = (pool.feeGrowth0 + growth0) % q256;
  pool.feeGrowth1 = (pool.feeGrowth1 + growth1) % q256;
  pool.protocolOwed0 += protocol0;
  pool.protocolOwed1 += protocol1;
}

/** Both tokens are priced by what the other was worth before: neither sees the other's new price. */
function refreshPrices(pool: Pool, state: State): void {
  const { token0, token1 } = pool;
  const { token0Price, token1Price } = tokenPrices(
    pool.sqrtPrice,
    token0.decimals,
    token1.decimals,
  );
  pool.token0Price = token0Price;
  pool.token1Price = token1Price;
  state.ethPriceUsd = nativePriceUsd(state);
  const derived0 = derivedEth(token0, state);
  const derived1 = derivedEth(token1, state);
  token0.derivedEth = derived0;
  token1.derivedEth = derived1;
}

function valuePool(pool: Pool, { ethPriceUsd }: State): void {
  pool.totalValueLockedEth = pool.totalValueLocked0
    .times(pool.token0.derivedEth)
    .plus(pool.totalValueLocked1.times(pool.token1.derivedEth));
  pool.totalValueLockedUsd = pool.totalValueLockedEth.times(ethPriceUsd);
}

/** Values a pool and its tokens by the prices there are. */
function revalue(pool: Pool, state: State): void {
  valuePool(pool, state);
  for (const token of [pool.token0, pool.token1]) {
    token.totalValueLockedUsd = token.totalValueLocked.times(
      token.derivedEth.times(state.ethPriceUsd),
    );
    token.totalValueLockedUsdUntracked = untrackedValueUsd(token, state);
  }
}

function record(
  changes: Changes,
  pool: Pool,
  { block, index, time, transactionHash }: Place,
  rest: Omit<Trade, "pool" | "block" | "index" | "time" | "transactionHash">,
): void {
  changes.trades.push({ pool, block, index, time, transactionHash, ...rest });
  touch(changes, pool);
}
