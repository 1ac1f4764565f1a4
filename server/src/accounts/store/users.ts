import type { Subaccount } from "@slipway/sdk";
import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { timestamp } from "../../lib/timestamp.ts";

export const verifications = [
  "none",
  "pending",
  "approved",
  "rejected",
  "review",
  "expired",
] as const;
export type Verification = (typeof verifications)[number];

export const accountKinds = ["person", "business"] as const;
/** A firm's money goes another way than a person's. */
export type AccountKind = (typeof accountKinds)[number];

export type User = {
  id: string;
  masterId: string | null;
  name: string;
  email: string;
  kind: AccountKind;
  verification: Verification;
  createdAt: Date;
  updatedAt: Date;
};

/** The columns that make a user. */
export const asUser = sql`
  id, master_id as "masterId", name, email, kind, verification,
  created_at as "createdAt", updated_at as "updatedAt"`;

type NewUser = Pick<User, "id" | "masterId" | "name" | "email" | "verification"> & { now: Date };

/** Adds a user, or says that the master has one with this e-mail address already. */
export async function insertUser(
  db: Queryable,
  user: NewUser,
): Promise<"inserted" | "email_taken"> {
  const { id, masterId, name, email, verification, now } = user;
  const inserted = await db.query(sql`
    insert into users (id, master_id, name, email, verification, created_at, updated_at)
    values (${id}, ${masterId}, ${name}, ${email}, ${verification}, ${now}, ${now})
    on conflict (master_id, lower(email)) do nothing
    returning id`);
  return inserted.length > 0 ? "inserted" : "email_taken";
}

/** The user below this master (or, with null, among the masters) that has the e-mail address. */
export async function findUserByEmail(
  db: Queryable,
  masterId: string | null,
  email: string,
): Promise<User | undefined> {
  const [user] = await db.query<User>(sql`
    select ${asUser} from users
    where master_id is not distinct from ${masterId} and lower(email) = lower(${email})`);
  return user;
}

export async function findUser(db: Queryable, id: string): Promise<User | undefined> {
  const [user] = await db.query<User>(sql`select ${asUser} from users where id = ${id}`);
  return user;
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockUser(tx: Transaction, id: string): Promise<User | undefined> {
  const [user] = await tx.query<User>(sql`select ${asUser} from users where id = ${id} for update`);
  return user;
}

export function listMasters(db: Queryable): Promise<User[]> {
  return db.query<User>(sql`
    select ${asUser} from users where master_id is null order by created_at desc, id`);
}

/** Accounts of everybody, newest first, from after one of them on; null asks for any. */
export function listUsers(
  db: Queryable,
  which: {
    email: string | null;
    verification: Verification | null;
    after: string | null;
    limit: number;
  },
): Promise<User[]> {
  const { email, verification, after, limit } = which;
  return db.query<User>(sql`
    select ${asUser} from users
    where (${email}::text is null or lower(email) = lower(${email}))
      and (${verification}::text is null or verification = ${verification})
      and (${after}::text is null
        or (created_at, id) < (select created_at, id from users where id = ${after}))
    order by created_at desc, id desc limit ${limit}`);
}

export async function countSubaccounts(db: Queryable, masterId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from users where master_id = ${masterId}`);
  return row?.count ?? 0;
}

export async function setVerification(
  db: Queryable,
  id: string,
  verification: Verification,
  now: Date,
): Promise<boolean> {
  const changed = await db.query(sql`
    update users set verification = ${verification}, updated_at = ${now} where id = ${id} returning id`);
  return changed.length > 0;
}

export async function setKind(db: Queryable, id: string, kind: AccountKind): Promise<void> {
  await db.query(sql`update users set kind = ${kind} where id = ${id}`);
}

export async function listSubaccounts(db: Queryable, masterId: string): Promise<Subaccount[]> {
  const users = await db.query<User>(sql`
    select ${asUser} from users where master_id = ${masterId} order by created_at desc, id`);
  return users.map(toSubaccount);
}

/** One subaccount of one master. Somebody else's is the same as none. */
export async function findSubaccount(
  db: Queryable,
  masterId: string,
  id: string,
): Promise<Subaccount | undefined> {
  const [user] = await db.query<User>(sql`
    select ${asUser} from users where master_id = ${masterId} and id = ${id}`);
  return user && toSubaccount(user);
}

/** A user as its master sees it. */
export function toSubaccount(user: Omit<User, "kind">): Subaccount {
  const { id, email, name, createdAt, updatedAt } = user;
  return { id, email, name, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) };
}
