import { readFileSync } from "node:fs";
import type { Hex } from "../src/chains/hex.ts";
import type { Deployment } from "../src/dex/deployment.ts";
import { type Changes, endBlock, noChanges } from "../src/dex/indexer/changes.ts";
import type { EventOf, PoolEvent } from "../src/dex/indexer/events.ts";
import { applyEvent, type Place } from "../src/dex/indexer/reducer.ts";
import {
  emptyState,
  type Pool,
  rulesOf,
  type State,
  type Token,
} from "../src/dex/indexer/state.ts";
import { Decimal } from "../src/lib/decimal34.ts";

export type Fields = Record<string, string>;
export type Vector = {
  id: string;
  config: {
    wrappedNative: Hex;
    stablecoinWrappedNativePool: Hex;
    stablecoins: Hex[];
    whitelist: Hex[];
    minimumNativeLocked: string;
    poolsToSkip: Hex[];
  };
  pre?: { bundle?: { ethPriceUSD: string }; tokens?: Record<Hex, Fields>; pool?: Fields };
  event: { params: Fields };
  expect: Record<string, Record<string, Fields>>;
};

const { handlers, meta } = JSON.parse(
  readFileSync(new URL("./vectors/dex-vectors.json", import.meta.url), "utf8"),
) as { handlers: Vector[]; meta: { tokens: Record<Hex, Fields> } };

export const usdc: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
export const weth: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
export const wbtc: Hex = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599";
export const poolAddress: Hex = "0x8ad599c3a0ff1de082011efddc58f1908eb6e6d8";
export const transactionHash: Hex = `0x${"a1".repeat(32)}`;
export const place: Place = { block: 1, time: 1, index: 1, transactionHash, address: poolAddress };

export const book = new Map(
  Object.entries(meta.tokens).map(([address, { name = "", symbol = "", decimals }]) => [
    address as Hex,
    { name, symbol, decimals: Number(decimals) },
  ]),
);

export const vectors = handlers;

export function vector(id: string): Vector {
  const found = handlers.find((each) => each.id === id);
  if (!found) throw new Error(`There is no vector ${id}.`);
  return found;
}

export function stateFor(config: Partial<Vector["config"]> = {}, tolerated: Hex[] = []): State {
  const deployment: Deployment = {
    exchange: "uniswap-v3",
    blockchain: "ethereum",
    factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
    startBlock: 0,
    wrappedNative: config.wrappedNative ?? weth,
    stablePool: config.stablecoinWrappedNativePool ?? poolAddress,
    stablecoins: config.stablecoins ?? [usdc],
    whitelist: config.whitelist ?? [weth, usdc],
    minimumNativeLocked: config.minimumNativeLocked ?? "0",
    pools: "all",
    skipPools: config.poolsToSkip ?? [],
    tokenOverrides: [],
    preexistingPools: [],
  };
  return emptyState(rulesOf(deployment), new Set(tolerated));
}

export type Scene = { state: State; changes: Changes; pool: Pool; token0: Token; token1: Token };

export const creation: EventOf<"poolCreated"> = {
  kind: "poolCreated",
  pool: poolAddress,
  token0: usdc,
  token1: weth,
  fee: 3_000,
  tickSpacing: 60,
};

export function apply(scene: Pick<Scene, "state" | "changes">, event: PoolEvent, at = place): void {
  applyEvent(scene.state, scene.changes, at, event, book);
  endBlock(scene.changes, at.block);
}

/** The pool of the vectors, just created, with whatever the vector says about the time before its event. */
export function sceneOf({ config, pre }: Partial<Vector> = {}): Scene {
  const state = stateFor(config, [poolAddress]);
  const scene = { state, changes: noChanges() };
  apply(scene, creation);
  const pool = state.pools.get(poolAddress);
  if (!pool) throw new Error("The pool was not created.");
  for (const token of [pool.token0, pool.token1]) {
    const derived = pre?.tokens?.[token.address]?.derivedETH;
    if (derived) token.derivedEth = Decimal.parse(derived);
  }
  if (pre?.pool?.tick) pool.tick = Number(pre.pool.tick);
  if (pre?.bundle) state.ethPriceUsd = Decimal.parse(pre.bundle.ethPriceUSD);
  return { ...scene, changes: noChanges(), pool, token0: pool.token0, token1: pool.token1 };
}

export const text = (value: { toString(): string } | undefined) => String(value);

/** A vector's event in our terms. */
export function eventOf({ event }: Vector, kind: PoolEvent["kind"]): PoolEvent {
  const numeric = Object.entries(event.params).map(([name, value]) => {
    const ours = name === "sqrtPriceX96" ? "sqrtPrice" : name;
    if (typeof value === "number") return [ours, value];
    return [ours, value.startsWith("0x") ? value : BigInt(value)];
  });
  return { kind, ...Object.fromEntries(numeric) } as PoolEvent;
}
