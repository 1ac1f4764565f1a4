-- Markets of centralized exchanges whose history is kept.
create table cex_markets (
  id           integer primary key generated always as identity,
  exchange     text not null,
  market       text not null,
  -- Every trade from this moment on is stored, in Unix milliseconds, but for those in cex_gaps. Null: none is.
  trades_since bigint,
  -- Candles that start from this moment on are folded from all their trades. Old trades may be forgotten since.
  folded_since bigint,
  unique (exchange, market)
);

-- Trades, in one partition for each month in UTC, such as cex_trades_2026_11, made when its first trade comes.
-- Forgetting a month is dropping a table.
create table cex_trades (
  market integer not null,
  -- Unix milliseconds.
  time   bigint not null,
  -- The id as a number where it is one, else 0: what puts the trades of one millisecond in order.
  place  bigint not null,
  id     text collate "C" not null,
  price  numeric not null,
  size   numeric not null,
  -- What the one did who took the order; otherwise it was a sale.
  is_buy boolean not null,
  -- The only index: pages are read along it, and it keeps each trade from being stored twice.
  primary key (market, time, place, id)
) partition by range (time);

-- Spans of time whose trades nobody could get.
create table cex_gaps (
  market      integer not null references cex_markets on delete cascade,
  -- The last trade before and the first after, in Unix milliseconds.
  from_time   bigint not null,
  to_time     bigint not null,
  reason      text not null,
  noted_at    timestamptz not null,
  -- The exchange may still have its trades: it is being asked for them.
  is_open     boolean not null,
  -- Candles of this time have been fetched from the exchange, because ours lack trades.
  has_candles boolean not null default false,
  primary key (market, from_time, to_time)
);

-- What happened to the price in spans of time; spans without trades have no row.
create table cex_candles (
  market  integer not null references cex_markets on delete cascade,
  seconds integer not null,
  -- When it starts, in Unix milliseconds.
  time    bigint not null,
  open    numeric not null,
  high    numeric not null,
  low     numeric not null,
  close   numeric not null,
  volume  numeric not null,
  -- Null when only the exchange could tell.
  trades  integer,
  -- Trades up to this moment are in it because the exchange says so; later ones we added. Null: all are ours.
  exchange_until bigint,
  -- The trades that gave open and close, where they are ours: an earlier or a later one takes their place.
  first_time  bigint,
  first_place bigint,
  first_id    text collate "C",
  last_time   bigint,
  last_place  bigint,
  last_id     text collate "C",
  primary key (market, seconds, time)
-- Running candles change all the time; room beside them keeps the index out of it.
) with (fillfactor = 80);

-- Candles that the exchange gave while they were still growing: they are fetched again.
create index cex_candles_unfinished on cex_candles (market) where exchange_until < time + seconds * 1000 - 1;

-- How far back candles have been asked for, so that nobody asks again for what the exchange does not have.
create table cex_candle_reach (
  market  integer not null references cex_markets on delete cascade,
  seconds integer not null,
  -- Unix milliseconds.
  since   bigint not null,
  primary key (market, seconds)
);

-- The last list of markets that an exchange gave: the service also starts while the exchange is down.
create table cex_listings (
  exchange text primary key,
  markets  jsonb not null,
  -- When it was given, in Unix milliseconds.
  at       bigint not null
);

-- Who feeds an exchange, and until when others leave it to them.
create table cex_feeders (
  exchange text primary key,
  holder   text not null,
  until    timestamptz not null
);
