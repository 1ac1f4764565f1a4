import type { Queryable } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

/** What a server says about itself and about whoever asks. */
export type ServerFacts = {
  version: number;
  /** Its own time: the one question for which its clock is asked. */
  at: Date;
  hasRole: boolean;
  /** Whether we may act as that role. */
  mayUseRole: boolean;
  mayCreateRoles: boolean;
};

/** Asks the server about itself. */
export async function findServerFacts(db: Queryable): Promise<ServerFacts | undefined> {
  const [row] = await db.query<ServerFacts>(sql`
    select current_setting('server_version_num')::int / 10000 as version,
      clock_timestamp() as at,
      exists (select from pg_roles where rolname = 'slipway_customer') as "hasRole",
      coalesce((
        select pg_has_role(current_user, oid, 'member') from pg_roles
        where rolname = 'slipway_customer'), false) as "mayUseRole",
      exists (
        select from pg_roles
        where rolname = current_user and (rolsuper or rolcreaterole)) as "mayCreateRoles"`);
  return row;
}

/** The migrations that were applied. A database that nobody has used has none. */
export async function listApplied(
  db: Queryable,
): Promise<{ number: number; name: string; hash: string }[]> {
  const [there] = await db.query<{ isThere: boolean }>(sql`
    select to_regclass('schema_migrations') is not null as "isThere"`);
  if (!there?.isThere) return [];
  return db.query(sql`select number, name, hash from schema_migrations order by number`);
}

/** The check value of the secret with which the database was set up. */
export async function findSecretCheck(db: Queryable): Promise<Buffer | undefined> {
  const [row] = await db.query<{ check: Buffer }>(sql`
    select secret_check as check from installation`);
  return row?.check;
}

/** So many, the oldest from then. */
export type Waiting = { count: number; since: Date | null };

/** Payouts that were handed over and of which nobody has heard in time. */
export async function countOverduePayouts(db: Queryable): Promise<Waiting> {
  const [row] = await db.query<Waiting>(sql`
    select count(*)::int as count, min(overdue_since) as since from payouts
    where overdue_since is not null and state = 'submitted'`);
  return row ?? { count: 0, since: null };
}

/** Wires that belong to no transaction. */
export async function countUnmatchedWires(db: Queryable): Promise<Waiting> {
  const [row] = await db.query<Waiting>(sql`
    select count(*)::int as count, min(received_at) as since from incoming_wires
    where state = 'suspense'`);
  return row ?? { count: 0, since: null };
}

/** Deposits that count for no transaction. */
export async function countUnmatchedDeposits(db: Queryable): Promise<Waiting> {
  const [row] = await db.query<Waiting>(sql`
    select count(*)::int as count, min(created_at) as since from deposits where use = 'suspense'`);
  return row ?? { count: 0, since: null };
}

/** A file that is not where it should be. */
export type TroubledFile = {
  id: string;
  name: string;
  state: "held" | "ready" | "rejected" | "refused";
  problem: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** Files that wait for an approval or could not be delivered, and those refused since a time; newest first. */
export function listTroubledFiles(db: Queryable, since: Date): Promise<TroubledFile[]> {
  return db.query<TroubledFile>(sql`
    select id, name, state, problem, created_at as "createdAt", updated_at as "updatedAt"
    from bank_files
    where state = 'held' or (state = 'ready' and problem is not null)
      or (state in ('rejected', 'refused') and updated_at > ${since})
    order by created_at desc, id desc limit 100`);
}

/** How many endpoints of customers get no events any more, since nothing got through. */
export async function countDisabledWebhooks(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from webhook_endpoints
    where disabled_at is not null and deleted_at is null`);
  return row?.count ?? 0;
}

/** The number of the newest line of the audit log. */
export async function findAuditEnd(db: Queryable): Promise<number> {
  const [row] = await db.query<{ end: bigint | null }>(sql`
    select max(sequence) as end from audit_log`);
  return Number(row?.end ?? 0);
}

/** What an address sends next, and which of its transactions no block has yet. */
export type SenderFacts = { nextNonce: bigint; underWay: number; oldest: Date | null };

/** What we know of an address of ours on a chain; nothing when it has never sent anything. */
export async function findSender(
  db: Queryable,
  blockchain: string,
  address: string,
): Promise<SenderFacts | undefined> {
  const [row] = await db.query<SenderFacts>(sql`
    select next_nonce as "nextNonce", under_way.count as "underWay", under_way.oldest
    from chain_senders, lateral (
      select count(*)::int as count, min(created_at) as oldest from chain_transactions
      where chain_transactions.blockchain = chain_senders.blockchain
        and sender = chain_senders.address and state in ('reserved', 'signed')
    ) as under_way
    where chain_senders.blockchain = ${blockchain} and address = ${address}`);
  return row;
}
