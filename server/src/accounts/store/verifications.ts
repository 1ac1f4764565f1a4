import type { Queryable, Transaction } from "../../database/database.ts";
import { prepared, sql } from "../../database/sql.ts";
import type { User, Verification } from "./users.ts";

/** Why an account's verification became what it is. */
export type Decision = {
  userId: string;
  status: Verification;
  reason: string;
  decidedBy: string;
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

/** How an account stands, and why if anybody has said so. */
export async function findVerification(
  db: Queryable,
  userId: string,
): Promise<{ status: Verification; reason: string | null } | undefined> {
  const [row] = await db.query<{ status: Verification; reason: string | null }>(prepared`
    select verification as status,
      (select reason from verification_decisions where user_id = users.id order by id desc limit 1) as reason
    from users where id = ${userId}`);
  return row;
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
    select id, master_id as "masterId", name, email, verification,
      created_at as "createdAt", updated_at as "updatedAt",
      (select reason from verification_decisions where user_id = users.id order by id desc limit 1) as reason
    from users
    where verification = any (${[...statuses]})
      and (${after}::text is null
        or (updated_at, id) > (select updated_at, id from users where id = ${after}))
    order by updated_at, id limit ${limit}`);
}
