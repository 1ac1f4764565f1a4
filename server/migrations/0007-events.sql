-- What customers get to hear, each account's numbered without gaps. A subaccount's events are in its own list and in
-- its master's.
create table event_counters (
  user_id       text primary key references users,
  last_sequence bigint not null
);
create table ramp_events (
  user_id        text not null references users,
  sequence       bigint not null,
  id             text not null,
  type           text not null,
  -- Whose it is: the account itself or one of its subaccounts.
  about_user_id  text not null references users,
  transaction_id text references ramp_transactions,
  -- The event as it is sent, byte for byte.
  payload        text not null,
  created_at     timestamptz not null,
  primary key (user_id, sequence)
);
create index ramp_events_by_transaction on ramp_events (transaction_id, sequence) where transaction_id is not null;
create unique index ramp_events_by_id on ramp_events (user_id, id);

create table webhook_endpoints (
  id              text primary key check (id ~ '^whk-[0-9]+$'),
  user_id         text not null references users,
  url             text not null,
  event_types     text[] not null,
  description     text not null,
  -- Sealed. The one before goes on signing until it ends.
  secret          bytea not null,
  previous_secret bytea,
  previous_until  timestamptz,
  -- Since when every attempt has failed.
  failing_since   timestamptz,
  disabled_at     timestamptz,
  disabled_reason text,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  deleted_at      timestamptz
);
create index webhook_endpoints_by_user on webhook_endpoints (user_id, created_at desc, id) where deleted_at is null;

-- What is to be sent where: each event once to an endpoint, however often it takes.
create table webhook_deliveries (
  id             text primary key check (id ~ '^del-[0-9]+$'),
  endpoint_id    text not null references webhook_endpoints,
  user_id        text not null references users,
  sequence       bigint not null,
  event_id       text not null,
  event_type     text not null,
  transaction_id text,
  state          text not null check (state in ('pending', 'delivered', 'failed')),
  -- Counted when they start: whoever comes back late with an older number has nothing to say any more.
  attempts       integer not null default 0,
  last_status    integer,
  last_error     text,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  -- While an attempt is under way, when it is given up for lost.
  due_at         timestamptz,
  foreign key (user_id, sequence) references ramp_events (user_id, sequence)
);
create unique index webhook_deliveries_once on webhook_deliveries (endpoint_id, sequence desc);
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, sequence desc) where state = 'failed';
-- Each endpoint's own queue, so that none waits behind another's.
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at, sequence) where due_at is not null;
-- The next event of a transaction waits for the one before.
create index webhook_deliveries_in_order on webhook_deliveries (endpoint_id, transaction_id, sequence)
  where state = 'pending';

alter table ramp_events enable row level security;
create policy ramp_events_of_customer on ramp_events for select to slipway_customer
  using (user_id = current_setting('app.user_id'));
grant select on ramp_events, event_counters to slipway_customer;
alter table event_counters enable row level security;
create policy event_counters_of_customer on event_counters for select to slipway_customer
  using (user_id = current_setting('app.user_id'));
alter table webhook_endpoints enable row level security;
create policy webhook_endpoints_of_customer on webhook_endpoints to slipway_customer
  using (user_id = current_setting('app.user_id')) with check (user_id = current_setting('app.user_id'));
grant select, insert, update on webhook_endpoints to slipway_customer;
alter table webhook_deliveries enable row level security;
create policy webhook_deliveries_of_customer on webhook_deliveries to slipway_customer
  using (user_id = current_setting('app.user_id')) with check (user_id = current_setting('app.user_id'));
grant select, insert, update on webhook_deliveries to slipway_customer;
