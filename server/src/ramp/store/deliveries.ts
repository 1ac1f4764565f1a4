import type { Database, Queryable, Transaction } from "../../database/database.ts";
import { prepared, sql } from "../../database/sql.ts";

/** An attempt that has to be made, and everything it needs. */
export type Attempt = {
  deliveryId: string;
  /** How many this makes. */
  number: number;
  endpointId: string;
  userId: string;
  url: string;
  /** Sealed. */
  secret: Buffer;
  /** Sealed, while it still signs too. */
  previousSecret: Buffer | null;
  eventId: string;
  payload: string;
  failingSince: Date | null;
};

/** Of one endpoint, at a time. */
const putOffMost = 1_000;

/** What may be taken now. All times are of the ramp's clock. */
export type Taking = {
  now: Date;
  /** When an attempt that nobody came back from is made again. */
  lostAt: Date;
  /** What was told before this no longer waits for what was told earlier. */
  waitsSince: Date;
  /** Deliveries and endpoints that this process has enough to do with. */
  busyDeliveries: readonly string[];
  busyEndpoints: readonly string[];
  most: number;
};

/** Endpoints to which anything is to be sent, now or later: from one to the next, past all that have nothing to do. */
const queues = sql`
  queues (endpoint_id) as (
    select min(endpoint_id) from webhook_deliveries where due_at is not null
    union all
    select (
      select min(endpoint_id) from webhook_deliveries
      where due_at is not null and endpoint_id > queues.endpoint_id)
    from queues where endpoint_id is not null
  )`;

/** Whether anything may be sent to the endpoint of a queue. */
const isOpen = sql`(
  select disabled_at is null and deleted_at is null from webhook_endpoints
  where id = queues.endpoint_id)`;

/** Takes what is due: of each endpoint the delivery that waits longest, so that none has to wait for another. */
export function takeAttempts(db: Queryable, taking: Taking): Promise<Attempt[]> {
  const { now, lostAt, waitsSince, busyDeliveries, busyEndpoints, most } = taking;
  return db.query<Attempt>(prepared`
    with recursive ${queues},
    due as (
      select delivery.id
      from queues
      cross join lateral (
        select id, due_at from webhook_deliveries as candidate
        where candidate.endpoint_id = queues.endpoint_id and due_at <= ${now} and id <> all(${busyDeliveries})
          and (transaction_id is null or created_at <= ${waitsSince} or not exists (
            select from webhook_deliveries as earlier
            where earlier.endpoint_id = candidate.endpoint_id
              and earlier.transaction_id = candidate.transaction_id
              and earlier.state = 'pending' and earlier.sequence < candidate.sequence))
        order by due_at, sequence limit 1
        for update skip locked
      ) as delivery
      where ${isOpen} and queues.endpoint_id <> all(${busyEndpoints})
      order by delivery.due_at limit ${most}
    )
    update webhook_deliveries as delivery
    set attempts = attempts + 1, due_at = ${lostAt}, updated_at = ${now}
    from due, webhook_endpoints as endpoint, ramp_events as event
    where delivery.id = due.id and endpoint.id = delivery.endpoint_id
      and event.user_id = delivery.user_id and event.sequence = delivery.sequence
    returning delivery.id as "deliveryId", attempts as number, endpoint.id as "endpointId",
      endpoint.user_id as "userId", url, secret,
      case when previous_until > ${now} then previous_secret end as "previousSecret",
      event_id as "eventId", payload, failing_since as "failingSince"`);
}

/**
 * What waits for an earlier event of its transaction need not be looked at before that is tried again. What is under
 * way may be over any moment and is left alone; so is what somebody else holds.
 */
export async function putOffWaiting(
  db: Queryable,
  { now, lostAt, waitMs }: { now: Date; lostAt: Date; waitMs: number },
): Promise<void> {
  const waitsUntil = sql`created_at + ${waitMs} * interval '1 millisecond'`;
  await db.query(prepared`
    with recursive ${queues},
    waiting as (
      select delivery.id, least(delivery.waits_until, first.due_at) as due_at
      from queues
      cross join lateral (
        select id, transaction_id, sequence, ${waitsUntil} as waits_until from webhook_deliveries
        where endpoint_id = queues.endpoint_id and due_at <= ${now} and ${waitsUntil} > ${now}
        order by due_at, sequence limit ${putOffMost}
        for update skip locked
      ) as delivery
      cross join lateral (
        select due_at, sequence from webhook_deliveries
        where endpoint_id = queues.endpoint_id and transaction_id = delivery.transaction_id and state = 'pending'
        order by sequence limit 1
      ) as first
      where ${isOpen} and first.sequence < delivery.sequence and first.due_at > ${lostAt}
    )
    update webhook_deliveries as delivery set due_at = waiting.due_at
    from waiting where delivery.id = waiting.id`);
}

type Made = Pick<Attempt, "deliveryId" | "number"> & { now: Date };

/** It arrived: the endpoint is well, and the next event of the transaction need not wait. */
export function recordSuccess(
  db: Database,
  { deliveryId, number, status, now, lostAt }: Made & { status: number; lostAt: Date },
): Promise<void> {
  return db.transact(async (tx) => {
    await tx.query(prepared`
      with done as (
        update webhook_deliveries
        set state = 'delivered', last_status = ${status}, last_error = null, due_at = null, updated_at = ${now}
        where id = ${deliveryId} and attempts = ${number} and state = 'pending'
        returning endpoint_id, transaction_id, sequence
      ),
      well as (
        update webhook_endpoints set failing_since = null
        where id = (select endpoint_id from done) and failing_since is not null
      )
      update webhook_deliveries as next set due_at = ${now} from done
      where next.endpoint_id = done.endpoint_id and next.transaction_id = done.transaction_id
        and next.state = 'pending' and next.sequence > done.sequence and next.due_at > ${lostAt}`);
  });
}

type Failed = Made & {
  status: number | null;
  error: string;
  /** Null: never again. */
  retryAt: Date | null;
};

/** It did not arrive. */
export function recordFailure(db: Database, failed: Failed): Promise<void> {
  const { deliveryId, number, status, error, retryAt, now } = failed;
  return db.transact(async (tx) => {
    await tx.query(sql`
      with failed as (
        update webhook_deliveries
        set state = ${retryAt ? "pending" : "failed"}, last_status = ${status}, last_error = ${error},
          due_at = ${retryAt}, updated_at = ${now}
        where id = ${deliveryId} and attempts = ${number} and state = 'pending'
        returning endpoint_id
      )
      update webhook_endpoints set failing_since = ${now}
      where id = (select endpoint_id from failed) and failing_since is null`);
  });
}

/** Sends an event again, from the first attempt on; what is to be sent anyway is sent now. */
export async function replayDelivery(
  tx: Transaction,
  endpointId: string,
  deliveryId: string,
  now: Date,
): Promise<DeliveryRow | undefined> {
  const [row] = await tx.query<DeliveryRow>(sql`
    update webhook_deliveries
    set attempts = case when state = 'pending' then attempts else 0 end, state = 'pending',
      due_at = ${now}, updated_at = ${now}
    where endpoint_id = ${endpointId} and id = ${deliveryId}
    returning ${asDelivery}`);
  return row;
}

type Replay = {
  endpointId: string;
  userId: string;
  after: number;
  types: readonly string[];
  most: number;
  now: Date;
  /** Ids for as many deliveries, which begin with this. */
  deliveryId: string;
};

/** Orders deliveries of events that came after a number; what is to be sent anyway stays as it is. */
export async function replayEvents(
  tx: Transaction,
  { endpointId, userId, after, types, most, now, deliveryId }: Replay,
): Promise<{ replayed: number; lastSequence: number }> {
  const [row] = await tx.query<{ replayed: number; lastSequence: bigint }>(sql`
    with chosen as (
      select sequence, id, type, transaction_id, row_number() over (order by sequence) as position
      from ramp_events
      where user_id = ${userId} and sequence > ${after} and type = any(${types})
      order by sequence limit ${most}
    ),
    ordered as (
      insert into webhook_deliveries as delivery (id, endpoint_id, user_id, sequence, event_id, event_type,
        transaction_id, state, created_at, updated_at, due_at)
      select ${deliveryId}::text || lpad(position::text, 5, '0'), ${endpointId}, ${userId}, sequence, id, type,
        transaction_id, 'pending', ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from chosen order by sequence
      on conflict (endpoint_id, sequence) do update
        set state = 'pending', attempts = 0, due_at = ${now}, updated_at = ${now}, created_at = ${now}
        where delivery.state <> 'pending'
      returning sequence
    )
    select (select count(*)::integer from ordered) as replayed,
      (select coalesce(max(sequence), ${after}) from chosen) as "lastSequence"`);
  return { replayed: row?.replayed ?? 0, lastSequence: Number(row?.lastSequence ?? after) };
}

/** A delivery as its owner sees it. */
export type DeliveryRow = {
  id: string;
  eventId: string;
  sequence: bigint;
  eventType: string;
  state: "pending" | "delivered" | "failed";
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  dueAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

const asDelivery = sql`
  id, event_id as "eventId", sequence, event_type as "eventType", state, attempts,
  last_status as "lastStatus", last_error as "lastError", due_at as "dueAt",
  created_at as "createdAt", updated_at as "updatedAt"`;

type DeliveryChoice = {
  endpointId: string;
  state: string | null;
  /** Those with a smaller number; null is from the newest on. */
  before: number | null;
  limit: number;
};

/** An endpoint's deliveries, those of the newest events first. */
export function listDeliveries(
  db: Queryable,
  { endpointId, state, before, limit }: DeliveryChoice,
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(sql`
    select ${asDelivery} from webhook_deliveries
    where endpoint_id = ${endpointId} and (${state}::text is null or state = ${state})
      and (${before}::bigint is null or sequence < ${before})
    order by sequence desc limit ${limit}`);
}

/** The delivery of one event. */
export async function findDeliveryOf(
  db: Queryable,
  endpointId: string,
  eventId: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await db.query<DeliveryRow>(sql`
    select ${asDelivery} from webhook_deliveries
    where endpoint_id = ${endpointId} and event_id = ${eventId}
    order by sequence desc limit 1`);
  return row;
}
