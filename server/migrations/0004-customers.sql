-- A second wall around customers' rows: requests for one account run as this role, and row-level security lets it
-- see and write that account's rows only (the setting app.user_id), whatever a query forgets to ask for.
do $$
begin
  create role slipway_customer nologin;
exception
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then
    raise exception 'The database user may not create roles.'
      using hint = 'As an administrator: create role slipway_customer nologin; grant slipway_customer to the user in DATABASE_URL.';
end $$;
do $$
begin
  begin
    execute format('grant slipway_customer to %I', current_user);
  exception
    -- Somebody else may have granted it already.
    when insufficient_privilege or invalid_grant_operation then null;
  end;
  perform set_config('role', 'slipway_customer', true), set_config('role', 'none', true);
  execute format('grant usage on schema %I to slipway_customer', current_schema());
exception
  when insufficient_privilege then
    raise exception 'The database user may not act as the role slipway_customer.'
      using hint = 'As an administrator: grant slipway_customer to the user in DATABASE_URL.';
end $$;

-- Answers to POSTs that carried an Idempotency-Key, written together with what the request did.
create table idempotency_keys (
  user_id     text not null references users,
  key         text not null,
  route       text not null,
  -- SHA-256 of the body and the account it acted on.
  fingerprint bytea not null,
  -- The body, sealed: it may hold an account number or a secret that is shown once.
  answer      bytea not null,
  created_at  timestamptz not null,
  due_at      timestamptz not null,
  primary key (user_id, key, route)
);
create index idempotency_keys_due on idempotency_keys (due_at);

-- Who did what, for whom. Each row holds the hash of the one before, so that a change of the past shows.
create table audit_log (
  sequence      bigint primary key,
  at            timestamptz not null,
  key_id        text,
  user_id       text,
  ip            text,
  action        text not null,
  target        text not null,
  -- Masked, as JSON text: exactly what was hashed.
  detail        text not null,
  previous_hash bytea not null,
  hash          bytea not null unique
);

create function deny_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % is not allowed', tg_table_name, lower(tg_op);
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function deny_change();

-- What an operator has switched off: "payouts", "rail:ach", "token:USDC", "blockchain:base".
create table kill_switches (
  name       text primary key,
  reason     text not null,
  set_by     text not null,
  set_at     timestamptz not null
);

-- Why a verification is as it is, newest last; users.verification is the newest of them.
create table verification_decisions (
  id         bigint generated always as identity primary key,
  user_id    text not null references users,
  status     text not null,
  reason     text not null,
  decided_by text not null,
  at         timestamptz not null
);
create index verification_decisions_by_user on verification_decisions (user_id, id desc);
create index users_to_verify on users (updated_at, id) where verification in ('pending', 'review');
-- What operators look for.
create index users_newest on users (created_at desc, id desc);
create index users_by_email on users (lower(email));

-- Behind the wall an account sees itself: whether it is verified, and why.
alter table users enable row level security;
create policy users_of_customer on users for select to slipway_customer
  using (id = current_setting('app.user_id'));
grant select on users to slipway_customer;
alter table verification_decisions enable row level security;
create policy verification_decisions_of_customer on verification_decisions for select to slipway_customer
  using (user_id = current_setting('app.user_id'));
grant select on verification_decisions to slipway_customer;
