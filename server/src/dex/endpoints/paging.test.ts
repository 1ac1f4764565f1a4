import type { DexPool, DexToken, PoolBar, PoolSwap } from "@slipway/sdk";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  bytes,
  dexChains,
  hex,
  insertBars,
  insertDeployment,
  insertOrigins,
  insertPools,
  insertSupplies,
  insertTokens,
  insertTrades,
} from "../../../test/dex-fixture.ts";
import { useApp } from "../../../test/test-app.ts";
import { barFields } from "../store/read-bars.ts";
import { poolFields } from "../store/read-pools.ts";
import { tokenFields } from "../store/read-tokens.ts";
import { tradeFields } from "../store/read-trades.ts";

const app = useApp({}, undefined, { chains: dexChains });
const count = 40;

/** Numbers that are out of order as text, alike to the last digit but one, or equal. */
const figures = ["9", "10", "-3.5", "0", "0", "100.5", "0.1", "0.10000000000000000000000000000001"];
const words = ["b", "B", "a", "é", "", "🦄", "a", "aa"];
const numbers = Array.from({ length: count }, (_, number) => number);

/** Each column goes through the values at a pace of its own, so that no two orders are the same. */
const pick = (values: readonly string[], number: number, pace: number) =>
  values[(number * pace + (number >> 3)) % values.length] ?? "";
const spread = (columns: string, number: number) =>
  Object.fromEntries(
    columns.split(" ").map((name, at) => [name, pick(figures, number, 2 * at + 1)]),
  );
const scattered = (number: number) => (number * 37) % 251;

beforeAll(async () => {
  const deployment = await insertDeployment(app.db);
  const tokens = numbers.map((token) => ({
    deployment,
    token,
    address: bytes(scattered(token)),
    name: pick(words, token, 3),
    symbol: pick(words, token, 5),
    decimals: token % 3,
    tx_count: token % 12,
    pool_count: token % 11,
    ...spread("volume volume_usd untracked_volume_usd fees_usd total_value_locked", token),
    ...spread("derived_eth total_value_locked_usd total_value_locked_usd_untracked", token),
  }));
  await insertTokens(app.db, tokens);
  await insertSupplies(
    app.db,
    tokens.slice(10).map(({ token, address }) => ({ address, block: 1, supply: token % 12 })),
  );
  await insertPools(
    app.db,
    numbers.map((pool) => ({
      deployment,
      pool,
      address: bytes(scattered(pool)),
      token0: 0,
      token1: 1,
      fee: [100, 500, 3_000][pool % 3] ?? 0,
      tx_count: pool % 12,
      ...spread("liquidity total_value_locked_usd volume_usd token0_price token1_price", pool),
    })),
  );
  await insertBars(
    app.db,
    numbers.map((number) => ({
      deployment,
      pool: 0,
      number: number + 95,
      tx_count: number % 12,
      tick: number % 5 === 0 ? null : (number % 4) * 60 - 90,
      ...spread("open high low close volume0 volume1 volume_usd fees_usd liquidity", number),
      ...spread("sqrt_price token0_price token1_price tvl_usd fee_growth0 fee_growth1", number),
    })),
  );
  await insertTrades(
    app.db,
    numbers.map((number) => ({
      deployment,
      pool: 0,
      kind: "swap",
      block: number >> 2,
      log_index: (number % 4) * 5,
      transaction_hash: bytes(scattered(number >> 1), 32),
      sender: bytes(number % 3),
      recipient: bytes(number % 5),
      ...spread("amount0 amount1 amount_usd sqrt_price", number),
    })),
  );
  await insertOrigins(
    app.db,
    [0, 1, 2, 3].map((number) => ({
      transaction_hash: bytes(scattered(number), 32),
      origin: bytes(9 - (number % 2)),
    })),
  );
});

type Value = string | number | null | object | undefined;
type Compare<Item> = (one: Item, other: Item) => number;

/** All digits count, so numbers are compared as whole ones of 10^-40. */
function units(value: Value): bigint {
  const [, sign, whole = "", fraction = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(String(value)) ?? [];
  const digits = BigInt(whole + fraction.padEnd(40, "0"));
  return sign ? -digits : digits;
}

const order = <Key extends bigint | Buffer>(one: Key, other: Key) =>
  one < other ? -1 : one > other ? 1 : 0;
const asNumbers = (one: Value, other: Value) =>
  order(units(one ?? "-999999"), units(other ?? "-999999"));
const asText = (one: Value, other: Value) =>
  Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));

const textFields = new Set(["id", "name", "symbol", "origin", "sender", "recipient"]);

/** What a page must be: the part of the whole, in order. */
function expected<Item extends object>(
  whole: readonly Item[],
  { orderBy, orderDirection, skip, limit }: Asked,
  thenBy: Compare<Item>,
): Item[] {
  const compare = textFields.has(orderBy) ? asText : asNumbers;
  const fieldOf = (item: Item) => (item as Record<string, Value>)[orderBy];
  const turn = orderDirection === "asc" ? 1 : -1;
  const sorted = [...whole].sort(
    (one, other) => turn * compare(fieldOf(one), fieldOf(other)) || thenBy(one, other),
  );
  return sorted.slice(skip, skip + limit);
}

type Asked = { orderBy: string; orderDirection: "asc" | "desc"; skip: number; limit: number };

async function holdsForAnyPage<Item extends object>(
  fields: readonly string[],
  list: (options: object) => Promise<Item[]>,
  thenBy: Compare<Item>,
): Promise<void> {
  const whole = await list({ limit: 10_000 });
  expect(whole).toHaveLength(count);
  const page = fc.record({
    orderBy: fc.constantFrom(...fields),
    orderDirection: fc.constantFrom<("asc" | "desc")[]>("asc", "desc"),
    skip: fc.nat(count + 2),
    limit: fc.integer({ min: 1, max: count + 2 }),
  });
  await fc.assert(
    fc.asyncProperty(page, async (asked) => {
      expect(await list(asked)).toEqual(expected(whole, asked, thenBy));
    }),
    { numRuns: 150 },
  );
}

describe("any page of a list is that part of the whole, in any order", () => {
  const dex = () => app.as("master").dex;
  const place = ["uniswap-v3", "ethereum"] as const;
  const byId = (one: { id: string }, other: { id: string }) => asText(one.id, other.id);

  test("tokens; equal ones by their id", () =>
    holdsForAnyPage<DexToken>(tokenFields, (options) => dex().tokens(...place, options), byId));

  test("pools; equal ones by their id", () =>
    holdsForAnyPage<DexPool>(poolFields, (options) => dex().pools(...place, options), byId));

  test("bars; equal ones by their time", () =>
    holdsForAnyPage<PoolBar>(
      barFields.filter((field) => field !== "id"),
      async (options) =>
        (await dex().bars(...place, hex(scattered(0)), { timeframe: "hour", ...options }))
          .poolAggregates,
      (one, other) => one.timestamp - other.timestamp,
    ));

  test("trades; equal ones by their id", () =>
    holdsForAnyPage<PoolSwap>(
      tradeFields.filter((field) => !["amount", "owner"].includes(field)),
      async (options) => (await dex().trades(...place, hex(scattered(0)), options)).swaps ?? [],
      byId,
    ));

  test("trades that nobody asked an order for are in that of the chain, or the other way round", async () => {
    const list = async (options: object) =>
      (await dex().trades(...place, hex(scattered(0)), options)).swaps ?? [];
    const newestFirst = await list({});
    const sorted = [...newestFirst].sort(
      (one, other) =>
        asNumbers(other.timestamp, one.timestamp) || asNumbers(other.logIndex, one.logIndex),
    );
    expect(newestFirst).toEqual(sorted);
    expect(await list({ orderDirection: "asc" })).toEqual(newestFirst.reverse());
  });
});
