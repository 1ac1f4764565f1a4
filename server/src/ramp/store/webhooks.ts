import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

/** An endpoint of a customer, without its secrets. */
export type WebhookRow = {
  id: string;
  url: string;
  eventTypes: string[];
  description: string;
  disabledAt: Date | null;
  disabledReason: string | null;
  createdAt: Date;
  updatedAt: Date;
};

const asWebhook = sql`
  id, url, event_types as "eventTypes", description, disabled_at as "disabledAt",
  disabled_reason as "disabledReason", created_at as "createdAt", updated_at as "updatedAt"`;

type NewWebhookRow = Pick<WebhookRow, "id" | "url" | "eventTypes" | "description"> & {
  userId: string;
  /** Sealed. */
  secret: Buffer;
  now: Date;
};

/** Adds an endpoint. */
export async function insertWebhook(tx: Transaction, webhook: NewWebhookRow): Promise<void> {
  const { id, userId, url, eventTypes, description, secret, now } = webhook;
  await tx.query(sql`
    insert into webhook_endpoints
      (id, user_id, url, event_types, description, secret, created_at, updated_at)
    values (${id}, ${userId}, ${url}, ${eventTypes}, ${description}, ${secret}, ${now}, ${now})`);
}

/** How many endpoints an account has; until the transaction ends it gets no more. */
export async function countWebhooks(tx: Transaction, userId: string): Promise<number> {
  await tx.query(sql`select from users where id = ${userId} for no key update`);
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::integer as count from webhook_endpoints
    where user_id = ${userId} and deleted_at is null`);
  return row?.count ?? 0;
}

/** An account's endpoints, newest first. */
export function listWebhooks(db: Queryable, userId: string): Promise<WebhookRow[]> {
  return db.query<WebhookRow>(sql`
    select ${asWebhook} from webhook_endpoints
    where user_id = ${userId} and deleted_at is null order by created_at desc, id`);
}

/** One endpoint of one account. Somebody else's is the same as none. */
export async function findWebhook(
  db: Queryable,
  userId: string,
  id: string,
): Promise<WebhookRow | undefined> {
  const [row] = await db.query<WebhookRow>(sql`
    select ${asWebhook} from webhook_endpoints
    where user_id = ${userId} and id = ${id} and deleted_at is null`);
  return row;
}

type Replaced = { userId: string; id: string; secret: Buffer; previousUntil: Date; now: Date };

/** Gives an endpoint another secret; the one before goes on signing for a while. */
export async function replaceSecret(
  tx: Transaction,
  { userId, id, secret, previousUntil, now }: Replaced,
): Promise<WebhookRow | undefined> {
  const [row] = await tx.query<WebhookRow>(sql`
    update webhook_endpoints
    set previous_secret = secret, previous_until = ${previousUntil}, secret = ${secret}, updated_at = ${now}
    where user_id = ${userId} and id = ${id} and deleted_at is null
    returning ${asWebhook}`);
  return row;
}

/** Lets an endpoint get events again. */
export async function enableWebhook(
  tx: Transaction,
  userId: string,
  id: string,
  now: Date,
): Promise<WebhookRow | undefined> {
  const [row] = await tx.query<WebhookRow>(sql`
    update webhook_endpoints
    set disabled_at = null, disabled_reason = null, failing_since = null, updated_at = ${now}
    where user_id = ${userId} and id = ${id} and deleted_at is null
    returning ${asWebhook}`);
  return row;
}

type Disabling = {
  id: string;
  reason: string;
  /** Only if nothing has got through since then. */
  failingSince: Date | null;
  now: Date;
};

/** Stops sending to an endpoint; what was to be sent has failed. Says whether it was so. */
export async function disableWebhook(
  tx: Transaction,
  { id, reason, failingSince, now }: Disabling,
): Promise<boolean> {
  const disabled = await tx.query(sql`
    update webhook_endpoints set disabled_at = ${now}, disabled_reason = ${reason}, updated_at = ${now}
    where id = ${id} and disabled_at is null and deleted_at is null
      and (${failingSince}::timestamptz is null or failing_since <= ${failingSince})
    returning id`);
  if (disabled.length > 0) await failPending(tx, id, "the webhook was disabled", now);
  return disabled.length > 0;
}

/** Forgets an endpoint and what was to be sent to it. */
export async function deleteWebhook(
  tx: Transaction,
  userId: string,
  id: string,
  now: Date,
): Promise<WebhookRow | undefined> {
  const [row] = await tx.query<WebhookRow>(sql`
    update webhook_endpoints set deleted_at = ${now}, updated_at = ${now}
    where user_id = ${userId} and id = ${id} and deleted_at is null
    returning ${asWebhook}`);
  if (row) await failPending(tx, id, "the webhook was deleted", now);
  return row;
}

async function failPending(tx: Transaction, id: string, why: string, now: Date): Promise<void> {
  await tx.query(sql`
    update webhook_deliveries
    set state = 'failed', last_error = coalesce(last_error, ${why}), due_at = null, updated_at = ${now}
    where endpoint_id = ${id} and state = 'pending'`);
}
