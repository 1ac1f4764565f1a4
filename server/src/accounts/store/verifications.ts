import type { Queryable, Transaction } from "../../database/database.ts";
import { prepared, sql } from "../../database/sql.ts";
import { asUser, type User, type Verification } from "./users.ts";

/** Why an account's verification became what it is. */
export type Decision = {
  userId: string;
  status: Verification;
  reason: string;
  decidedBy: string;
  /** When it was decided. */
  at: Date;
};

export async function insertDecision(tx: Transaction, decision: Decision): Promise<void> {
  const { userId, status, reason, decidedBy, at } = decision;
  await tx.query(sql`
    insert into verification_decisions (user_id, status, reason, decided_by, at)
    values (${userId}, ${status}, ${reason}, ${decidedBy}, ${at})`);
}

/** What was decided about one account, newest first. */
export function listDecisions(db: Queryable, userId: string): Promise<Decision[]> {
  return db.query<Decision>(sql`
    select user_id as "userId", status, reason, decided_by as "decidedBy", at
    from verification_decisions where user_id = ${userId} order by id desc`);
}

/** How an account stands, why if anybody has said so, and where its owner can show papers. */
type Standing = { status: Verification; reason: string | null; url: string | null };

/** How an account stands. */
export async function findVerification(
  db: Queryable,
  userId: string,
): Promise<Standing | undefined> {
  const [row] = await db.query<Standing>(prepared`
    select verification as status,
      (select reason from verification_decisions where user_id = users.id order by id desc limit 1) as reason,
      (select url from verification_inquiries where user_id = users.id) as url
    from users where id = ${userId}`);
  return row;
}

/** When something was last decided about an account. */
export async function findDecidedAt(tx: Transaction, userId: string): Promise<Date | undefined> {
  const [row] = await tx.query<{ at: Date }>(sql`
    select at from verification_decisions where user_id = ${userId} order by id desc limit 1`);
  return row?.at;
}

/** An account, and why it stands as it does. */
export type WaitingAccount = User & { reason: string | null };

/** Accounts with one of these statuses, those that have waited longest first, from after one of them on. */
export function listByVerification(
  db: Queryable,
  statuses: readonly Verification[],
  { after, limit }: { after: string | null; limit: number },
): Promise<WaitingAccount[]> {
  return db.query<WaitingAccount>(sql`
    select ${asUser},
      (select reason from verification_decisions where user_id = users.id order by id desc limit 1) as reason
    from users
    where verification = any (${[...statuses]})
      and (${after}::text is null
        or (updated_at, id) > (select updated_at, id from users where id = ${after}))
    order by updated_at, id limit ${limit}`);
}
