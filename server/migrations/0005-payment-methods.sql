create table wallets (
  id          text primary key check (id ~ '^wal-[0-9]+$'),
  user_id     text not null references users,
  blockchain  text not null,
  -- As it is shown; EVM addresses with their checksum.
  address     text not null,
  -- In which two ways of writing the same address are equal.
  address_key text not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  deleted_at  timestamptz
);
create unique index wallets_once on wallets (user_id, blockchain, address_key) where deleted_at is null;
create index wallets_by_user on wallets (user_id, created_at desc, id) where deleted_at is null;

create table bank_accounts (
  id                   text primary key check (id ~ '^bac-[0-9]+$'),
  user_id              text not null references users,
  routing_number       text not null check (routing_number ~ '^[0-9]{9}$'),
  account_number_last4 text not null,
  account_type         text not null check (account_type in ('checking', 'savings')),
  -- Account number and billing details as JSON, sealed for this row and owner.
  sealed               bytea not null,
  -- HMAC of routing and account number: finds the same account again without opening it.
  digest               bytea not null,
  bank_name            text not null,
  bank_address         jsonb not null,
  -- When name and address were last taken from a directory.
  bank_updated_at      timestamptz not null,
  fiat_currency        text not null default 'USD',
  -- A return said that it must not be used: R03 and the like.
  stopped_code         text,
  stopped_at           timestamptz,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  deleted_at           timestamptz
);
create unique index bank_accounts_once on bank_accounts (user_id, digest) where deleted_at is null;
create index bank_accounts_by_user on bank_accounts (user_id, created_at desc, id) where deleted_at is null;

-- Banks by routing number, from the operator's FedACH and Fedwire files.
create table routing_directory (
  kind           text not null check (kind in ('ach', 'wire')),
  routing_number text not null check (routing_number ~ '^[0-9]{9}$'),
  name           text not null,
  street         text not null,
  city           text not null,
  state          text not null,
  postal_code    text not null,
  -- FedACH record type 2: use this one instead.
  replaced_by    text,
  is_eligible    boolean not null,
  primary key (kind, routing_number)
);
create table routing_imports (
  kind         text primary key check (kind in ('ach', 'wire')),
  published_on date not null,
  imported_at  timestamptz not null,
  row_count    integer not null
);

alter table wallets enable row level security;
create policy wallets_of_customer on wallets to slipway_customer
  using (user_id = current_setting('app.user_id')) with check (user_id = current_setting('app.user_id'));
grant select, insert, update on wallets to slipway_customer;
alter table bank_accounts enable row level security;
create policy bank_accounts_of_customer on bank_accounts to slipway_customer
  using (user_id = current_setting('app.user_id')) with check (user_id = current_setting('app.user_id'));
grant select, insert, update on bank_accounts to slipway_customer;
grant select on routing_directory, routing_imports to slipway_customer;
