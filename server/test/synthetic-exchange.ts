import type { Hex } from "../src/chains/hex.ts";
import type { Deployment } from "../src/dex/deployment.ts";
import { sqrtPriceAtTick } from "../src/dex/math/tick-math.ts";
import { addressOf, type NewBlock, type NewLog } from "./fake-chain.ts";
import type { FakeToken } from "./fake-node.ts";

const topics = {
  poolCreated: "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118",
  initialize: "0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95",
  mint: "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde",
  burn: "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c",
  swap: "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67",
  collect: "0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0",
  flash: "0xbdbdb71d7860376ba52b25a5028beea23581364a40522f6bcfb86bb1f2dca633",
  setFeeProtocol: "0x973d8d92bb299f4af6ce49b52a8adb85ae46b9f214c4c4fc06ac77401237b133",
  collectProtocol: "0x596b573906218d3411850b26a6b437d6c4522fdb43d2d2386263f86d50b8b151",
} as const satisfies Record<string, Hex>;

type Position = { lower: number; upper: number; liquidity: bigint };

type SyntheticPool = {
  address: Hex;
  fee: number;
  tickSpacing: number;
  tick: number;
  sqrtPrice: bigint;
  positions: Position[];
};

/** Numbers that look random and follow from a seed. */
function seededRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0 || 1;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

export type SyntheticExchange = {
  deployment: Deployment;
  tokens: Record<Hex, FakeToken>;
  /** A block that creates and fills all pools. */
  founding(): NewBlock;
  /** A block with this many events, mostly swaps. */
  block(events: number): NewBlock;
  /** The same with swaps alone. */
  swaps(count: number): NewBlock;
  /** A copy that goes its own way from here, as a fork of the chain does. */
  fork(seed: number): SyntheticExchange;
};

const factory = addressOf("factory");
const weth = addressOf("weth");
const usdc = addressOf("usdc");
const trader = addressOf("trader");
const q96 = 1n << 96n;

/** An exchange whose every event follows from those before it, as on a real chain, without one. */
export function syntheticExchange({
  pools,
  seed,
}: {
  pools: number;
  seed: number;
}): SyntheticExchange {
  const others = Array.from({ length: pools - 1 }, (_, index) => addressOf(`token ${index}`));
  const tokens: Record<Hex, FakeToken> = {
    [weth]: { name: "Wrapped Ether", symbol: "WETH", decimals: 18, totalSupply: 10n ** 24n },
    [usdc]: { name: "USD Coin", symbol: "USDC", decimals: 6, totalSupply: 10n ** 15n },
  };
  for (const [index, address] of others.entries()) {
    const decimals = [18, 8, 6][index % 3] ?? 18;
    tokens[address] = {
      name: `Token ${index}`,
      symbol: `T${index}`,
      decimals,
      totalSupply: 10n ** 20n,
    };
  }
  const pairs = [usdc, ...others].map((token) =>
    token < weth ? ([token, weth] as const) : ([weth, token] as const),
  );
  const state = pairs.map((_, index) => newPool(index));
  const deployment: Deployment = {
    exchange: "uniswap-v3",
    blockchain: "ethereum",
    factory,
    startBlock: 1,
    wrappedNative: weth,
    stablePool: state[0]?.address ?? "0x",
    stablecoins: [usdc],
    whitelist: [weth, usdc],
    minimumNativeLocked: "0.1",
    pools: "all",
    skipPools: [],
    tokenOverrides: [],
    preexistingPools: [],
  };
  return exchangeOf({ deployment, tokens, pairs, pools: state, below: seededRandom(seed) });
}

function newPool(index: number): SyntheticPool {
  const tick = 60 * (index % 50) - 1_500;
  const fee = [3_000, 500, 10_000][index % 3] ?? 3_000;
  const tickSpacing = { 500: 10, 3000: 60, 10000: 200 }[fee] ?? 60;
  return {
    address: addressOf(`pool ${index}`),
    fee,
    tickSpacing,
    tick,
    sqrtPrice: sqrtPriceAtTick(tick) + 12_345n,
    positions: [],
  };
}

type Parts = {
  deployment: Deployment;
  tokens: Record<Hex, FakeToken>;
  pairs: (readonly [Hex, Hex])[];
  pools: SyntheticPool[];
  below(limit: number): number;
};

function exchangeOf(parts: Parts): SyntheticExchange {
  const { deployment, tokens, pairs, pools, below } = parts;
  const anyPool = () => pools[below(pools.length)] as SyntheticPool;

  function event(): NewLog {
    const kind = below(20);
    const pool = anyPool();
    if (kind < 12) return swap(pool, below);
    if (kind < 14) return mint(pool, randomRange(pool, below));
    if (kind < 16) return burn(pool, below);
    if (kind === 16) return { address: pool.address, ...collect(below) };
    if (kind === 17) return flash(pool, below);
    if (kind === 18) return log(pool, [topics.setFeeProtocol], [0, 0, 4 + below(6), 4 + below(6)]);
    return log(pool, [topics.collectProtocol, word(trader), word(trader)], [below(3), below(3)]);
  }

  return {
    deployment,
    tokens,
    founding() {
      const logs = pools.flatMap((pool, index) => {
        const [token0, token1] = pairs[index] ?? [usdc, weth];
        return [
          {
            address: factory,
            topics: [topics.poolCreated, word(token0), word(token1), word(pool.fee)],
            data: words([pool.tickSpacing, pool.address]),
          },
          log(pool, [topics.initialize], [pool.sqrtPrice, pool.tick]),
          mint(pool, fullRange(pool, 10n ** 22n)),
          mint(pool, randomRange(pool, below)),
        ];
      });
      return { logs };
    },
    block: (events) => ({ logs: Array.from({ length: events }, event) }),
    swaps: (count) => ({ logs: Array.from({ length: count }, () => swap(anyPool(), below)) }),
    fork: (seed) =>
      exchangeOf({
        ...parts,
        pools: pools.map((pool) => ({
          ...pool,
          positions: pool.positions.map((each) => ({ ...each })),
        })),
        below: seededRandom(seed),
      }),
  };
}

function fullRange({ tickSpacing }: SyntheticPool, liquidity: bigint): Position {
  const edge = Math.floor(887_272 / tickSpacing) * tickSpacing;
  return { lower: -edge, upper: edge, liquidity };
}

function randomRange(
  { tick, tickSpacing }: SyntheticPool,
  below: (limit: number) => number,
): Position {
  const middle = Math.floor(tick / tickSpacing) + below(7) - 3;
  const lower = (middle - 1 - below(5)) * tickSpacing;
  const upper = (middle + 1 + below(5)) * tickSpacing;
  return { lower, upper, liquidity: 10n ** 20n + BigInt(below(1_000_000_000)) };
}

function mint(pool: SyntheticPool, position: Position): NewLog {
  pool.positions.push(position);
  const { lower, upper, liquidity } = position;
  return log(
    pool,
    [topics.mint, word(trader), word(lower), word(upper)],
    [trader, liquidity, 1_000_000n + (liquidity % 1_000n), 2_000_000n],
  );
}

/** The first position is never burnt, so that there is always liquidity. */
function burn(pool: SyntheticPool, below: (limit: number) => number): NewLog {
  const position = pool.positions[1 + below(pool.positions.length)];
  const amount = position ? (below(2) === 0 ? position.liquidity : position.liquidity / 3n) : 0n;
  const { lower, upper } = position ?? fullRange(pool, 0n);
  if (position) position.liquidity -= amount;
  return log(pool, [topics.burn, word(trader), word(lower), word(upper)], [amount, 500n, 600n]);
}

function collect(below: (limit: number) => number): { topics: Hex[]; data: Hex } {
  return {
    topics: [topics.collect, word(trader), word(-600), word(600)],
    data: words([trader, below(100_000), below(100_000)]),
  };
}

function flash(pool: SyntheticPool, below: (limit: number) => number): NewLog {
  const paid = below(1_000_000);
  return log(pool, [topics.flash, word(trader), word(trader)], [10_000_000, 0, paid, 0]);
}

/** Moves the price by some ticks: the tokens that takes, position by position, and the fee on top. */
function swap(pool: SyntheticPool, below: (limit: number) => number): NewLog {
  const from = pool.sqrtPrice;
  const tick = Math.max(-80_000, Math.min(80_000, pool.tick + below(41) - 20));
  const low = sqrtPriceAtTick(tick);
  const to = low + ((sqrtPriceAtTick(tick + 1) - low) * BigInt(1 + below(998))) / 1_000n;
  let amount0 = 0n;
  let amount1 = 0n;
  for (const { lower, upper, liquidity } of pool.positions) {
    const start = within(from, lower, upper);
    const end = within(to, lower, upper);
    amount0 += (liquidity * q96 * (start - end)) / (start * end);
    amount1 += (liquidity * (end - start)) / q96;
  }
  const withFee = (amount: bigint) => (amount * 1_000_000n) / BigInt(1_000_000 - pool.fee) + 1_000n;
  const [paid0, paid1] = to < from ? [withFee(amount0), amount1] : [amount0, withFee(amount1)];
  pool.tick = tick;
  pool.sqrtPrice = to;
  const liquidity = pool.positions
    .filter(({ lower, upper }) => lower <= tick && tick < upper)
    .reduce((sum, position) => sum + position.liquidity, 0n);
  return log(pool, [topics.swap, word(trader), word(trader)], [paid0, paid1, to, liquidity, tick]);
}

function within(price: bigint, lower: number, upper: number): bigint {
  const low = sqrtPriceAtTick(lower);
  const high = sqrtPriceAtTick(upper);
  return price < low ? low : price > high ? high : price;
}

type Value = Hex | number | bigint;

function log({ address }: SyntheticPool, logTopics: Hex[], data: readonly Value[]): NewLog {
  return { address, topics: logTopics, data: words(data) };
}

function words(values: readonly Value[]): Hex {
  return `0x${values.map((value) => word(value).slice(2)).join("")}`;
}

function word(value: Value): Hex {
  const digits =
    typeof value === "string" ? value.slice(2) : BigInt.asUintN(256, BigInt(value)).toString(16);
  return `0x${digits.padStart(64, "0")}`;
}
