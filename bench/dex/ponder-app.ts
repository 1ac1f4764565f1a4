/**
 * An application for Ponder that does as little as an exchange needs: pools, tokens, swaps, hours and days. Prices are
 * floating-point numbers, dollars and the history of tokens are left out, so that it has less to do than we have.
 */
export const ponderApp: Record<string, string> = {
  "ponder.config.ts": `
import { createConfig, factory } from "ponder";
import { factoryAbi, poolAbi } from "./abis";

const endBlock = Number(process.env.BENCH_END_BLOCK);
const address = process.env.BENCH_FACTORY as \`0x\${string}\`;
const [event] = factoryAbi;

export default createConfig({
  database: { kind: "postgres", connectionString: process.env.BENCH_DATABASE },
  chains: { mainnet: { id: 1, rpc: process.env.BENCH_RPC!.split(",") } },
  contracts: {
    Factory: { chain: "mainnet", abi: factoryAbi, address, startBlock: 1, endBlock },
    Pool: {
      chain: "mainnet",
      abi: poolAbi,
      address: factory({ address, event, parameter: "pool" }),
      startBlock: 1,
      endBlock,
    },
  },
});
`,
  "abis.ts": `
import { parseAbi } from "viem";

export const factoryAbi = parseAbi([
  "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
]);
export const poolAbi = parseAbi([
  "event Initialize(uint160 sqrtPriceX96, int24 tick)",
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
]);
export const tokenAbi = parseAbi([
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
]);
`,
  "ponder.schema.ts": `
import { index, onchainTable, primaryKey } from "ponder";

export const tokens = onchainTable("tokens", (t) => ({
  address: t.hex().primaryKey(),
  name: t.text().notNull(),
  symbol: t.text().notNull(),
  decimals: t.integer().notNull(),
  volume: t.bigint().notNull(),
  totalValueLocked: t.bigint().notNull(),
  txCount: t.integer().notNull(),
}));

export const pools = onchainTable("pools", (t) => ({
  address: t.hex().primaryKey(),
  token0: t.hex().notNull(),
  token1: t.hex().notNull(),
  fee: t.integer().notNull(),
  sqrtPrice: t.bigint().notNull(),
  tick: t.integer().notNull(),
  liquidity: t.bigint().notNull(),
  price: t.doublePrecision().notNull(),
  volume0: t.bigint().notNull(),
  volume1: t.bigint().notNull(),
  totalValueLocked0: t.bigint().notNull(),
  totalValueLocked1: t.bigint().notNull(),
  txCount: t.integer().notNull(),
}));

export const swaps = onchainTable(
  "swaps",
  (t) => ({
    id: t.text().primaryKey(),
    pool: t.hex().notNull(),
    time: t.bigint().notNull(),
    transactionHash: t.hex().notNull(),
    sender: t.hex().notNull(),
    recipient: t.hex().notNull(),
    amount0: t.bigint().notNull(),
    amount1: t.bigint().notNull(),
    sqrtPrice: t.bigint().notNull(),
  }),
  (table) => ({ byPool: index().on(table.pool, table.time) }),
);

export const bars = onchainTable(
  "bars",
  (t) => ({
    pool: t.hex().notNull(),
    seconds: t.integer().notNull(),
    number: t.integer().notNull(),
    open: t.doublePrecision().notNull(),
    high: t.doublePrecision().notNull(),
    low: t.doublePrecision().notNull(),
    close: t.doublePrecision().notNull(),
    volume0: t.bigint().notNull(),
    volume1: t.bigint().notNull(),
    liquidity: t.bigint().notNull(),
    txCount: t.integer().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.pool, table.seconds, table.number] }) }),
);
`,
  "src/index.ts": `
import { ponder } from "ponder:registry";
import { bars, pools, swaps, tokens } from "ponder:schema";
import { tokenAbi } from "../abis";

const priceOf = (sqrtPrice: bigint) => (Number(sqrtPrice) / 2 ** 96) ** 2;
const size = (amount: bigint) => (amount < 0n ? -amount : amount);

ponder.on("Factory:PoolCreated", async ({ event, context }) => {
  const { token0, token1, fee, pool } = event.args;
  for (const address of [token0, token1]) {
    if (await context.db.find(tokens, { address })) continue;
    const ask = (functionName) =>
      context.client.readContract({ abi: tokenAbi, address, functionName });
    const [name, symbol, decimals] = await Promise.all(["name", "symbol", "decimals"].map(ask));
    await context.db
      .insert(tokens)
      .values({ address, name, symbol, decimals, volume: 0n, totalValueLocked: 0n, txCount: 0 });
  }
  await context.db.insert(pools).values({
    address: pool, token0, token1, fee, sqrtPrice: 0n, tick: 0, liquidity: 0n, price: 0, volume0: 0n, volume1: 0n,
    totalValueLocked0: 0n, totalValueLocked1: 0n, txCount: 0,
  });
});

ponder.on("Pool:Initialize", async ({ event, context }) => {
  const { sqrtPriceX96: sqrtPrice, tick } = event.args;
  await context.db
    .update(pools, { address: event.log.address })
    .set({ sqrtPrice, tick, price: priceOf(sqrtPrice) });
});

ponder.on("Pool:Mint", async ({ event, context }) => {
  const { amount, amount0, amount1 } = event.args;
  await context.db.update(pools, { address: event.log.address }).set((pool) => ({
    liquidity: pool.liquidity + amount,
    totalValueLocked0: pool.totalValueLocked0 + amount0,
    totalValueLocked1: pool.totalValueLocked1 + amount1,
    txCount: pool.txCount + 1,
  }));
});

ponder.on("Pool:Swap", async ({ event, context }) => {
  const { db } = context;
  const { sender, recipient, amount0, amount1, sqrtPriceX96: sqrtPrice, liquidity, tick } = event.args;
  const address = event.log.address;
  const time = event.block.timestamp;
  const price = priceOf(sqrtPrice);
  const volume0 = size(amount0);
  const volume1 = size(amount1);
  const { token0, token1 } = await db.update(pools, { address }).set((pool) => ({
    sqrtPrice,
    tick,
    liquidity,
    price,
    volume0: pool.volume0 + volume0,
    volume1: pool.volume1 + volume1,
    totalValueLocked0: pool.totalValueLocked0 + amount0,
    totalValueLocked1: pool.totalValueLocked1 + amount1,
    txCount: pool.txCount + 1,
  }));
  for (const [token, amount] of [[token0, amount0], [token1, amount1]]) {
    await db.update(tokens, { address: token }).set((row) => ({
      volume: row.volume + size(amount),
      totalValueLocked: row.totalValueLocked + amount,
      txCount: row.txCount + 1,
    }));
  }
  await db.insert(swaps).values({
    id: event.id, pool: address, time, transactionHash: event.transaction.hash, sender, recipient, amount0, amount1,
    sqrtPrice,
  });
  for (const seconds of [3600, 86400]) {
    const number = Math.floor(Number(time) / seconds);
    await db
      .insert(bars)
      .values({
        pool: address, seconds, number, open: price, high: price, low: price, close: price, volume0, volume1,
        liquidity, txCount: 1,
      })
      .onConflictDoUpdate((bar) => ({
        high: Math.max(bar.high, price),
        low: Math.min(bar.low, price),
        close: price,
        volume0: bar.volume0 + volume0,
        volume1: bar.volume1 + volume1,
        liquidity,
        txCount: bar.txCount + 1,
      }));
  }
});
`,
  "src/api/index.ts": `
import { Hono } from "hono";

export default new Hono();
`,
};
