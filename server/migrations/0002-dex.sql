-- Blocks of each blockchain, as far as they have been followed.
create table blocks (
  blockchain       text not null,
  number           bigint not null,
  hash             bytea not null,
  parent_hash      bytea not null,
  -- Unix seconds.
  time             bigint not null,
  size             bigint not null,
  gas_limit        numeric not null,
  gas_used         numeric not null,
  total_difficulty numeric not null,
  author           bytea not null,
  primary key (blockchain, number)
);

-- Time grows with the number, so that windows of time are found without a scan.
create index blocks_by_time on blocks (blockchain, time, number);

-- An exchange on a blockchain, and how far it has been indexed.
create table dex_deployments (
  id         smallint primary key generated always as identity,
  exchange   text not null,
  blockchain text not null,
  -- What the tables below were derived with; another definition means deriving them anew.
  definition jsonb not null,
  -- Counts every write: whoever has read the tables may write only if nobody has written since.
  version    bigint not null default 0,
  -- Everything up to and including this block is in the tables below. Null: nothing yet.
  block      bigint,
  block_hash bytea,
  block_time bigint,
  -- As far as logs are stored: the same block, except while the tables are being derived anew.
  covered_block bigint,
  covered_hash  bytea,
  covered_time  bigint,
  -- Every trade up to this block has its origin in dex_origins.
  origins_block bigint,
  unique (exchange, blockchain)
);

-- Logs as the chain gave them, packed; with them everything below can be derived again without a node.
-- A row covers all blocks from `from_block` to `to_block`; covered blocks after the last row have no logs.
create table dex_raw_logs (
  deployment smallint not null references dex_deployments on delete cascade,
  from_block bigint not null,
  to_block   bigint not null,
  to_hash    bytea not null,
  to_time    bigint not null,
  count      integer not null,
  logs       bytea not null,
  primary key (deployment, from_block)
);
-- The bytes are compressed already.
alter table dex_raw_logs alter column logs set storage external;

-- Hashes of the blocks that may still be replaced.
create table dex_block_hashes (
  deployment smallint not null references dex_deployments on delete cascade,
  block      bigint not null,
  hash       bytea not null,
  primary key (deployment, block)
);

-- Who sent a transaction. True forever, whatever becomes of the block it was in.
create table dex_origins (
  transaction_hash bytea primary key,
  origin           bytea not null
);

-- What a token's contract said about itself when we first met it.
create table token_metadata (
  blockchain text not null,
  address    bytea not null,
  name       text not null,
  symbol     text not null,
  -- Null: the contract does not say, and pools with it are not indexed.
  decimals   smallint,
  primary key (blockchain, address)
);

-- The total supply in the token's smallest unit, as observed at a block.
create table token_supplies (
  blockchain text not null,
  address    bytea not null,
  block      bigint not null,
  supply     numeric not null,
  primary key (blockchain, address, block)
);

-- Tokens and pools are numbered in the order in which the chain created them.
create table dex_tokens (
  deployment                      smallint not null references dex_deployments on delete cascade,
  token                           integer not null,
  address                         bytea not null,
  name                            text not null,
  symbol                          text not null,
  decimals                        smallint not null,
  volume                          numeric not null,
  volume_usd                      numeric not null,
  untracked_volume_usd            numeric not null,
  fees_usd                        numeric not null,
  tx_count                        bigint not null,
  pool_count                      integer not null,
  total_value_locked              numeric not null,
  total_value_locked_usd          numeric not null,
  total_value_locked_usd_untracked numeric not null,
  derived_eth                     numeric not null,
  primary key (deployment, token),
  unique (deployment, address)
);

-- The orders people ask for.
create index dex_tokens_by_volume_usd on dex_tokens (deployment, volume_usd, address);
create index dex_tokens_by_tvl_usd on dex_tokens (deployment, total_value_locked_usd, address);
create index dex_tokens_by_tx_count on dex_tokens (deployment, tx_count, address);
-- The exact-match filters.
create index dex_tokens_by_symbol on dex_tokens (deployment, symbol);
create index dex_tokens_by_name on dex_tokens (deployment, name);

-- A token after each block that changed it: "as of block B" is the last row at or before B.
create table dex_token_versions (
  deployment                      smallint not null references dex_deployments on delete cascade,
  token                           integer not null,
  block                           bigint not null,
  volume                          numeric not null,
  volume_usd                      numeric not null,
  untracked_volume_usd            numeric not null,
  fees_usd                        numeric not null,
  tx_count                        bigint not null,
  pool_count                      integer not null,
  total_value_locked              numeric not null,
  total_value_locked_usd          numeric not null,
  total_value_locked_usd_untracked numeric not null,
  derived_eth                     numeric not null,
  primary key (deployment, token, block)
);

create table dex_pools (
  deployment           smallint not null references dex_deployments on delete cascade,
  pool                 integer not null,
  address              bytea not null,
  token0               integer not null,
  token1               integer not null,
  fee                  integer not null,
  tick_spacing         integer not null,
  created_block        bigint not null,
  created_time         bigint not null,
  sqrt_price           numeric not null,
  -- Null before the pool is initialised.
  tick                 integer,
  liquidity            numeric not null,
  fee_growth0          numeric not null,
  fee_growth1          numeric not null,
  fee_protocol0        integer not null,
  fee_protocol1        integer not null,
  -- Its swaps do not follow from its logs, so its fee growth is not exact.
  is_tolerated         boolean not null default false,
  -- Protocol fees that the pool holds for its owner, in the tokens' smallest units.
  protocol_owed0       numeric not null,
  protocol_owed1       numeric not null,
  token0_price         numeric not null,
  token1_price         numeric not null,
  total_value_locked0  numeric not null,
  total_value_locked1  numeric not null,
  total_value_locked_eth numeric not null,
  total_value_locked_usd numeric not null,
  volume0              numeric not null,
  volume1              numeric not null,
  volume_usd           numeric not null,
  untracked_volume_usd numeric not null,
  fees_usd             numeric not null,
  tx_count             bigint not null,
  primary key (deployment, pool),
  unique (deployment, address)
);

create index dex_pools_by_volume_usd on dex_pools (deployment, volume_usd, address);
create index dex_pools_by_tvl_usd on dex_pools (deployment, total_value_locked_usd, address);
create index dex_pools_by_tx_count on dex_pools (deployment, tx_count, address);

-- Ticks that hold liquidity: what the fee growth of a swap is computed from.
create table dex_ticks (
  deployment      smallint not null references dex_deployments on delete cascade,
  pool            integer not null,
  tick            integer not null,
  liquidity_gross numeric not null,
  liquidity_net   numeric not null,
  primary key (deployment, pool, tick)
);

create table dex_bars (
  deployment   smallint not null references dex_deployments on delete cascade,
  pool         integer not null,
  -- 3600 or 86400.
  seconds      integer not null,
  -- The bar starts at number × seconds.
  number       integer not null,
  open         numeric not null,
  high         numeric not null,
  low          numeric not null,
  close        numeric not null,
  volume0      numeric not null,
  volume1      numeric not null,
  volume_usd   numeric not null,
  fees_usd     numeric not null,
  tx_count     bigint not null,
  liquidity    numeric not null,
  sqrt_price   numeric not null,
  tick         integer,
  token0_price numeric not null,
  token1_price numeric not null,
  tvl_usd      numeric not null,
  fee_growth0  numeric not null,
  fee_growth1  numeric not null,
  primary key (deployment, pool, seconds, number)
);

create table dex_trades (
  deployment       smallint not null references dex_deployments on delete cascade,
  block            bigint not null,
  -- Position of the log in its block.
  log_index        integer not null,
  pool             integer not null,
  kind             text not null check (kind in ('swap', 'mint', 'burn')),
  -- Unix seconds.
  time             bigint not null,
  transaction_hash bytea not null,
  amount0          numeric not null,
  amount1          numeric not null,
  amount_usd       numeric not null,
  -- Mints and swaps have a sender, mints and burns an owner and an amount of liquidity, swaps the rest.
  sender           bytea,
  owner            bytea,
  recipient        bytea,
  amount           numeric,
  sqrt_price       numeric,
  primary key (deployment, block, log_index)
);

-- A pool's trades of one kind in the order of the chain, within a window of time.
create index dex_trades_by_pool on dex_trades (deployment, pool, kind, time, block, log_index);

-- Rows as they were before a block that may still be replaced; no image: the row did not exist.
create table dex_undo (
  deployment smallint not null references dex_deployments on delete cascade,
  block      bigint not null,
  name       text not null,
  key        integer[] not null,
  image      jsonb,
  primary key (deployment, name, key, block)
);
create index dex_undo_by_block on dex_undo (deployment, block);
