import type { Transaction } from "../../database/database.ts";
import { prepared, type Sql, sql } from "../../database/sql.ts";

/** Which request an answer belongs to. */
export type AnswerScope = { userId: string; key: string; route: string };

export type StoredAnswer = { fingerprint: Buffer; answer: Buffer };

/** Locks a number until the transaction ends; says no at once when somebody else has it. */
export async function tryLock(tx: Transaction, lock: bigint): Promise<boolean> {
  const [row] = await tx.query<{ isOurs: boolean }>(prepared`
    select pg_try_advisory_xact_lock(${String(lock)}::bigint) as "isOurs"`);
  return row?.isOurs === true;
}

export async function findAnswer(
  tx: Transaction,
  { userId, key, route }: AnswerScope,
  now: Date,
): Promise<StoredAnswer | undefined> {
  const [row] = await tx.query<StoredAnswer>(prepared`
    select fingerprint, answer from idempotency_keys
    where user_id = ${userId} and key = ${key} and route = ${route} and due_at > ${now}`);
  return row;
}

/** Keeps an answer; one that is there has had its time. */
export async function storeAnswer(
  tx: Transaction,
  stored: AnswerScope & StoredAnswer & { now: Date; until: Date },
): Promise<void> {
  const { userId, key, route, fingerprint, answer, now, until } = stored;
  await tx.query(prepared`
    insert into idempotency_keys (user_id, key, route, fingerprint, answer, created_at, due_at)
    values (${userId}, ${key}, ${route}, ${fingerprint}, ${answer}, ${now}, ${until})
    on conflict (user_id, key, route) do update set
      fingerprint = excluded.fingerprint, answer = excluded.answer,
      created_at = excluded.created_at, due_at = excluded.due_at`);
}

/** Locks the answer whose time has been over for longest. */
export function takeDueAnswer(now: Date): Sql {
  return sql`
    select user_id as "userId", key, route from idempotency_keys where due_at <= ${now}
    order by due_at limit 1 for update skip locked`;
}

export async function deleteAnswer(
  tx: Transaction,
  { userId, key, route }: AnswerScope,
): Promise<void> {
  await tx.query(sql`
    delete from idempotency_keys where user_id = ${userId} and key = ${key} and route = ${route}`);
}

export function postponeDueAnswer({ userId, key, route }: AnswerScope, until: Date): Sql {
  return sql`
    update idempotency_keys set due_at = ${until}
    where user_id = ${userId} and key = ${key} and route = ${route}`;
}
