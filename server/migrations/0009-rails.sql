-- Which child of the extended public key a deposit address is: with it the address can be emptied.
alter table ramp_transactions add column deposit_index bigint;
-- Firms are paid with another kind of ACH entry than persons.
alter table users add column kind text not null default 'person' check (kind in ('person', 'business'));

-- What banks and chains told us, in the order in which it was taken in. Sealed: wires carry names and accounts.
create table rail_notices (
  id     bigint generated always as identity primary key,
  source text not null,
  sealed bytea not null,
  at     timestamptz not null
);
create index rail_notices_by_source on rail_notices (source, id);

-- Files to and from the bank, as they were sent and came, byte for byte. Sealed: they hold account numbers.
create table bank_files (
  id           text primary key check (id ~ '^fil-[0-9]+$'),
  direction    text not null check (direction in ('out', 'in')),
  format       text not null check (format in
    ('nacha', 'nacha_return', 'acknowledgement', 'pain.001', 'pacs.002', 'camt.054', 'camt.053', 'webhook', 'unknown')),
  name         text not null,
  sha256       bytea not null,
  bytes        integer not null,
  sealed       bytea not null,
  -- Out: held until enough operators approved, ready, delivered, accepted or rejected by the bank, withdrawn by an
  -- operator before it left. In: taken, or refused because it could not be read.
  state        text not null check (state in
    ('held', 'ready', 'delivered', 'accepted', 'rejected', 'withdrawn', 'taken', 'refused')),
  entries      integer not null,
  cents        numeric(78, 0) not null,
  -- Ids of the keys of those who approved, each once.
  approvals    text[] not null default '{}',
  approvals_needed integer not null default 0,
  -- Why it was refused, rejected or could not be delivered yet.
  problem      text,
  -- How often somebody began to deliver it, counted before: from then on the bank may have it.
  attempts     integer not null default 0,
  created_at   timestamptz not null,
  delivered_at timestamptz,
  updated_at   timestamptz not null,
  due_at       timestamptz,
  leased_until timestamptz,
  -- The same bytes under the same name are the same file.
  unique (direction, name, sha256)
);
create index bank_files_due on bank_files (due_at) where due_at is not null;
create index bank_files_newest on bank_files (created_at desc, id desc);
create unique index bank_files_out_once on bank_files (name) where direction = 'out';

-- Payouts that a bank has been told of, or will be with the next file. Each is in one file, once.
create table bank_entries (
  payout_id  text primary key references payouts,
  rail       text not null check (rail in ('ach', 'wire')),
  -- ACH: the bank's eight digits and seven of ours. Wire: the payout's id.
  trace      text not null,
  cents      numeric(78, 0) not null check (cents > 0),
  -- The instruction as JSON, sealed.
  sealed     bytea not null,
  -- Waiting for its file, in one, and what the bank said.
  state      text not null check (state in ('waiting', 'filed', 'settled', 'failed', 'returned')),
  file_id    text references bank_files,
  -- What the network calls it, when it has told: an IMAD.
  network_reference text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When its file is made, then when it is told to be settled.
  due_at     timestamptz
);
create index bank_entries_due on bank_entries (due_at) where due_at is not null;
create index bank_entries_by_file on bank_entries (file_id) where file_id is not null;
-- Numbers come round again after ten million, when those that had them have long ended.
create unique index bank_entries_live_trace on bank_entries (trace) where state in ('waiting', 'filed');
create index bank_entries_by_trace on bank_entries (trace, created_at);
create sequence ach_trace_numbers maxvalue 9999999 cycle;

-- Where wires came from, so that they can be sent back. Sealed.
create table wire_senders (
  bank_reference text primary key,
  sealed         bytea not null,
  at             timestamptz not null
);

-- What the bank says happened on our account, from its statements: one row per line, each once.
create table bank_statements (
  id            text primary key,
  file_id       text not null references bank_files,
  from_at       timestamptz not null,
  to_at         timestamptz not null,
  opening_cents numeric(78, 0) not null,
  closing_cents numeric(78, 0) not null,
  unique (to_at)
);
create table bank_lines (
  statement_id text not null references bank_statements,
  number       integer not null,
  -- The bank's own reference, and ours if the line carries it.
  reference    text not null,
  end_to_end   text,
  -- Positive came in, negative went out.
  cents        numeric(78, 0) not null check (cents <> 0),
  booked_at    timestamptz not null,
  primary key (statement_id, number)
);
create index bank_lines_by_reference on bank_lines (reference);
create index bank_lines_by_end_to_end on bank_lines (end_to_end) where end_to_end is not null;

-- Addresses of ours that send, and the nonce that each uses next. Whoever takes one locks the row.
create table chain_senders (
  blockchain text not null,
  address    text not null,
  next_nonce bigint not null,
  primary key (blockchain, address)
);

-- Transactions that we send. A nonce belongs to one of them for ever, whatever it costs in the end.
create table chain_transactions (
  id           text primary key check (id ~ '^ctx-[0-9]+$'),
  blockchain   text not null,
  sender       text not null,
  nonce        bigint not null,
  purpose      text not null check (purpose in ('payout', 'gas', 'sweep')),
  payout_id    text unique references payouts,
  -- The deposit address that is emptied or given gas, and its index.
  address      text,
  deposit_index bigint,
  currency     text not null,
  units        numeric(78, 0) not null check (units > 0),
  -- What is signed: receiver, value, data and gas limit as JSON.
  call         jsonb not null,
  -- Reserved until it is signed; signed until a block has it; then mined, and final or failed when that is for good.
  state        text not null check (state in ('reserved', 'signed', 'mined', 'final', 'failed')),
  hash         text,
  block_number bigint,
  block_hash   text,
  gas_paid     numeric(78, 0),
  -- The newest block when it was last sent out with other fees.
  sent_at_block bigint,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  due_at       timestamptz,
  leased_until timestamptz,
  unique (blockchain, sender, nonce)
);
create index chain_transactions_due on chain_transactions (due_at) where due_at is not null;
create index chain_transactions_by_day on chain_transactions (blockchain, currency, created_at) where purpose = 'payout';
create index chain_transactions_by_block on chain_transactions (blockchain, sender, block_number) where block_number is not null;
create index chain_transactions_under_way on chain_transactions (blockchain, address) where state in ('reserved', 'signed', 'mined');
-- Every form in which a transaction was signed. Any of them may end up in a block.
create table chain_attempts (
  hash            text primary key,
  transaction_id  text not null references chain_transactions,
  number          integer not null,
  raw             text not null,
  max_fee         numeric(78, 0) not null,
  priority_fee    numeric(78, 0) not null,
  created_at      timestamptz not null,
  unique (transaction_id, number)
);

-- How far each chain was looked through for deposits, and the blocks that may still be taken back.
create table chain_cursors (
  blockchain   text primary key,
  next_block   bigint not null,
  -- Up to here everything is final, and everything in it has been told.
  final_block  bigint not null,
  due_at       timestamptz,
  leased_until timestamptz
);
create table chain_blocks (
  blockchain text not null,
  number     bigint not null,
  hash       text not null,
  primary key (blockchain, number)
);

-- Transfers to our addresses, as the chain has them.
create table chain_deposits (
  blockchain       text not null,
  transaction_hash text not null,
  -- Position of the log in its block; -1 is the transaction's own value.
  log_index        integer not null,
  address          text not null,
  from_address     text not null,
  deposit_index    bigint,
  currency         text not null,
  units            numeric(78, 0) not null check (units > 0),
  block_number     bigint not null,
  block_hash       text not null,
  block_time       timestamptz not null,
  state            text not null check (state in ('seen', 'final', 'gone')),
  -- The transaction that carries it, or has carried it, to the hot wallet.
  sweep_id         text references chain_transactions,
  is_swept         boolean not null default false,
  updated_at       timestamptz not null,
  due_at           timestamptz,
  primary key (blockchain, transaction_hash, log_index)
);
create index chain_deposits_due on chain_deposits (due_at) where due_at is not null;
create index chain_deposits_unswept on chain_deposits (blockchain, address) where state = 'final' and not is_swept;
create index chain_deposits_by_block on chain_deposits (blockchain, block_number) where state <> 'gone';
create index chain_deposits_seen on chain_deposits (blockchain, block_number) where state = 'seen';

-- What came of comparing our books with the bank's and the chains'.
create table reconciliations (
  id          text primary key check (id ~ '^rec-[0-9]+$'),
  -- `bank` or `chain:ethereum`.
  subject     text not null,
  -- Up to where both were compared: the end of a statement, or a block.
  as_of       text not null,
  is_ok       boolean not null,
  -- One line for each account or item that was compared and differs.
  differences jsonb not null,
  -- What one side has and the other will have soon.
  in_transit  jsonb not null,
  -- What differs and was accounted for otherwise, so that it is not looked at again.
  explained   jsonb not null,
  compared    integer not null,
  at          timestamptz not null
);
create index reconciliations_newest on reconciliations (at desc, id desc);
create index reconciliations_by_subject on reconciliations (subject, at desc);

-- Requests to and answers of the service that verifies people: asked outside of any request, each once.
create table verification_inquiries (
  user_id      text primary key references users,
  reference    text unique,
  -- Where the customer shows papers.
  url          text,
  state        text not null check (state in ('wanted', 'open', 'decided')),
  attempts     integer not null default 0,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  due_at       timestamptz,
  leased_until timestamptz
);
create index verification_inquiries_due on verification_inquiries (due_at) where due_at is not null;

-- The sandbox's bank: files that lie there for us, until they are taken. What it knows of payments is in sandbox_payments.
create sequence sandbox_file_numbers;
create table sandbox_bank_files (
  -- In the order in which they were left.
  number bigint primary key,
  name   text not null unique,
  bytes  bytea not null,
  due_at timestamptz
);
create index sandbox_bank_files_due on sandbox_bank_files (due_at) where due_at is not null;
-- Files that it got from us, and when the ACH payments in one settle.
create table sandbox_sent_files (
  name   text primary key,
  sha256 bytea not null,
  due_at timestamptz
);
create index sandbox_sent_files_due on sandbox_sent_files (due_at) where due_at is not null;
-- Where the sandbox's chain stood before a deposit, so that a reorganisation can take it back to there.
alter table sandbox_transfers add column snapshot text;
-- Of a payment that came to the sandbox's bank in a file: our trace of it (ACH), and what answers call the file, which is
-- its name (ACH) or its message's id (wires). Others were handed over directly, and are told of directly.
alter table sandbox_payments add column trace text, add column file text;
create index sandbox_payments_by_file on sandbox_payments (file) where file is not null;
-- What happened on our account at the sandbox's bank, for its statements.
create table sandbox_bank_lines (
  id         bigint generated always as identity primary key,
  reference  text not null unique,
  end_to_end text,
  -- Positive came in, negative went out.
  cents      numeric(78, 0) not null check (cents <> 0),
  -- Who sent it, and what it says, as JSON.
  details    jsonb not null,
  booked_at  timestamptz not null,
  -- When it is on a statement at the latest, until it is.
  due_at     timestamptz
);
create index sandbox_bank_lines_due on sandbox_bank_lines (due_at) where due_at is not null;
create table sandbox_statements (
  number        bigint generated always as identity primary key,
  last_line     bigint not null,
  closing_cents numeric(78, 0) not null,
  to_at         timestamptz not null
);
-- When the blocks of the sandbox's chain were made, in the ramp's time, which can be ahead of the chain's.
create table sandbox_blocks (
  hash   text primary key,
  number bigint not null,
  at     timestamptz not null
);
create index sandbox_blocks_by_number on sandbox_blocks (number);
