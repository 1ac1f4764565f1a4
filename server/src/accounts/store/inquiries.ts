import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

/** An account about which the verifying service is to be asked. `attempts` counts the inquiries that were begun. */
export type WantedInquiry = {
  userId: string;
  name: string;
  email: string;
  /** What the service calls it, once it has it. */
  reference: string | null;
  attempts: number;
};

/** Wants a new inquiry about an account; one that there was counts no more. */
export async function wantInquiry(tx: Transaction, userId: string, at: Date): Promise<void> {
  await tx.query(sql`
    insert into verification_inquiries (user_id, state, attempts, created_at, updated_at, due_at)
    values (${userId}, 'wanted', 1, ${at}, ${at}, ${at})
    on conflict (user_id) do update set state = 'wanted', attempts = verification_inquiries.attempts + 1,
      reference = null, url = null, updated_at = ${at}, due_at = ${at}, leased_until = null`);
}

/** Wants another link to an inquiry that is open. Says whether there is one. */
export async function wantNewLink(tx: Transaction, userId: string, at: Date): Promise<boolean> {
  const wanted = await tx.query(sql`
    update verification_inquiries set url = null, updated_at = ${at}, due_at = ${at}
    where user_id = ${userId} and state = 'open' returning user_id`);
  return wanted.length > 0;
}

/** Nothing more is asked, whatever comes of it. */
export async function endInquiry(tx: Transaction, userId: string, at: Date): Promise<void> {
  await tx.query(sql`
    update verification_inquiries set state = 'decided', url = null, updated_at = ${at},
      due_at = null, leased_until = null
    where user_id = ${userId} and state <> 'decided'`);
}

/** Takes the inquiry that is due longest for us alone until `until`. */
export async function claimInquiry(
  db: Queryable,
  now: Date,
  until: Date,
): Promise<WantedInquiry | undefined> {
  const [inquiry] = await db.query<WantedInquiry>(sql`
    update verification_inquiries i set leased_until = ${until}
    from users u
    where u.id = i.user_id and i.user_id = (
      select user_id from verification_inquiries
      where due_at <= ${now} and (leased_until is null or leased_until <= ${now})
      order by due_at limit 1 for update skip locked
    )
    returning i.user_id as "userId", u.name, u.email, i.reference, i.attempts`);
  return inquiry;
}

/** The inquiry as it was claimed: it may have been decided, or begun anew, since. */
type Claimed = Pick<WantedInquiry, "userId" | "attempts">;

/** Keeps what the service calls an inquiry. Says whether it still counts. */
export async function keepReference(
  db: Queryable,
  { userId, attempts }: Claimed,
  reference: string,
  at: Date,
): Promise<boolean> {
  const kept = await db.query(sql`
    update verification_inquiries set reference = ${reference}, updated_at = ${at}
    where user_id = ${userId} and attempts = ${attempts} and state = 'wanted' returning user_id`);
  return kept.length > 0;
}

/** From now on the owner can show papers. */
export async function openInquiry(
  db: Queryable,
  { userId, attempts }: Claimed,
  url: string,
  at: Date,
): Promise<void> {
  await db.query(sql`
    update verification_inquiries set state = 'open', url = ${url}, updated_at = ${at}, due_at = null,
      leased_until = null
    where user_id = ${userId} and attempts = ${attempts} and state <> 'decided'`);
}

/** Puts an inquiry off. What the service has refused is another attempt the next time. */
export async function postponeInquiry(
  db: Queryable,
  { userId, attempts }: Claimed,
  { until, isRefused }: { until: Date; isRefused: boolean },
): Promise<void> {
  await db.query(sql`
    update verification_inquiries set due_at = ${until}, leased_until = null,
      attempts = attempts + ${isRefused ? 1 : 0}
    where user_id = ${userId} and attempts = ${attempts} and state <> 'decided'`);
}

/** Whose inquiry it is that the service calls so. */
export async function findInquiredUser(
  db: Queryable,
  reference: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ userId: string }>(sql`
    select user_id as "userId" from verification_inquiries where reference = ${reference}`);
  return row?.userId;
}
