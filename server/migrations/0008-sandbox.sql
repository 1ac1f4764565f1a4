-- How far the sandbox's ramp is ahead of the real time, and up to when somebody wished it to be.
create table sandbox_clock (
  only_row   boolean primary key default true check (only_row),
  advance_ms bigint not null,
  wished_at  timestamptz not null
);
insert into sandbox_clock (advance_ms, wished_at) values (0, '2020-01-01Z');

-- The sandbox's bank and chain. To the ramp they are the world outside: nothing here is written together with its tables.
create table sandbox_payments (
  reference  text primary key,
  -- Of which the trace number is made.
  number     bigint generated always as identity,
  rail       text not null check (rail in ('ach', 'wire', 'chain')),
  -- `bank:main:USD` or `hot:USDC.ethereum`: which of our accounts outside it is taken from.
  account    text not null,
  amount     numeric(78, 0) not null check (amount > 0),
  state      text not null check (state in ('refused', 'taken', 'settled', 'failed', 'returned')),
  -- Why it was refused.
  why        text,
  -- What happens to it, one after the other: settle, return after settling, fail.
  plan       jsonb not null,
  created_at timestamptz not null,
  due_at     timestamptz
);
create index sandbox_payments_due on sandbox_payments (due_at) where due_at is not null;
-- What the bank and the chains tell, in the order in which they tell it.
create table sandbox_notices (
  id     bigint generated always as identity primary key,
  source text not null,
  notice jsonb not null,
  at     timestamptz not null
);
create index sandbox_notices_by_source on sandbox_notices (source, id);
create index sandbox_notices_of_wires on sandbox_notices ((notice ->> 'bankReference'))
  where notice ->> 'kind' = 'wire_received';
create table sandbox_transfers (
  id               bigint generated always as identity primary key,
  blockchain       text not null,
  transaction_hash text not null unique,
  address          text not null,
  from_address     text not null,
  currency         text not null,
  units            numeric(78, 0) not null check (units > 0),
  block_time       timestamptz not null,
  state            text not null check (state in ('seen', 'final', 'gone')),
  due_at           timestamptz
);
create index sandbox_transfers_due on sandbox_transfers (due_at) where due_at is not null;
create index sandbox_transfers_by_address on sandbox_transfers (blockchain, address);
-- What the bank and the chains hold for us.
create table sandbox_balances (
  account text primary key,
  balance numeric(78, 0) not null
);
