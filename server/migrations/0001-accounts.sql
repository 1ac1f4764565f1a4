-- Which secret the hashes in this database were made with: another secret would make every key invalid.
create table installation (
  only_row     boolean primary key default true check (only_row),
  secret_check bytea not null,
  created_at   timestamptz not null
);

create table users (
  id           text primary key check (id ~ '^usr-[0-9]+$'),
  -- Each subaccount has exactly one master; a master has none.
  master_id    text references users,
  name         text not null,
  email        text not null,
  verification text not null check (verification in ('none', 'pending', 'approved', 'rejected', 'review', 'expired')),
  created_at   timestamptz not null,
  updated_at   timestamptz not null
);

-- The subaccounts of a master, newest first, and each e-mail address once.
create index users_by_master on users (master_id, created_at desc, id);
create unique index users_email_once_per_master on users (master_id, lower(email)) nulls not distinct;

create table api_keys (
  id           text primary key,
  user_id      text not null references users,
  label        text not null,
  -- HMAC-SHA-256 of the key; the key itself is shown once and kept nowhere.
  hash         bytea not null check (length(hash) = 32),
  scopes       text[] not null,
  created_at   timestamptz not null,
  last_used_at timestamptz,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  -- When an expiring key has to be retired.
  due_at       timestamptz
);

create index api_keys_by_user on api_keys (user_id, created_at desc, id);
create index api_keys_due on api_keys (due_at) where due_at is not null;
