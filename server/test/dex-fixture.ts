import type { Config } from "../src/config.ts";
import type { CopyValue } from "../src/database/copy.ts";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import type { Deployment } from "../src/dex/deployment.ts";

type Row = Record<string, CopyValue>;

/** Bytes of a length, all alike: addresses and hashes that are easy to tell apart. */
export function bytes(value: number, length = 20): Buffer {
  return Buffer.alloc(length, value);
}

/** The same as answers write it. */
export function hex(value: number, length = 20): `0x${string}` {
  return `0x${bytes(value, length).toString("hex")}`;
}

/** Two blockchains: one that is indexed, and one of which nothing has been seen. */
export const dexChains: Config["chains"] = [
  configured("ethereum", "Ethereum", ["uniswap-v3", "pancakeswap-v3"]),
  configured("base", "Base", ["uniswap-v3"]),
];

function configured(
  id: string,
  name: string,
  exchanges: Deployment["exchange"][],
): Config["chains"][number] {
  const chain = { id, name, chainId: 1, rpcUrls: [], finalityBlocks: 64, agreeing: 1 };
  const deployments = exchanges.map((exchange) => ({
    exchange,
    blockchain: id,
    factory: hex(1),
    startBlock: 0,
    wrappedNative: hex(2),
    stablePool: hex(3),
    stablecoins: [],
    whitelist: [],
    minimumNativeLocked: "1",
    pools: "all" as const,
    skipPools: [],
    tokenOverrides: [],
    preexistingPools: [],
  }));
  return { chain: { ...chain, totalDifficulty: "0" }, deployments, blocks: 100 };
}

const firstBlockTime = 1_750_000_000;

/** Blocks come every twelve seconds. */
export function timeOf(block: number): number {
  return firstBlockTime + 12 * block;
}

/** Says that an exchange has been indexed up to a block. Returns the deployment's number. */
export async function insertDeployment(
  db: Database,
  { exchange = "uniswap-v3", blockchain = "ethereum", block = 1_000 } = {},
): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    insert into dex_deployments (exchange, blockchain, definition, block, block_hash, block_time)
    values (${exchange}, ${blockchain}, '{}', ${block}, ${bytes(9, 32)}, ${timeOf(block)})
    returning id`);
  return row?.id ?? 0;
}

export const insertTokens = insert("dex_tokens", {
  name: "Token",
  symbol: "TKN",
  decimals: 18,
  pool_count: 1,
  ...numbers("volume volume_usd untracked_volume_usd fees_usd tx_count total_value_locked"),
  ...numbers("total_value_locked_usd total_value_locked_usd_untracked derived_eth"),
});

export const insertVersions = insert("dex_token_versions", {
  pool_count: 1,
  ...numbers("volume volume_usd untracked_volume_usd fees_usd tx_count total_value_locked"),
  ...numbers("total_value_locked_usd total_value_locked_usd_untracked derived_eth"),
});

export const insertSupplies = insert("token_supplies", { blockchain: "ethereum" });

export const insertPools = insert("dex_pools", {
  fee: 3_000,
  tick_spacing: 60,
  tick: null,
  is_tolerated: false,
  ...numbers("created_block created_time sqrt_price liquidity fee_growth0 fee_growth1"),
  ...numbers("fee_protocol0 fee_protocol1 protocol_owed0 protocol_owed1 token0_price token1_price"),
  ...numbers("total_value_locked0 total_value_locked1 total_value_locked_eth"),
  ...numbers("total_value_locked_usd volume0 volume1 volume_usd untracked_volume_usd fees_usd"),
  ...numbers("tx_count"),
});

export const insertBars = insert("dex_bars", {
  seconds: 3_600,
  tick: 0,
  ...numbers("open high low close volume0 volume1 volume_usd fees_usd tx_count liquidity"),
  ...numbers("sqrt_price token0_price token1_price tvl_usd fee_growth0 fee_growth1"),
});

const insertTradeRows = insert("dex_trades", {
  log_index: 0,
  sender: null,
  owner: null,
  recipient: null,
  amount: null,
  sqrt_price: null,
  ...numbers("amount0 amount1 amount_usd"),
});

export const insertOrigins = insert("dex_origins", {});

/** Trades of the kind that each names, with what that kind has. */
export function insertTrades(db: Database, rows: readonly (Row & { block: number })[]) {
  const own: Record<string, Row> = {
    swap: {
      sender: bytes(0x51),
      recipient: bytes(0x52),
      sqrt_price: "79228162514264337593543950336",
    },
    mint: { sender: bytes(0x51), owner: bytes(0x53), amount: "5000" },
    burn: { owner: bytes(0x53), amount: "5000" },
  };
  return insertTradeRows(
    db,
    rows.map((row) => ({ time: timeOf(row.block), ...own[String(row.kind)], ...row })),
  );
}

/** Writes rows into a table; what a row leaves out is as usual. */
function insert(table: string, usual: Row) {
  return async (db: Database, rows: readonly Row[]): Promise<void> => {
    const all = rows.map((row) => ({ ...usual, ...row }) as Row);
    const columns = [...new Set(all.flatMap((row) => Object.keys(row)))];
    await db.transact((tx) =>
      tx.copy({
        table,
        columns,
        rows: all.map((row) => columns.map((column) => row[column] ?? null)),
      }),
    );
  };
}

function numbers(columns: string): Row {
  return Object.fromEntries(columns.split(" ").map((column) => [column, 0]));
}
