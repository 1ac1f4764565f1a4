import { describe, expect, test } from "vitest";
import {
  apply,
  book,
  creation,
  eventOf,
  type Fields,
  place,
  poolAddress,
  type Scene,
  sceneOf,
  stateFor,
  text,
  transactionHash,
  usdc,
  type Vector,
  vector,
  weth,
} from "../../../test/reducer-scene.ts";
import type { Hex } from "../../chains/hex.ts";
import { Decimal } from "../../lib/decimal34.ts";
import { noChanges } from "./changes.ts";
import type { PoolEvent } from "./events.ts";
import { applyEvent } from "./reducer.ts";
import type { Pool, Token } from "./state.ts";

/** What upstream calls its entities' fields, in ours. Fields that nobody can ask us for are left out. */
const poolFields: Record<string, (pool: Pool) => string> = {
  feeTier: ({ fee }) => text(fee),
  txCount: ({ txCount }) => text(txCount),
  sqrtPrice: ({ sqrtPrice }) => text(sqrtPrice),
  tick: ({ tick }) => text(tick),
  liquidity: ({ liquidity }) => text(liquidity),
  token0: ({ token0 }) => token0.address,
  token1: ({ token1 }) => token1.address,
  token0Price: ({ token0Price }) => text(token0Price),
  token1Price: ({ token1Price }) => text(token1Price),
  totalValueLockedToken0: (pool) => text(pool.totalValueLocked0),
  totalValueLockedToken1: (pool) => text(pool.totalValueLocked1),
  totalValueLockedETH: (pool) => text(pool.totalValueLockedEth),
  totalValueLockedUSD: (pool) => text(pool.totalValueLockedUsd),
  volumeToken0: ({ volume0 }) => text(volume0),
  volumeToken1: ({ volume1 }) => text(volume1),
  volumeUSD: ({ volumeUsd }) => text(volumeUsd),
  untrackedVolumeUSD: ({ untrackedVolumeUsd }) => text(untrackedVolumeUsd),
  feesUSD: ({ feesUsd }) => text(feesUsd),
  createdAtBlockNumber: ({ createdBlock }) => text(createdBlock),
  createdAtTimestamp: ({ createdTime }) => text(createdTime),
};

const tokenFields: Record<string, (token: Token) => string> = {
  name: ({ name }) => name,
  symbol: ({ symbol }) => symbol,
  decimals: ({ decimals }) => text(decimals),
  derivedETH: (token) => text(token.derivedEth),
  txCount: ({ txCount }) => text(txCount),
  volume: ({ volume }) => text(volume),
  volumeUSD: ({ volumeUsd }) => text(volumeUsd),
  untrackedVolumeUSD: ({ untrackedVolumeUsd }) => text(untrackedVolumeUsd),
  feesUSD: ({ feesUsd }) => text(feesUsd),
  totalValueLocked: ({ totalValueLocked }) => text(totalValueLocked),
  totalValueLockedUSD: (token) => text(token.totalValueLockedUsd),
};

/** An exchange's totals are the sums over its pools; the vectors have one pool. */
const totalFields: Record<string, (pool: Pool) => string> = {
  txCount: ({ txCount }) => text(txCount),
  totalVolumeUSD: ({ volumeUsd }) => text(volumeUsd),
  untrackedVolumeUSD: ({ untrackedVolumeUsd }) => text(untrackedVolumeUsd),
  totalFeesUSD: ({ feesUsd }) => text(feesUsd),
  totalValueLockedETH: (pool) => text(pool.totalValueLockedEth),
  totalValueLockedUSD: (pool) => text(pool.totalValueLockedUsd),
};

function expectFields<Thing>(
  thing: Thing,
  known: Record<string, (thing: Thing) => string>,
  expected: Fields,
): void {
  const fields = Object.keys(expected).filter((field) => known[field]);
  expect(fields.length).toBeGreaterThan(0);
  const ours = Object.fromEntries(fields.map((field) => [field, known[field]?.(thing)]));
  expect(ours).toEqual(Object.fromEntries(fields.map((field) => [field, expected[field]])));
}

function expectVector({ pool, token0, token1 }: Scene, { expect: expected }: Vector): void {
  if (expected.Pool) expectFields(pool, poolFields, expected.Pool[poolAddress] ?? {});
  for (const token of [token0, token1]) {
    expectFields(token, tokenFields, expected.Token?.[token.address] ?? {});
  }
  for (const totals of Object.values(expected.Factory ?? {}))
    expectFields(pool, totalFields, totals);
}

describe("what the events of an exchange mean", () => {
  test("PoolCreated: a pool and its tokens, with nothing in them", () => {
    const scene = sceneOf(vector("PoolCreated.create"));
    expectVector(scene, vector("PoolCreated.create"));
    expect(scene.token0.whitelistPools).toEqual([scene.pool]);
    expect(scene.token1.whitelistPools).toEqual([scene.pool]);
  });

  test("correction: a token counts its pools (upstream says 0 for ever)", () => {
    const { token0, token1 } = sceneOf();
    expect([token0.poolCount, token1.poolCount]).toEqual([1, 1]);
  });

  test("PoolCreated: pools on the list to skip are skipped", () => {
    const { config } = vector("PoolCreated.skip");
    const scene = { state: stateFor(config), changes: noChanges() };
    apply(scene, creation);
    expect(scene.state.pools.size + scene.state.tokens.size).toBe(0);
    expect(scene.changes.pools.size + scene.changes.tokens.size).toBe(0);
  });

  test("PoolCreated: a pool with a token that does not tell its decimals is left out", () => {
    const state = stateFor();
    const known = new Map([...book].filter(([address]) => address !== weth));
    applyEvent(state, noChanges(), place, creation, known);
    expect(state.pools.size + state.tokens.size).toBe(0);
  });

  test("a pool that is older than the chain's logs begins with what it held", () => {
    const { ethCalls, expect: expected } = vector("populateEmptyPools") as unknown as {
      ethCalls: Record<Hex, { liquidity?: string; balanceOf?: Record<Hex, string> }>;
      expect: Vector["expect"];
    };
    const balance = (token: Hex) => BigInt(ethCalls[token]?.balanceOf?.[poolAddress] ?? "");
    const found = {
      liquidity: BigInt(ethCalls[poolAddress]?.liquidity ?? ""),
      balance0: balance(usdc),
      balance1: balance(weth),
    };
    const scene = { state: stateFor({ whitelist: [] }), changes: noChanges() };
    apply(scene, { ...creation, found });
    const pool = scene.state.pools.get(poolAddress) as Pool;
    expectFields(pool, poolFields, expected.Pool?.[poolAddress] ?? {});
    for (const token of [pool.token0, pool.token1]) {
      expectFields(token, tokenFields, expected.Token?.[token.address] ?? {});
      expect(token.whitelistPools).toEqual([]);
    }
    expect(pool.liquidity).toBe(100n);
  });

  test("correction: Initialize sets the prices (upstream leaves them 0)", () => {
    const initialize = vector("Initialize");
    const scene = sceneOf(initialize);
    apply(scene, eventOf(initialize, "initialize"));
    const { pool, state, token0, token1 } = scene;
    expectFields(pool, poolFields, initialize.expect.Pool?.[poolAddress] ?? {});
    expect(pool.token0Price.greaterThan(Decimal.zero)).toBe(true);
    expect(text(state.ethPriceUsd)).toBe(text(pool.token0Price));
    expect(text(token1.derivedEth)).toBe("1");
    expect(text(token0.derivedEth)).toBe(text(Decimal.one.dividedBy(state.ethPriceUsd)));
    expect(pool.txCount).toBe(0);
    expect([...scene.changes.bars].map(({ txCount, open }) => [txCount, text(open)])).toEqual([
      [1, text(pool.token0Price)],
      [1, text(pool.token0Price)],
    ]);
  });

  test.each(["Mint.inRange", "Burn.inRange", "Collect", "Swap"])("%s", (id) => {
    const given = vector(id);
    const scene = sceneOf(given);
    const kind = id.split(".")[0]?.toLowerCase() as PoolEvent["kind"];
    apply(scene, eventOf(given, kind));
    expectVector(scene, given);
    expectTrade(scene, given, kind);
  });

  function expectTrade(
    { changes, pool, state }: Scene,
    { expect: expected }: Vector,
    kind: string,
  ) {
    const name = kind.charAt(0).toUpperCase() + kind.slice(1);
    const [upstream = {}] = Object.values(expected[name] ?? {});
    const bundle = expected.Bundle?.["1"]?.ethPriceUSD ?? text(state.ethPriceUsd);
    expect(text(state.ethPriceUsd)).toBe(bundle);
    // What is collected is no trade.
    expect(changes.trades.length).toBe(kind === "collect" ? 0 : 1);
    for (const trade of changes.trades) {
      expect(trade).toMatchObject({ pool, block: 1, index: 1, time: 1, transactionHash });
      const fields = ["amount0", "amount1", "amount", "owner", "sender", "recipient"] as const;
      const given = fields.filter((field) => upstream[field] !== undefined);
      expect(given.map((field) => text(trade[field]))).toEqual(
        given.map((field) => upstream[field]),
      );
      expect(text(trade.amountUsd)).toBe(upstream.amountUSD);
    }
    const [day] = Object.values(expected.PoolDayData ?? {});
    for (const bar of day ? changes.bars : []) {
      expect(text(bar.volumeUsd)).toBe(day?.volumeUSD);
      expect(text(bar.feesUsd)).toBe(day?.feesUSD);
    }
  }

  test.each([
    ["mint", "195599"],
    ["burn", "194279"],
  ] as const)("a %s out of range leaves the pool's liquidity alone", (kind, tick) => {
    const given = vector(kind === "mint" ? "Mint.inRange" : "Burn.inRange");
    const scene = sceneOf({ ...given, pre: { ...given.pre, pool: { tick } } });
    apply(scene, eventOf(given, kind));
    expect(scene.pool.liquidity).toBe(0n);
  });

  test("totals in native coins follow from those in dollars at the price before the swap", () => {
    const given = vector("Swap");
    const scene = sceneOf(given);
    const before = scene.state.ethPriceUsd;
    apply(scene, eventOf(given, "swap"));
    const [totals = {}] = Object.values(given.expect.Factory ?? {});
    expect(text(scene.pool.volumeUsd.dividedBy(before))).toBe(totals.totalVolumeETH);
    expect(text(scene.pool.feesUsd.dividedBy(before))).toBe(totals.totalFeesETH);
  });
});

describe("bars", () => {
  test("open at the first price, keep the highest and lowest, close at the last", () => {
    const given = vector("bars.pool") as unknown as {
      steps: { setToken0Price: string; expect: Fields }[];
    };
    const scene = sceneOf();
    for (const [step, { setToken0Price, expect: expected }] of given.steps.entries()) {
      scene.pool.token0Price = Decimal.parse(setToken0Price);
      apply(scene, { kind: "collect", amount0: 0n, amount1: 0n });
      for (const bar of scene.changes.bars) {
        const { open, high, low, close } = expected;
        expect({
          open: text(bar.open),
          high: text(bar.high),
          low: text(bar.low),
          close: text(bar.close),
          txCount: bar.txCount,
          number: bar.number,
        }).toEqual({ open, high, low, close, txCount: step + 1, number: 0 });
      }
    }
    expect([...scene.changes.bars].map(({ seconds }) => seconds)).toEqual([3_600, 86_400]);
  });

  test("correction: a bar shows the pool after its event (upstream is one event late)", () => {
    const given = vector("Mint.inRange");
    const scene = sceneOf(given);
    apply(scene, eventOf(given, "mint"));
    for (const bar of scene.changes.bars) {
      expect(bar.liquidity).toBe(scene.pool.liquidity);
      expect(text(bar.tvlUsd)).toBe("1133.452625769218794");
    }
  });

  test("correction: the day's close is the last price, and hours have volumes", () => {
    const given = vector("Swap");
    const scene = sceneOf(given);
    const swap = eventOf(given, "swap");
    apply(scene, swap);
    if (swap.kind !== "swap") throw new Error("The vector is a swap.");
    apply(scene, { ...swap, sqrtPrice: swap.sqrtPrice * 2n });
    for (const bar of scene.changes.bars) {
      expect(text(bar.close)).toBe(text(scene.pool.token0Price));
      expect(text(bar.close)).not.toBe(text(bar.open));
      expect(text(bar.volume0)).toBe("155010.281112");
    }
  });
});

describe("what upstream does not count", () => {
  /** A pool with liquidity 1000 over everything, fees of 1/4 for the protocol. */
  function livePool(): Scene {
    const scene = sceneOf();
    const edge = 887_220;
    apply(scene, { kind: "initialize", sqrtPrice: 1n << 96n, tick: 0 });
    const amounts = { amount: 10n ** 12n, amount0: 10n ** 12n, amount1: 10n ** 12n };
    apply(scene, {
      kind: "mint",
      sender: weth,
      owner: weth,
      tickLower: -edge,
      tickUpper: edge,
      ...amounts,
    });
    apply(scene, { kind: "setFeeProtocol", feeProtocol0: 4, feeProtocol1: 4 });
    return scene;
  }

  test("correction: what a flash pays is locked, less the protocol's share; nothing is counted", () => {
    const scene = livePool();
    const { txCount } = scene.pool;
    apply(scene, { kind: "flash", paid0: 4_000_000n, paid1: 0n });
    expect(text(scene.pool.totalValueLocked0)).toBe("1000003");
    expect(scene.pool.protocolOwed0).toBe(1_000_000n);
    expect(scene.pool.feeGrowth0).toBe((3_000_000n << 128n) / 10n ** 12n);
    expect(scene.pool.txCount).toBe(txCount);
  });

  test("correction: collecting protocol fees takes what was owed, which was never counted as locked", () => {
    const scene = livePool();
    apply(scene, { kind: "flash", paid0: 4_000_000n, paid1: 0n });
    apply(scene, { kind: "collectProtocol", amount0: 999_999n, amount1: 0n });
    expect(scene.pool.protocolOwed0).toBe(1n);
    expect(text(scene.pool.totalValueLocked0)).toBe("1000003");
    apply(scene, { kind: "collectProtocol", amount0: 1_000_001n, amount1: 0n });
    expect(text(scene.pool.totalValueLocked0)).toBe("1000002");
    expect(text(scene.token0.totalValueLocked)).toBe("1000002");
  });

  test("a swap that does not follow from the events before it is noticed, and nothing of it is kept", () => {
    const scene = livePool();
    const state = { ...scene.state, tolerated: new Set<Hex>() };
    const before = text(scene.pool.totalValueLocked0);
    const swap = eventOf(vector("Swap"), "swap");
    expect(() => applyEvent(state, scene.changes, place, swap, book)).toThrow(/does not follow/);
    expect(text(scene.pool.totalValueLocked0)).toBe(before);
  });
});
