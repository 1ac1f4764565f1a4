-- What was asked of the API. Written in batches and trimmed from its old end. There are no foreign keys: a line of a log
-- must not hold up what it is about.
create table api_requests (
  -- The order in which lists have them. Only ever compared, never shown.
  sequence     bigint generated always as identity primary key,
  id           text not null unique,
  -- Null when no valid key came with it.
  user_id      text,
  key_id       text,
  at           timestamptz not null,
  method       text not null,
  route        text not null,
  -- With its query; what may be private in it is masked.
  path         text not null,
  status       smallint not null,
  milliseconds double precision not null,
  -- What the answer said was wrong, a line for each.
  errors       text not null
);
create index api_requests_by_user on api_requests (user_id, sequence desc);

-- How many there were in each hour, also those that came too fast for each of them to be listed.
create table api_request_counts (
  hour       timestamptz not null,
  user_id    text,
  method     text not null,
  route      text not null,
  status     smallint not null,
  requests   bigint not null,
  not_listed bigint not null,
  unique nulls not distinct (hour, user_id, method, route, status)
);
create index api_request_counts_by_user on api_request_counts (user_id, hour);

alter table api_requests enable row level security;
create policy api_requests_of_customer on api_requests for select to slipway_customer
  using (user_id = current_setting('app.user_id'));
alter table api_request_counts enable row level security;
create policy api_request_counts_of_customer on api_request_counts for select to slipway_customer
  using (user_id = current_setting('app.user_id'));
grant select on api_requests, api_request_counts to slipway_customer;
