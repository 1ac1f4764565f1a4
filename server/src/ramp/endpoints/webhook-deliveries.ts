import type { WebhookDelivery } from "@slipway/sdk";
import { Type } from "typebox";
import { once } from "../../accounts/once.ts";
import { behindWall, enterWall, leaveWall } from "../../accounts/wall.ts";
import type { Database, Transaction } from "../../database/database.ts";
import { WithHeaders } from "../../http/answer.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import type { Clock } from "../../lib/clock.ts";
import { assert, CallerError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { testEvent, typesAskedFor } from "../events/event-types.ts";
import { tellTest } from "../events/tell.ts";
import {
  type DeliveryRow,
  findDeliveryOf,
  listDeliveries,
  replayDelivery,
  replayEvents,
} from "../store/deliveries.ts";
import { findWebhook, type WebhookRow } from "../store/webhooks.ts";
import { checkedId, existing } from "./webhook-id.ts";

type DeliveriesContext = { db: Database; clock: Clock; random: Random; sealer: Sealer };

const limitMost = 1_000;
const limitUsual = 100;
const replayedMost = 10_000;

const DeliverySchema = shapeOf<WebhookDelivery>()(
  Type.Object({
    id: Type.String(),
    eventId: Type.String(),
    sequence: Type.Integer(),
    eventType: Type.String(),
    state: Type.Union([Type.Literal("pending"), Type.Literal("delivered"), Type.Literal("failed")]),
    attempts: Type.Integer(),
    lastStatus: Type.Union([Type.Integer(), Type.Null()]),
    lastError: Type.Union([Type.String(), Type.Null()]),
    nextAttemptAt: Type.Union([Type.String(), Type.Null()]),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  }),
);

const path = "/v2/ramp/webhooks/{webhookId}";
const family = "ramp";
const actsFor = "self";
const idField = { webhookId: Type.String({ description: "`whk-` and digits" }) };
const params = Type.Object(idField);

/** What was sent to a webhook, and sending it again. */
export function webhookDeliveryEndpoints(context: DeliveriesContext): Endpoint[] {
  const { db, clock, random } = context;

  return [
    endpoint({
      method: "POST",
      path: `${path}/test`,
      family,
      actsFor,
      summary: "Send an event to a webhook to see whether it arrives",
      description: "The event is of the type `webhook.test` and goes to no other webhook.",
      scope: "webhooks:write",
      params,
      status: 200,
      response: DeliverySchema,
      handle(input) {
        const { userId } = input;
        const id = checkedId(input.params.webhookId);
        return once(context, input, async (tx) => {
          await enterWall(tx, userId);
          await getEnabled(tx, userId, id);
          await leaveWall(tx);
          const object = { webhookId: id };
          const test = { userId, webhookId: id, object, at: clock.now() };
          const delivery = await findDeliveryOf(tx, id, await tellTest(tx, { random }, test));
          assert(delivery, "a test event is delivered to its webhook");
          return present(delivery);
        });
      },
    }),
    endpoint({
      method: "GET",
      path: `${path}/deliveries`,
      family,
      actsFor,
      summary: "What was sent to a webhook, or is to be; newest event first",
      description:
        "The header `CB-AFTER` is the cursor for `after`, which gives what is older; there is none on the last page.",
      scope: "ramp:read",
      params,
      query: Type.Object({
        state: Type.Optional(
          Type.Enum(["pending", "delivered", "failed"], {
            description: "must be pending, delivered or failed",
          }),
        ),
        after: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: "must be what CB-After of the page before says",
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
      }),
      status: 200,
      response: Type.Array(DeliverySchema),
      async handle({ params: { webhookId }, query, userId }) {
        const { state = null, after = null, limit = limitUsual } = query;
        const id = checkedId(webhookId);
        const deliveries = await behindWall(db, userId, async (tx) => {
          existing(await findWebhook(tx, userId, id), id);
          return listDeliveries(tx, { endpointId: id, state, before: after, limit });
        });
        const last = deliveries.length < limit ? undefined : deliveries.at(-1);
        const page = deliveries.map(present);
        return last ? new WithHeaders(page, { "cb-after": String(last.sequence) }) : page;
      },
    }),
    endpoint({
      method: "POST",
      path: `${path}/deliveries/{deliveryId}/replay`,
      family,
      actsFor,
      summary: "Send an event to a webhook again",
      description: "What has not been delivered yet is tried at once.",
      scope: "webhooks:write",
      params: Type.Object({
        ...idField,
        deliveryId: Type.String({ description: "`del-` and digits" }),
      }),
      status: 200,
      response: DeliverySchema,
      handle(input) {
        const { userId } = input;
        const { deliveryId } = input.params;
        const id = checkedId(input.params.webhookId);
        if (!isId("del", deliveryId)) {
          throw new CallerError("not_found", "There is no such delivery: ids look like del-123.");
        }
        return once(context, input, async (tx) => {
          await enterWall(tx, userId);
          await getEnabled(tx, userId, id);
          const delivery = await replayDelivery(tx, id, deliveryId, new Date(clock.now()));
          if (!delivery) {
            throw new CallerError("not_found", `Delivery ${deliveryId} was not found.`);
          }
          return present(delivery);
        });
      },
    }),
    endpoint({
      method: "POST",
      path: `${path}/replay`,
      family,
      actsFor,
      summary: "Send events to a webhook again",
      description:
        `Those that came after a number and that the webhook wants, at most ${replayedMost} at a time: ` +
        "`lastSequence` is what to give as `after` to go on. What has not been delivered yet stays as it is.",
      scope: "webhooks:write",
      params,
      body: Type.Object({
        after: Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: "must be the number of the last event that you have, or 0",
        }),
      }),
      status: 200,
      response: Type.Object({ replayed: Type.Integer(), lastSequence: Type.Integer() }),
      handle(input) {
        const { userId } = input;
        const { after } = input.body;
        const id = checkedId(input.params.webhookId);
        return once(context, input, async (tx) => {
          await enterWall(tx, userId);
          const { eventTypes } = await getEnabled(tx, userId, id);
          return replayEvents(tx, {
            endpointId: id,
            userId,
            after,
            types: typesAskedFor(eventTypes).filter((type) => type !== testEvent),
            most: replayedMost,
            now: new Date(clock.now()),
            deliveryId: newId("del", random),
          });
        });
      },
    }),
  ];
}

/** Nothing is sent to a webhook that is disabled. */
async function getEnabled(tx: Transaction, userId: string, id: string): Promise<WebhookRow> {
  const webhook = existing(await findWebhook(tx, userId, id), id);
  if (!webhook.disabledAt) return webhook;
  throw new CallerError("conflict", `Webhook ${id} is disabled; enable it first.`);
}

function present(delivery: DeliveryRow): WebhookDelivery {
  const { id, eventId, sequence, eventType, state, attempts, lastStatus, lastError, dueAt } =
    delivery;
  return {
    id,
    eventId,
    sequence: Number(sequence),
    eventType,
    state,
    attempts,
    lastStatus,
    lastError,
    nextAttemptAt: dueAt && timestamp(dueAt),
    createdAt: timestamp(delivery.createdAt),
    updatedAt: timestamp(delivery.updatedAt),
  };
}
