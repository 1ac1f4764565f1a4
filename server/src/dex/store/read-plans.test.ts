import { beforeAll, describe, expect, test } from "vitest";
import {
  bytes,
  insertBars,
  insertDeployment,
  insertOrigins,
  insertPools,
  insertSupplies,
  insertTokens,
  insertTrades,
  insertVersions,
  timeOf,
} from "../../../test/dex-fixture.ts";
import { useDatabase } from "../../../test/test-database.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { listBars } from "./read-bars.ts";
import { listPools } from "./read-pools.ts";
import { findToken, listTokens } from "./read-tokens.ts";
import { listTrades } from "./read-trades.ts";

const held = useDatabase();
const place = { exchange: "uniswap-v3", blockchain: "ethereum" };
const rows = 20_000;
const tokens = 2_000;

function numbered<Row>(count: number, row: (number: number) => Row): Row[] {
  return Array.from({ length: count }, (_, number) => row(number));
}

function address(number: number): Buffer {
  return bytesOf(number, 20);
}

function bytesOf(number: number, length: number): Buffer {
  const made = bytes(7, length);
  made.writeUInt32BE(number);
  return made;
}

beforeAll(async () => {
  const { db } = held;
  const deployment = await insertDeployment(db, { block: rows });
  await insertTokens(
    db,
    numbered(tokens, (token) => {
      const [volume_usd, tx_count] = [token % 900, token % 700];
      const own = { deployment, token, address: address(token), symbol: `T${token}` };
      return {
        ...own,
        name: `N${token}`,
        volume_usd,
        tx_count,
        total_value_locked_usd: token % 800,
      };
    }),
  );
  await insertPools(
    db,
    numbered(tokens, (pool) => ({
      deployment,
      pool,
      address: address(pool),
      token0: pool,
      token1: (pool + 1) % tokens,
      total_value_locked_usd: pool % 800,
      volume_usd: pool % 900,
      tx_count: pool % 700,
    })),
  );
  const supply = (number: number) => ({
    address: address(number % tokens),
    block: number,
    supply: 1,
  });
  await insertSupplies(db, numbered(rows, supply));
  await insertVersions(
    db,
    numbered(rows, (block) => ({ deployment, token: block % 50, block })),
  );
  await insertBars(
    db,
    numbered(rows, (number) => ({ deployment, pool: number % 5, number })),
  );
  await insertTrades(
    db,
    numbered(rows, (block) => ({
      deployment,
      pool: block % 3,
      block,
      kind: ["swap", "swap", "mint", "burn"][block % 4] ?? "",
      transaction_hash: bytesOf(block, 32),
    })),
  );
  await insertOrigins(
    db,
    numbered(rows, (block) => ({ transaction_hash: bytesOf(block, 32), origin: bytes(1) })),
  );
  await db.query(sql`analyze`);
});

/** How the database would answer what `ask` asks. */
async function planOf(ask: (db: Queryable) => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  await ask({
    async query(statement) {
      const plan = await held.db.query<{ "QUERY PLAN": string }>({
        ...statement,
        text: `explain ${statement.text}`,
      });
      lines.push(...plan.map((line) => line["QUERY PLAN"]));
      return [];
    },
  });
  return lines.join("\n");
}

const page = <Field extends string>(orderBy: Field, direction: "asc" | "desc" = "desc") => ({
  orderBy,
  direction,
  limit: 100,
  skip: 0,
});
const always = { from: undefined, to: undefined };
const kinds = ["burn", "mint", "swap"] as const;
const pool = address(1);
/** The one table that is always small. */
const scan = /Seq Scan on (?!dex_deployments)/;

/** Putting everything in order. An incremental sort only orders what happened at the same time. */
const sort = /(?<!Incremental )Sort {2}\(/;

describe("the database looks up what is asked for, instead of looking through everything", () => {
  test.each([
    ["volumeUSD", "dex_tokens_by_volume_usd"],
    ["totalValueLockedUSD", "dex_tokens_by_tvl_usd"],
    ["txCount", "dex_tokens_by_tx_count"],
  ] as const)("tokens by %s", async (orderBy, index) => {
    for (const direction of ["asc", "desc"] as const) {
      const plan = await planOf((db) => listTokens(db, place, {}, page(orderBy, direction)));
      expect(plan).toContain(index);
      expect(plan).not.toMatch(scan);
    }
  });

  test.each([
    ["symbol", { symbol: "T5" }, "dex_tokens_by_symbol"],
    ["name", { name: "N5" }, "dex_tokens_by_name"],
    ["address", { address: address(5) }, "dex_tokens_deployment_address_key"],
  ])("tokens with a certain %s", async (_, filter, index) => {
    const plan = await planOf((db) => listTokens(db, place, filter, page("volumeUSD")));
    expect(plan).toContain(index);
    expect(plan).not.toMatch(scan);
  });

  test.each([undefined, 10_000])("a token as of block %s", async (block) => {
    const plan = await planOf((db) => findToken(db, place, address(5), block));
    expect(plan).toContain("token_supplies_pkey");
    if (block) expect(plan).toContain("dex_token_versions_pkey");
    expect(plan).not.toMatch(scan);
  });

  test("pools", async () => {
    const plan = await planOf((db) => listPools(db, place, {}, page("tvlUSD")));
    expect(plan).toContain("dex_pools_by_tvl_usd");
    expect(plan).not.toMatch(scan);
  });

  test.each([
    ["all", always],
    ["a window", { from: 3_600 * 4_000, to: 3_600 * 4_500 }],
  ])("bars: %s", async (_, window) => {
    const query = { pool, timeframe: "hour", window, page: page("timestamp") } as const;
    const plan = await planOf((db) => listBars(db, place, query));
    expect(plan).toContain("dex_bars_pkey");
    expect(plan).not.toMatch(scan);
    expect(plan).not.toContain("Sort");
  });

  test.each([
    ["newest first", page("chain"), always, undefined],
    ["oldest first", page("chain", "asc"), always, undefined],
    ["by time", page("timestamp"), always, undefined],
    ["a window", page("chain"), { from: timeOf(5_000), to: timeOf(6_000) }, undefined],
    ["as of a block", page("chain"), always, 10_000],
  ] as const)("trades: %s", async (_, page, window, block) => {
    const query = { pool, kinds, window, block, page };
    const plan = await planOf((db) => listTrades(db, place, query));
    expect(plan).toContain("dex_trades_by_pool");
    if (block) expect(plan).toMatch(/Index Cond: .*"time" <= (\(InitPlan|\$)/);
    expect(plan).not.toMatch(scan);
    expect(plan).not.toMatch(sort);
  });
});
