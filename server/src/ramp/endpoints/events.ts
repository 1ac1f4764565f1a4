import type { RampEvents } from "@slipway/sdk";
import { Type } from "typebox";
import { behindWall } from "../../accounts/wall.ts";
import type { Database } from "../../database/database.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { Ready } from "../../http/ready.ts";
import { CallerError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import { askedTypeForm, askedTypeRule, typesAskedFor } from "../events/event-types.ts";
import { type EventPage, hasTransaction, listEvents } from "../store/events.ts";

const limitMost = 1_000;
const limitUsual = 100;

const EventsSchema = shapeOf<RampEvents>()(
  Type.Object({
    events: Type.Array(
      Type.Object({
        id: Type.String(),
        sequence: Type.Integer(),
        type: Type.String(),
        createdAt: Type.String(),
        userId: Type.String(),
        data: Type.Object({ object: Type.Unknown() }),
      }),
    ),
    lastSequence: Type.Integer({ description: "Give it as `after` to go on." }),
  }),
);

const family = "ramp";
const scope = "ramp:read";
const actsFor = "subaccounts";

const pageFields = {
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: "must be the number of the last event that you have",
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limitMost,
      default: limitUsual,
      description: `must be a whole number from 1 to ${limitMost}`,
    }),
  ),
};

/** Reading again what webhooks tell. */
export function eventEndpoints({ db }: { db: Database }): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/v2/ramp/events",
      family,
      actsFor,
      summary: "What happened, oldest first",
      description:
        "Every event that webhooks tell, in an order that never changes. The numbers of an account's events have no " +
        "gaps: whoever goes on with `after` misses nothing. A master's list holds the events of its subaccounts too; " +
        "with `userId` it is the subaccount's own list, which has numbers of its own.",
      scope,
      query: Type.Object({
        ...pageFields,
        type: Type.Optional(Type.String({ pattern: askedTypeForm, description: askedTypeRule })),
        transactionId: Type.Optional(
          Type.String({ pattern: "^txn-\\d{1,20}$", description: "must look like txn-123" }),
        ),
      }),
      status: 200,
      response: EventsSchema,
      rows: "events",
      async handle({ query, userId }) {
        const { after = 0, limit = limitUsual, type, transactionId = null } = query;
        const types = type === undefined ? null : typesAskedFor([type]);
        const page = await behindWall(db, userId, (tx) =>
          listEvents(tx, { userId, after, limit, types, transactionId }),
        );
        return present(page, limit);
      },
    }),
    endpoint({
      method: "GET",
      path: "/v2/ramp/transactions/{transactionId}/events",
      family,
      actsFor,
      summary: "What happened to a transaction, oldest first",
      scope,
      params: Type.Object({ transactionId: Type.String({ description: "`txn-` and digits" }) }),
      query: Type.Object(pageFields),
      status: 200,
      response: EventsSchema,
      rows: "events",
      async handle({ params: { transactionId }, query, userId }) {
        const { after = 0, limit = limitUsual } = query;
        if (!isId("txn", transactionId)) {
          throw new CallerError(
            "not_found",
            "There is no such transaction: ids look like txn-123.",
          );
        }
        return behindWall(db, userId, async (tx) => {
          if (!(await hasTransaction(tx, userId, transactionId))) {
            throw new CallerError("not_found", `Transaction ${transactionId} was not found.`);
          }
          const choice = { userId, after, limit, types: null, transactionId };
          return present(await listEvents(tx, choice), limit);
        });
      },
    }),
  ];
}

/** The events byte for byte as they were sent. A page that is not full reaches up to the newest event. */
function present({ events, newest }: EventPage, limit: number): Ready {
  const last = events.length < limit ? newest : events.at(-1)?.sequence;
  const payloads = events.map(({ payload }) => payload).join(",");
  return new Ready(`{"events":[${payloads}],"lastSequence":${last}}`);
}
