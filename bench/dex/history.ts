import type { Database } from "../../server/src/database/database.ts";
import { sql } from "../../server/src/database/sql.ts";

const tradedPools = 10;
/** More than a page of tokens, most of which nobody trades. */
const tokens = 110;
const firstTime = 1_699_999_200;
/** Three trades an hour in each pool, so that a page of hours is full at any size. */
const secondsPerBlock = 1_200;

/** What can be asked about. */
export type History = { pools: string[]; tokens: string[]; lastBlock: number };

/**
 * Fills the tables with trades by SQL: in every block one trade in each of ten pools. More trades means a longer
 * history, as in life; what a page holds stays the same.
 */
export async function fillHistory(db: Database, trades: number): Promise<History> {
  const blocks = trades / tradedPools;
  const lastTime = firstTime + (blocks - 1) * secondsPerBlock;
  // What we write is right, and may take its time.
  await db.query(sql`set session_replication_role = replica`);
  await db.query(sql`set statement_timeout = 0`);
  await db.query(sql`
    insert into dex_deployments (exchange, blockchain, definition, block, block_hash, block_time, origins_block)
    values ('uniswap-v3', 'ethereum', '{}', ${blocks - 1}, sha256('head'), ${lastTime}, ${blocks - 1})`);
  await fillTokens(db, blocks);
  await fillPools(db);
  await fillTrades(db, trades);
  await fillBars(db, lastTime);
  await db.query(sql`vacuum analyze`);
  const pools = await addresses(db, sql`select address from dex_pools order by pool`);
  const traded = sql`select address from dex_tokens where token < ${2 * tradedPools} order by token`;
  return { pools, tokens: await addresses(db, traded), lastBlock: blocks - 1 };
}

async function addresses(db: Database, query: ReturnType<typeof sql>): Promise<string[]> {
  const rows = await db.query<{ address: Buffer }>(query);
  return rows.map(({ address }) => `0x${address.toString("hex")}`);
}

/** 34 digits that are different in every row. */
const figure = sql`1234.567890123456789012345678901234 * (n + 1)`;
const address = (text: string) => sql`substr(sha256((${text}::text || n)::bytea), 1, 20)`;

async function fillTokens(db: Database, blocks: number): Promise<void> {
  await db.query(sql`
    insert into dex_tokens
    select 1, n, ${address("token")}, 'Token ' || n, 'T' || n, 18, ${figure}, ${figure}, ${figure}, ${figure}, n, 1,
      ${figure}, ${figure}, ${figure}, ${figure}
    from generate_series(0, ${tokens - 1}) n`);
  await db.query(sql`
    insert into token_supplies select 'ethereum', address, 0, 1e27 from dex_tokens`);
  await db.query(sql`
    insert into dex_token_versions
    select 1, token, n, ${figure}, ${figure}, ${figure}, ${figure}, n, 1, ${figure}, ${figure}, ${figure}, ${figure}
    from generate_series(0, ${blocks - 1}) n, generate_series(0, ${2 * tradedPools - 1}) token`);
}

async function fillPools(db: Database): Promise<void> {
  await db.query(sql`
    insert into dex_pools
    select 1, n, ${address("pool")}, n, n + ${tradedPools}, 3000, 60, 0, ${firstTime}, 2 ^ 96::numeric, 0, 1e22, 1e38, 1e38, 0, 0,
      false, 0, 0, ${figure}, ${figure}, ${figure}, ${figure}, ${figure}, ${figure}, ${figure}, ${figure}, ${figure},
      ${figure}, ${figure}, n
    from generate_series(0, ${tradedPools - 1}) n`);
}

async function fillTrades(db: Database, trades: number): Promise<void> {
  await db.query(sql`
    insert into dex_trades (deployment, block, log_index, pool, kind, time, transaction_hash, amount0, amount1,
      amount_usd, sender, owner, recipient, amount, sqrt_price)
    select 1, block, pool, pool, kind, ${firstTime} + block * ${secondsPerBlock}, sha256(int8send(n)),
      ${figure}, -${figure}, ${figure}, ${address("sender")}, case when kind <> 'swap' then ${address("owner")} end,
      case when kind = 'swap' then ${address("recipient")} end, case when kind <> 'swap' then n end,
      case when kind = 'swap' then 2 ^ 96::numeric + n end
    from generate_series(0, ${trades - 1}::bigint) n,
      lateral (select n / ${tradedPools} as block, (n % ${tradedPools})::int as pool) place,
      lateral (select case block % 10 when 8 then 'mint' when 9 then 'burn' else 'swap' end as kind) what`);
  await db.query(sql`
    insert into dex_origins select transaction_hash, substr(transaction_hash, 1, 20) from dex_trades`);
}

async function fillBars(db: Database, lastTime: number): Promise<void> {
  await db.query(sql`
    insert into dex_bars
    select 1, pool, seconds, n, ${figure}, ${figure}, ${figure}, ${figure}, ${figure}, ${figure}, ${figure}, ${figure},
      3, 1e22, 2 ^ 96::numeric, 0, ${figure}, ${figure}, ${figure}, 1e38, 1e38
    from generate_series(0, ${tradedPools - 1}) pool, unnest(array[3600, 86400]) seconds,
      lateral generate_series(${firstTime} / seconds, ${lastTime} / seconds) n`);
}
