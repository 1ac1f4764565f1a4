import type { Queryable } from "../../database/database.ts";
import { prepared, type Sql, sql } from "../../database/sql.ts";

/** An event before it has its numbers. */
export type NewEvent = {
  id: string;
  type: string;
  /** Of each way to ask for this type. */
  askedAs: readonly string[];
  aboutUserId: string;
  transactionId: string | null;
  /** The event as it is sent, before and after its number. */
  head: string;
  tail: string;
  at: Date;
  /** What the ids of its deliveries begin with. */
  deliveryId: string;
  /** Told to this webhook only, and not to the master. */
  onlyTo: string | null;
};

/**
 * Writes an event into the list of its account and of the master, and a delivery for each webhook that wants it.
 * The counters stay locked until the transaction ends: that is why there are no gaps, and why nobody sees a number
 * before the one below it. The master's is locked first, so that two accounts of one family never wait in a circle.
 */
export function insertEvent(event: NewEvent): Sql {
  const { id, type, askedAs, aboutUserId, transactionId, head, tail, at } = event;
  const { deliveryId, onlyTo } = event;
  return prepared`
    with lists as (
      select list.user_id, list.position
      from users cross join lateral (values (1, master_id), (2, id)) as list (position, user_id)
      where id = ${aboutUserId} and list.user_id is not null
        and (${onlyTo}::text is null or list.user_id = id)
    ),
    numbered as (
      insert into event_counters as counter (user_id, last_sequence)
      select user_id, 1 from lists order by position
      on conflict (user_id) do update set last_sequence = counter.last_sequence + 1
      returning user_id, last_sequence as sequence
    ),
    told as (
      insert into ramp_events
        (user_id, sequence, id, type, about_user_id, transaction_id, payload, created_at)
      select user_id, sequence, ${id}, ${type}, ${aboutUserId}, ${transactionId},
        ${head}::text || sequence || ${tail}::text, ${at}
      from numbered
      returning user_id, sequence
    )
    insert into webhook_deliveries (id, endpoint_id, user_id, sequence, event_id, event_type, transaction_id,
      state, created_at, updated_at, due_at)
    select ${deliveryId}::text || lpad((row_number() over ())::text, 2, '0'), endpoint.id, user_id, sequence,
      ${id}, ${type}, ${transactionId}, 'pending', ${at}, ${at}, ${at}
    from told join webhook_endpoints as endpoint using (user_id)
    where endpoint.disabled_at is null and endpoint.deleted_at is null
      and case when ${onlyTo}::text is null
        then endpoint.event_types = '{}' or endpoint.event_types && ${askedAs}::text[]
        else endpoint.id = ${onlyTo} end`;
}

/** Which events of an account's list are wanted. */
export type EventChoice = {
  userId: string;
  /** Those with a greater number. */
  after: number;
  limit: number;
  /** Null: of all types. */
  types: readonly string[] | null;
  transactionId: string | null;
};

/** Events as they were sent, oldest first, and the number of the account's newest event at that moment. */
export type EventPage = { events: { sequence: number; payload: string }[]; newest: number };

/** Reads a part of an account's list. */
export async function listEvents(db: Queryable, choice: EventChoice): Promise<EventPage> {
  const { userId, after, limit, types, transactionId } = choice;
  const events = await db.query<{ sequence: bigint | null; payload: string; newest: bigint }>(sql`
    select sequence, payload, newest
    from (select coalesce(max(last_sequence), 0) as newest from event_counters where user_id = ${userId}) as counter
    left join lateral (
      select sequence, payload from ramp_events
      where user_id = ${userId} and sequence > ${after}
        and (${types}::text[] is null or type = any(${types}))
        and (${transactionId}::text is null or transaction_id = ${transactionId})
      order by sequence limit ${limit}
    ) as page on true
    order by sequence`);
  return {
    events: events
      .filter(({ sequence }) => sequence !== null)
      .map(({ sequence, payload }) => ({ sequence: Number(sequence), payload })),
    newest: Number(events[0]?.newest ?? 0),
  };
}

/** Whether an account has this transaction. Somebody else's is the same as none. */
export async function hasTransaction(
  db: Queryable,
  userId: string,
  transactionId: string,
): Promise<boolean> {
  const found = await db.query(sql`
    select id from ramp_transactions where id = ${transactionId} and user_id = ${userId}`);
  return found.length > 0;
}
