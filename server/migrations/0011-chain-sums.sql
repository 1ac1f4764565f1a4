-- What came to deposit addresses and went from them in all, as far as it is final: the sum of `told_of` over all rows of
-- deposits and transactions, which triggers keep whoever writes. So nobody has to read the whole history to know it.
create table chain_told (
  blockchain text not null,
  what       text not null check (what in ('deposit', 'move', 'gas')),
  -- Empty for gas: that is paid in the chain's own coin.
  currency   text not null,
  units      numeric(78, 0) not null,
  primary key (blockchain, what, currency)
);

-- What a row says of deposit addresses; with -1 what is to be taken back when the row is not so any more.
create function told_of(d chain_deposits, sign int) returns setof chain_told language sql immutable as $$
  select d.blockchain, 'deposit', d.currency, sign * d.units where d.state = 'final'
$$;
create function told_of(t chain_transactions, sign int) returns setof chain_told language sql immutable as $$
  select t.blockchain, 'move', t.currency, sign * case t.purpose when 'gas' then t.units else -t.units end
    where t.state = 'final' and t.purpose in ('gas', 'sweep')
  union all
  select t.blockchain, 'gas', '', sign * -t.gas_paid
    where t.state in ('final', 'failed') and t.purpose = 'sweep' and t.gas_paid > 0
$$;

-- In one order, so that two never wait for each other in a ring; and what changes nothing waits for nobody.
create function add_told(changes chain_told[]) returns void language sql as $$
  insert into chain_told as kept (blockchain, what, currency, units)
    select blockchain, what, currency, sum(units) from unnest(changes)
    group by blockchain, what, currency having sum(units) <> 0 order by blockchain, what, currency
    on conflict (blockchain, what, currency) do update set units = kept.units + excluded.units
$$;
create function tell_deposits() returns trigger language plpgsql as $$
declare
  come chain_told[];
  gone chain_told[];
begin
  if tg_op <> 'DELETE' then come := array(select told_of(d::chain_deposits, 1) from new_rows d); end if;
  if tg_op <> 'INSERT' then gone := array(select told_of(d::chain_deposits, -1) from old_rows d); end if;
  perform add_told(come || gone);
  return null;
end $$;
create function tell_transactions() returns trigger language plpgsql as $$
declare
  come chain_told[];
  gone chain_told[];
begin
  if tg_op <> 'DELETE' then come := array(select told_of(t::chain_transactions, 1) from new_rows t); end if;
  if tg_op <> 'INSERT' then gone := array(select told_of(t::chain_transactions, -1) from old_rows t); end if;
  perform add_told(come || gone);
  return null;
end $$;
create trigger chain_deposits_inserted after insert on chain_deposits
  referencing new table as new_rows for each statement execute function tell_deposits();
create trigger chain_deposits_updated after update on chain_deposits
  referencing old table as old_rows new table as new_rows for each statement execute function tell_deposits();
create trigger chain_deposits_deleted after delete on chain_deposits
  referencing old table as old_rows for each statement execute function tell_deposits();
create trigger chain_transactions_inserted after insert on chain_transactions
  referencing new table as new_rows for each statement execute function tell_transactions();
create trigger chain_transactions_updated after update on chain_transactions
  referencing old table as old_rows new table as new_rows for each statement execute function tell_transactions();
create trigger chain_transactions_deleted after delete on chain_transactions
  referencing old table as old_rows for each statement execute function tell_transactions();

create function recount_told() returns void language sql as $$
  delete from chain_told;
  insert into chain_told (blockchain, what, currency, units)
    select blockchain, what, currency, sum(units) from (
      select told.* from chain_deposits d cross join told_of(d, 1) as told
      union all
      select told.* from chain_transactions t cross join told_of(t, 1) as told
    ) as told
    group by blockchain, what, currency
$$;
create function tell_anew() returns trigger language plpgsql as $$
begin
  perform recount_told();
  return null;
end $$;
create trigger chain_deposits_emptied after truncate on chain_deposits
  for each statement execute function tell_anew();
create trigger chain_transactions_emptied after truncate on chain_transactions
  for each statement execute function tell_anew();
-- Since the triggers were made nobody else can write, until all of this is there.
select recount_told();

-- What happened at an address, and what happened after a block.
create index chain_deposits_by_address on chain_deposits (blockchain, address) where state = 'final';
create index chain_transactions_by_address on chain_transactions (blockchain, address)
  where state in ('final', 'failed');
create index chain_transactions_ended on chain_transactions (blockchain, block_number)
  where state in ('final', 'failed');

-- A sweep that has not arrived is looked at again, in case it is stuck.
update chain_deposits set due_at = updated_at
  where state = 'final' and not is_swept and sweep_id is not null and due_at is null;
