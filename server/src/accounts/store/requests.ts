import type { Database, Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";

/** A request as it is listed. */
export type RequestRow = {
  id: string;
  /** Null when no valid key came with it. */
  userId: string | null;
  keyId: string | null;
  at: Date;
  method: string;
  route: string;
  path: string;
  status: number;
  milliseconds: number;
  /** A line for each. */
  errors: string;
};

/** How many requests there were of one kind. */
export type RequestCount = {
  userId: string | null;
  method: string;
  route: string;
  status: number;
  requests: number;
  notListed: number;
};

/** What is written at once. `rows` holds at least one of the requests that `counts` count. */
export type RequestBatch = { hour: Date; rows: RequestRow[]; counts: RequestCount[] };

const asRow = sql`
  id, user_id as "userId", key_id as "keyId", at, method, route, path, status, milliseconds, errors`;

/** Adds a batch. One that is there already is left alone: whoever never heard that it was written writes it again. */
export function addBatch(db: Database, { hour, rows, counts }: RequestBatch): Promise<void> {
  return db.transact(async (tx) => {
    if (rows[0] && (await findRequest(tx, null, rows[0].id))) return;
    await tx.copy({
      table: "api_requests",
      columns: [
        ...["id", "user_id", "key_id", "at", "method"],
        ...["route", "path", "status", "milliseconds", "errors"],
      ],
      rows: rows.map((row) => [
        ...[row.id, row.userId, row.keyId, row.at, row.method],
        ...[row.route, row.path, row.status, row.milliseconds, row.errors],
      ]),
    });
    const column = <Name extends keyof RequestCount>(name: Name) =>
      counts.map((count) => count[name]);
    // In one order everywhere, so that services that count the same never wait for each other.
    await tx.query(sql`
      insert into api_request_counts as counted (hour, user_id, method, route, status, requests, not_listed)
      select ${hour}::timestamptz, user_id, method, route, status, sum(requests), sum(not_listed)
      from unnest(${column("userId")}::text[], ${column("method")}::text[], ${column("route")}::text[],
        ${column("status")}::smallint[], ${column("requests")}::bigint[], ${column("notListed")}::bigint[])
        as added (user_id, method, route, status, requests, not_listed)
      group by user_id, method, route, status
      order by user_id, method, route, status
      on conflict (hour, user_id, method, route, status) do update set
        requests = counted.requests + excluded.requests, not_listed = counted.not_listed + excluded.not_listed`);
  });
}

/** Which requests are wanted; null asks for any. */
export type RequestFilter = {
  userId: string | null;
  /** From one status to another. */
  statuses: readonly [number, number];
  method: string | null;
  /** How the path begins. */
  path: string | null;
  keyId: string | null;
  from: Date | null;
  to: Date | null;
};

/** Requests of an account, or of everybody, newest first, from after one of them on. */
export function listRequests(
  db: Queryable,
  { userId, statuses, method, path, keyId, from, to }: RequestFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<RequestRow[]> {
  const whose = ofAccount(userId);
  const [statusLeast, statusMost] = statuses;
  return db.query<RequestRow>(sql`
    select ${asRow} from api_requests
    where ${whose} and status between ${statusLeast} and ${statusMost}
      and (${method}::text is null or method = ${method})
      and (${path}::text is null or starts_with(path, ${path}))
      and (${keyId}::text is null or key_id = ${keyId})
      and (${from}::timestamptz is null or at >= ${from})
      and (${to}::timestamptz is null or at <= ${to})
      and (${after}::text is null
        or sequence < (select sequence from api_requests where id = ${after} and ${whose}))
    order by sequence desc limit ${limit}`);
}

/** One request of an account, or of anybody. */
export async function findRequest(
  db: Queryable,
  userId: string | null,
  id: string,
): Promise<RequestRow | undefined> {
  const [row] = await db.query<RequestRow>(sql`
    select ${asRow} from api_requests where id = ${id} and ${ofAccount(userId)}`);
  return row;
}

/** How many requests of one kind there were in one hour. */
export type HourCount = Omit<RequestCount, "userId"> & { hour: Date };

/** The numbers of an account, or of everybody, from an hour on. */
export async function countRequests(
  db: Queryable,
  userId: string | null,
  from: Date,
): Promise<HourCount[]> {
  const rows = await db.query<Omit<HourCount, "requests" | "notListed"> & Sums>(sql`
    select hour, method, route, status,
      sum(requests)::bigint as requests, sum(not_listed)::bigint as "notListed"
    from api_request_counts where hour >= ${from} and ${ofAccount(userId)}
    group by hour, method, route, status order by hour, route, method, status`);
  return rows.map(({ requests, notListed, ...kind }) => ({
    ...kind,
    requests: Number(requests),
    notListed: Number(notListed),
  }));
}

type Sums = { requests: bigint; notListed: bigint };

/** Forgets requests and numbers from before a time, some at once. Returns whether there may be more. */
export async function forgetBefore(db: Queryable, time: Date, most: number): Promise<boolean> {
  const forgotten = await db.query(sql`
    delete from api_requests where sequence in (
      select sequence from (select sequence, at from api_requests order by sequence limit ${most}) as oldest
      where at < ${time})
    returning sequence`);
  await db.query(sql`delete from api_request_counts where hour < ${time}`);
  return forgotten.length === most;
}

/** Forgets what an account, or nobody, asked for before its newest requests. */
export async function forgetBeyond(
  db: Queryable,
  userId: string | null,
  kept: number,
): Promise<void> {
  const whose = userId === null ? sql`user_id is null` : sql`user_id = ${userId}`;
  await db.query(sql`
    delete from api_requests where ${whose} and sequence <= (
      select sequence from api_requests where ${whose} order by sequence desc offset ${kept} limit 1)`);
}

function ofAccount(userId: string | null): Sql {
  return userId === null ? sql`true` : sql`user_id = ${userId}`;
}
