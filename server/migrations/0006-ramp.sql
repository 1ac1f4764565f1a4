create table ramp_transactions (
  id                   text primary key check (id ~ '^txn-[0-9]+$'),
  user_id              text not null references users,
  type                 text not null check (type in ('ON_RAMP', 'OFF_RAMP')),
  settlement_method    text not null check (settlement_method in ('ACH', 'WIRE')),
  state                text not null,
  -- How many steps it has taken; ramp_steps holds them all.
  version              integer not null,
  is_open              boolean not null,
  source_order_id      text not null unique,
  destination_order_id text not null unique,
  wallet_id            text not null references wallets,
  bank_account_id      text not null references bank_accounts,
  blockchain           text not null,
  currency             text not null,
  -- What a wire must say, and where a deposit must go to.
  reference            text unique,
  deposit_address      text,
  reason               text,
  -- The whole transaction as the state machine knows it; the columns are taken from it for those who search.
  ramp                 jsonb not null,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  flagged_at           timestamptz,
  completed_at         timestamptz,
  due_at               timestamptz,
  -- Until when it is left to whoever is at it and asks somebody outside: it stays due meanwhile.
  leased_until         timestamptz,
  check (type = 'OFF_RAMP' or settlement_method = 'WIRE'),
  check ((type = 'ON_RAMP') = (reference is not null)),
  check ((type = 'OFF_RAMP') = (deposit_address is not null))
);
create index ramp_transactions_by_user on ramp_transactions (user_id, created_at desc, id desc);
create index ramp_transactions_newest on ramp_transactions (created_at desc, id desc);
create index ramp_transactions_in_state on ramp_transactions (state, updated_at, id);
create index ramp_transactions_due on ramp_transactions (due_at) where due_at is not null;
-- Without regard to case: chains that write an address in two ways mean the same one.
create unique index ramp_transactions_deposit_address on ramp_transactions (blockchain, lower(deposit_address));
-- Whether a payment method may be deleted.
create index ramp_transactions_open_wallet on ramp_transactions (wallet_id) where is_open;
create index ramp_transactions_open_bank_account on ramp_transactions (bank_account_id) where is_open;

-- What happened, in order. Applying the steps of a transaction one after the other gives its row.
create table ramp_steps (
  transaction_id text not null references ramp_transactions,
  version        integer not null,
  kind           text not null,
  data           jsonb not null,
  -- The state it led to.
  state          text not null,
  at             timestamptz not null,
  primary key (transaction_id, version)
);
create trigger ramp_steps_append_only before update or delete or truncate on ramp_steps
  for each statement execute function deny_change();

-- The books. An amount is positive when it is credited and negative when it is debited, so that what belongs to
-- customers is positive, what is ours is negative, and everything together is zero.
create table ledger_accounts (
  name       text primary key,
  asset      text not null,
  -- Guarded: the customer's money inside a transaction, of which nobody can take more than there is.
  is_guarded boolean not null,
  balance    numeric(78, 0) not null default 0,
  check (not is_guarded or balance >= 0)
);
create table journals (
  id             bigint generated always as identity primary key,
  -- Names the fact that was booked: a fact is booked once.
  fact           text not null unique,
  kind           text not null,
  transaction_id text references ramp_transactions,
  at             timestamptz not null
);
create index journals_by_transaction on journals (transaction_id, id) where transaction_id is not null;
create table entries (
  journal_id bigint not null references journals,
  account    text not null references ledger_accounts,
  amount     numeric(78, 0) not null check (amount <> 0),
  primary key (journal_id, account)
);
create index entries_by_account on entries (account, journal_id);

-- Books what is written: no statement can leave a journal that does not sum up to zero, or a balance that is not
-- the sum of its entries. Accounts are locked in one order, so that two bookings never wait for each other in a ring.
create function book_entries() returns trigger language plpgsql as $$
declare
  crooked record;
begin
  select new_entries.journal_id, accounts.asset into crooked
    from new_entries join ledger_accounts accounts on accounts.name = new_entries.account
    group by new_entries.journal_id, accounts.asset
    having sum(new_entries.amount) <> 0
    limit 1;
  if found then
    raise exception 'Journal % does not balance in %', crooked.journal_id, crooked.asset;
  end if;
  perform from ledger_accounts
    where name in (select account from new_entries) order by name for no key update;
  update ledger_accounts set balance = balance + booked.amount
    from (select account, sum(amount) as amount from new_entries group by account) as booked
    where ledger_accounts.name = booked.account;
  return null;
end $$;
create trigger entries_are_booked after insert on entries
  referencing new table as new_entries for each statement execute function book_entries();
create trigger journals_append_only before update or delete or truncate on journals
  for each statement execute function deny_change();
create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function deny_change();

-- Wires that came in, each once.
create table incoming_wires (
  id             text primary key check (id ~ '^wir-[0-9]+$'),
  source         text not null,
  bank_reference text not null,
  cents          numeric(78, 0) not null check (cents > 0),
  -- Sender's name, account and the wire's texts as JSON, sealed.
  sealed         bytea not null,
  state          text not null check (state in ('matched', 'suspense', 'returning', 'returned')),
  -- Why it lies in suspense.
  reason         text,
  transaction_id text references ramp_transactions,
  received_at    timestamptz not null,
  updated_at     timestamptz not null,
  -- When it goes back if nobody claims it.
  due_at         timestamptz,
  leased_until   timestamptz,
  unique (source, bank_reference)
);
create index incoming_wires_due on incoming_wires (due_at) where due_at is not null;
create index incoming_wires_oldest on incoming_wires (received_at, id);
create index incoming_wires_in_state on incoming_wires (state, received_at, id);
create index incoming_wires_by_transaction on incoming_wires (transaction_id) where transaction_id is not null;

-- Transfers to our deposit addresses, each once.
create table deposits (
  id               text primary key check (id ~ '^dep-[0-9]+$'),
  blockchain       text not null,
  transaction_hash text not null,
  log_index        integer not null,
  address          text not null,
  from_address     text not null,
  currency         text not null,
  units            numeric(78, 0) not null check (units > 0),
  state            text not null check (state in ('seen', 'final', 'gone')),
  -- Whether it counts for its transaction, or lies in suspense, or has been sent back.
  use              text not null check (use in ('credited', 'suspense', 'returning', 'returned')),
  reason           text,
  transaction_id   text not null references ramp_transactions,
  block_time       timestamptz not null,
  -- The time of the newest news of it: older news that come later say nothing.
  told_at          timestamptz not null,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  -- When it goes back if nobody decides otherwise.
  due_at           timestamptz,
  leased_until     timestamptz,
  unique (blockchain, transaction_hash, log_index)
);
create index deposits_by_transaction on deposits (transaction_id);
create index deposits_due on deposits (due_at) where due_at is not null;
create index deposits_oldest on deposits (created_at, id);
create index deposits_by_use on deposits (use, created_at, id) where use <> 'credited';

-- Money that goes out: to a customer, or back to where it came from.
create table payouts (
  id             text primary key check (id ~ '^pay-[0-9]+$'),
  purpose        text not null check (purpose in ('payout', 'refund', 'wire_return', 'deposit_return')),
  transaction_id text references ramp_transactions,
  wire_id        text references incoming_wires,
  deposit_id     text references deposits,
  rail           text not null check (rail in ('ach', 'wire', 'chain')),
  asset          text not null,
  amount         numeric(78, 0) not null check (amount > 0),
  -- Queued until it is handed over; submitted from just before that until the rail confirms or refuses.
  state          text not null check (state in ('queued', 'submitted', 'settled', 'failed', 'returned', 'canceled')),
  -- Whether the rail has said that it took it.
  is_accepted    boolean not null default false,
  trace          text,
  attempts       integer not null default 0,
  send_on        date,
  -- Since when a confirmation should have been there.
  overdue_since  timestamptz,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  due_at         timestamptz,
  leased_until   timestamptz,
  check (num_nonnulls(transaction_id, wire_id, deposit_id) = 1)
);
create unique index payouts_one_live_per_transaction on payouts (transaction_id) where state in ('queued', 'submitted');
create unique index payouts_one_live_per_wire on payouts (wire_id) where state in ('queued', 'submitted', 'settled');
create unique index payouts_one_live_per_deposit on payouts (deposit_id) where state in ('queued', 'submitted', 'settled');
create index payouts_live on payouts (asset, rail) where state in ('queued', 'submitted');
create index payouts_due on payouts (due_at) where due_at is not null;
create index payouts_by_transaction on payouts (transaction_id, created_at) where transaction_id is not null;
create index payouts_newest on payouts (created_at desc, id desc);
create index payouts_by_batch on payouts (rail, send_on, id);

-- Up to where the news of each bank and chain have been taken.
create table news_cursors (
  source text primary key,
  cursor text
);
create sequence deposit_address_indexes;

create table fee_schedule (
  type       text not null check (type in ('ON_RAMP', 'OFF_RAMP')),
  method     text not null check (method in ('ACH', 'WIRE')),
  valid_from timestamptz not null,
  fee_cents  numeric(78, 0) not null check (fee_cents >= 0),
  primary key (type, method, valid_from)
);
insert into fee_schedule values
  ('OFF_RAMP', 'WIRE', '2020-01-01Z', 2500),
  ('OFF_RAMP', 'ACH', '2020-01-01Z', 0),
  ('ON_RAMP', 'WIRE', '2020-01-01Z', 0);

-- Days on which a rail is open or closed against its rule.
create table calendar_overrides (
  calendar text not null check (calendar in ('FEDACH', 'FEDWIRE', 'PARTNER_BANK')),
  day      date not null,
  is_open  boolean not null,
  note     text not null,
  primary key (calendar, day)
);

create table quotes (
  id             text primary key check (id ~ '^quo-[0-9]+$'),
  user_id        text not null references users,
  quote          jsonb not null,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  transaction_id text references ramp_transactions,
  due_at         timestamptz
);
create index quotes_due on quotes (due_at) where due_at is not null;

alter table ramp_transactions enable row level security;
create policy ramp_transactions_of_customer on ramp_transactions to slipway_customer
  using (user_id = current_setting('app.user_id'));
grant select on ramp_transactions to slipway_customer;
-- Steps and postings are seen through the transaction they belong to. It is asked for by its id: with EXISTS the
-- server may gather all transactions of the account first, however many there are.
alter table ramp_steps enable row level security;
create policy ramp_steps_of_customer on ramp_steps for select to slipway_customer
  using ((select user_id from ramp_transactions where id = transaction_id) = current_setting('app.user_id'));
grant select on ramp_steps to slipway_customer;
alter table journals enable row level security;
create policy journals_of_customer on journals for select to slipway_customer
  using ((select user_id from ramp_transactions where id = transaction_id) = current_setting('app.user_id'));
grant select on journals to slipway_customer;
alter table entries enable row level security;
create policy entries_of_customer on entries for select to slipway_customer
  using ((select transaction_id from journals where id = journal_id) is not null);
grant select on entries to slipway_customer;
alter table quotes enable row level security;
create policy quotes_of_customer on quotes to slipway_customer
  using (user_id = current_setting('app.user_id')) with check (user_id = current_setting('app.user_id'));
grant select, insert on quotes to slipway_customer;
grant select on fee_schedule, calendar_overrides to slipway_customer;
grant select (name, asset) on ledger_accounts to slipway_customer;
