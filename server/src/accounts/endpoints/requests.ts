import type { LoggedRequest, RequestSummary } from "@slipway/sdk";
import { type Static, Type } from "typebox";
import type { Database } from "../../database/database.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { asMilliseconds, timeFields } from "../../http/list.ts";
import type { Clock } from "../../lib/clock.ts";
import { CallerError } from "../../lib/errors.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { keyIdForm } from "../api-key.ts";
import { summaryOf, summaryStart } from "../request-summary.ts";
import {
  countRequests,
  findRequest,
  listRequests,
  type RequestFilter,
  type RequestRow,
} from "../store/requests.ts";
import { behindWall } from "../wall.ts";
import { cursorFields, pageLimit, pageOf, userIdForm } from "./operator-list.ts";

type RequestContext = {
  db: Database;
  clock: Clock;
  /** Has everything in the log that this service has answered. */
  flush(): Promise<void>;
};

const Nullable = Type.Union([Type.String(), Type.Null()]);

const RequestSchema = shapeOf<LoggedRequest>()(
  Type.Object({
    id: Type.String(),
    at: Type.String(),
    method: Type.String(),
    route: Type.String(),
    path: Type.String(),
    status: Type.Integer(),
    milliseconds: Type.Number(),
    keyId: Nullable,
    userId: Nullable,
    errors: Type.Array(Type.String()),
  }),
);

const SummarySchema = shapeOf<RequestSummary>()(
  Type.Object({
    from: Type.String(),
    requests: Type.Integer(),
    errors: Type.Integer(),
    notListed: Type.Integer({
      description: "How many came too fast for each of them to be listed.",
    }),
    routes: Type.Array(
      Type.Object({
        method: Type.String(),
        route: Type.String(),
        requests: Type.Integer(),
        errors: Type.Integer(),
        notListed: Type.Integer(),
        byStatus: Type.Record(Type.String(), Type.Integer()),
      }),
    ),
    hours: Type.Array(
      Type.Object({ from: Type.String(), requests: Type.Integer(), errors: Type.Integer() }),
    ),
  }),
);

const idForm = "req-[0-9a-f]{12}-[0-9a-z]{1,11}";
const anyStatus = [0, 999] as const;
const methods = ["GET", "HEAD", "POST", "DELETE"] as const;

const listFields = {
  ...cursorFields(idForm),
  ...timeFields,
  status: Type.Optional(
    Type.String({
      pattern: "^[1-5]([0-9]{2}|xx)$",
      description: "must be a status such as 404, or the first digit of some: 4xx",
    }),
  ),
  method: Type.Optional(
    Type.Enum([...methods], { description: `must be one of ${methods.join(", ")}` }),
  ),
  path: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: "^/[^\\u0000]*$",
      description: "must be how the path begins, such as /v2/ramp",
    }),
  ),
  keyId: Type.Optional(
    Type.String({ pattern: `^${keyIdForm}$`, description: "must be the id of a key" }),
  ),
};

const ListQuery = Type.Object(listFields);
const OperatorQuery = Type.Object({
  ...listFields,
  userId: Type.Optional(
    Type.String({ pattern: `^${userIdForm}$`, description: "must look like usr-123" }),
  ),
});

const path = "/v2/requests";
const common = { method: "GET", family: "account", isUnlisted: true, status: 200 } as const;
const own = { ...common, scope: "requests:read", actsFor: "self" } as const;
const operators = { ...common, scope: "operator" } as const;

/** What was asked of the API. */
export function requestEndpoints({ db, clock, flush }: RequestContext): Endpoint[] {
  return [
    endpoint({
      ...own,
      path,
      summary: "What was asked of the API with the account's keys, newest first",
      description:
        "Requests of the last seven days, up to 100,000 of them. Of a key that asks for more than 500 at once or 10 in " +
        "a second some are not listed; `…/summary` counts them all. A request that was answered a moment ago by " +
        "another machine is listed after some seconds. Reading this log is not in it.",
      query: ListQuery,
      response: Type.Array(RequestSchema),
      async handle({ query, userId }) {
        await flush();
        const limit = pageLimit(query);
        const { after = null } = query;
        const filter = filterOf(query, userId);
        const rows = await behindWall(db, userId, (tx) =>
          listRequests(tx, filter, { after, limit }),
        );
        return pageOf(rows.map(present), limit, ({ id }) => id);
      },
    }),
    endpoint({
      ...own,
      path: `${path}/summary`,
      summary: "How many requests there were in the last day, by path and status",
      response: SummarySchema,
      async handle({ userId }) {
        await flush();
        const from = summaryStart(clock.now());
        const counts = await behindWall(db, userId, (tx) => countRequests(tx, userId, from));
        return summaryOf(from, counts);
      },
    }),
    endpoint({
      ...own,
      path: `${path}/{requestId}`,
      summary: "One request",
      params: Type.Object({ requestId: Type.String({ description: "As `X-Request-Id` said" }) }),
      response: RequestSchema,
      async handle({ params: { requestId }, userId }) {
        await flush();
        const isId = new RegExp(`^${idForm}$`).test(requestId);
        const row = isId
          ? await behindWall(db, userId, (tx) => findRequest(tx, userId, requestId))
          : undefined;
        if (row) return present(row);
        throw new CallerError("not_found", "There is no such request in the log.");
      },
    }),
    endpoint({
      ...operators,
      path: "/operator/requests",
      summary: "What was asked of the API by everybody, newest first",
      query: OperatorQuery,
      response: Type.Array(RequestSchema),
      async handle({ query }) {
        await flush();
        const limit = pageLimit(query);
        const { after = null, userId = null } = query;
        const rows = await listRequests(db, filterOf(query, userId), { after, limit });
        return pageOf(rows.map(present), limit, ({ id }) => id);
      },
    }),
    endpoint({
      ...operators,
      path: "/operator/requests/summary",
      summary: "How many requests of everybody there were in the last day, by path and status",
      response: SummarySchema,
      async handle() {
        await flush();
        const from = summaryStart(clock.now());
        return summaryOf(from, await countRequests(db, null, from));
      },
    }),
  ];
}

function filterOf(query: Static<typeof ListQuery>, userId: string | null): RequestFilter {
  const { status, method = null, path = null, keyId = null, from, to } = query;
  const statuses = status
    ? ([Number(status.replace("xx", "00")), Number(status.replace("xx", "99"))] as const)
    : anyStatus;
  const window = { from: timeOf(from), to: timeOf(to) };
  if (window.from && window.to && window.from > window.to) {
    throw new CallerError("bad_request", "from must not be later than to");
  }
  return { userId, statuses, method, path, keyId, ...window };
}

/** The database's calendar ends before what a number can say. */
const lastMoment = Date.UTC(9_999, 11, 31);

function timeOf(time: number | undefined): Date | null {
  return time === undefined ? null : new Date(Math.min(asMilliseconds(time), lastMoment));
}

function present({ at, errors, ...row }: RequestRow): LoggedRequest {
  return { ...row, at: timestamp(at), errors: errors === "" ? [] : errors.split("\n") };
}
