import type { Queryable, Transaction } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";

export type StoredKey = {
  id: string;
  userId: string;
  label: string;
  hash: Buffer;
  scopes: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
};

/** Services listen here, so that a revoked key stops working at once everywhere. */
export const keyChanges = "api_key_changes";

const asKey = sql`
  id, user_id as "userId", label, hash, scopes, created_at as "createdAt", last_used_at as "lastUsedAt",
  expires_at as "expiresAt", revoked_at as "revokedAt"`;

type NewKey = Pick<StoredKey, "id" | "userId" | "label" | "hash" | "scopes" | "expiresAt"> & {
  now: Date;
};

export async function insertKey(db: Queryable, key: NewKey): Promise<void> {
  const { id, userId, label, hash, scopes, expiresAt, now } = key;
  await db.query(sql`
    insert into api_keys (id, user_id, label, hash, scopes, created_at, expires_at, due_at)
    values (${id}, ${userId}, ${label}, ${hash}, ${scopes}, ${now}, ${expiresAt}, ${expiresAt})`);
}

export async function findKey(db: Queryable, id: string): Promise<StoredKey | undefined> {
  const [key] = await db.query<StoredKey>(sql`select ${asKey} from api_keys where id = ${id}`);
  return key;
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockKey(tx: Transaction, id: string): Promise<StoredKey | undefined> {
  const [key] = await tx.query<StoredKey>(sql`
    select ${asKey} from api_keys where id = ${id} for update`);
  return key;
}

/** Some keys of one user, newest first, from after one of them on. */
export function pageOfKeys(
  db: Queryable,
  { userId, after, limit }: { userId: string; after: string | null; limit: number },
): Promise<StoredKey[]> {
  return db.query<StoredKey>(sql`
    select ${asKey} from api_keys
    where user_id = ${userId} and (${after}::text is null
      or (created_at, id) < (select created_at, id from api_keys where id = ${after} and user_id = ${userId}))
    order by created_at desc, id desc limit ${limit}`);
}

/** How many keys of a user still work. */
export async function countWorkingKeys(db: Queryable, userId: string, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from api_keys
    where user_id = ${userId} and revoked_at is null and (expires_at is null or expires_at > ${now})`);
  return row?.count ?? 0;
}

/** Gives a key other rights; services that know it learn of them at once. */
export async function setScopes(
  db: Queryable,
  id: string,
  scopes: readonly string[],
): Promise<void> {
  await db.query(sql`
    with changed as (
      update api_keys set scopes = ${[...scopes]} where id = ${id} and scopes <> ${[...scopes]} returning id)
    select pg_notify(${keyChanges}, id) from changed`);
}

/** All keys, or those of one user, newest first. */
export function listKeys(db: Queryable, userId: string | null): Promise<StoredKey[]> {
  return db.query<StoredKey>(sql`
    select ${asKey} from api_keys
    where ${userId}::text is null or user_id = ${userId}
    order by created_at desc, id`);
}

/** Ends a key now. Returns whether there was one that still worked. */
export async function revokeKey(db: Queryable, id: string, now: Date): Promise<boolean> {
  const changed = await db.query(sql`
    with revoked as (
      update api_keys set revoked_at = ${now}, due_at = null
      where id = ${id} and revoked_at is null
      returning id
    )
    select pg_notify(${keyChanges}, id) from revoked`);
  return changed.length > 0;
}

/** Gives a key an end, which never moves an earlier one back. */
export async function expireKey(db: Queryable, id: string, expiresAt: Date): Promise<void> {
  await db.query(sql`
    with changed as (
      update api_keys
      set expires_at = least(expires_at, ${expiresAt}), due_at = least(expires_at, ${expiresAt})
      where id = ${id} and revoked_at is null
      returning id
    )
    select pg_notify(${keyChanges}, id) from changed`);
}

/** Locks the key that is due longest. */
export function takeDueKey(now: Date): Sql {
  return sql`
    select id from api_keys where due_at <= ${now}
    order by due_at limit 1 for update skip locked`;
}

export function postponeDueKey(id: string, until: Date): Sql {
  return sql`update api_keys set due_at = ${until} where id = ${id}`;
}

/** Writes down when keys were last used, many at once; times in Unix milliseconds. */
export async function touchKeys(db: Queryable, usedAt: ReadonlyMap<string, number>): Promise<void> {
  const times = [...usedAt.values()].map((time) => new Date(time));
  await db.query(sql`
    update api_keys set last_used_at = used.at
    from unnest(${[...usedAt.keys()]}::text[], ${times}::timestamptz[]) as used (id, at)
    where api_keys.id = used.id`);
}

/** Whether this database was ever used by a sandbox. */
export async function hasSandboxKeys(db: Queryable): Promise<boolean> {
  const found = await db.query(sql`select from api_keys where id like 'sandbox\\_%' limit 1`);
  return found.length > 0;
}
