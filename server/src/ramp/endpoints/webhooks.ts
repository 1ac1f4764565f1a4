import type { NewWebhook, Webhook, WebhookWithSecret } from "@slipway/sdk";
import { Type } from "typebox";
import type { Mode } from "../../accounts/api-key.ts";
import { recordAudit } from "../../accounts/audit.ts";
import { once } from "../../accounts/once.ts";
import { behindWall, enterWall, leaveWall } from "../../accounts/wall.ts";
import type { Database, Transaction } from "../../database/database.ts";
import { type Caller, type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import type { Clock } from "../../lib/clock.ts";
import { CallerError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import { readTarget } from "../../lib/outgoing/target.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { askedTypeForm, askedTypeRule } from "../events/event-types.ts";
import type { RampSettings } from "../settings.ts";
import {
  countWebhooks,
  deleteWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  replaceSecret,
  type WebhookRow,
} from "../store/webhooks.ts";
import { secretOverlapMs } from "../webhooks/retries.ts";
import { webhookRules } from "../webhooks/rules.ts";
import { newSecret, secretPlace } from "../webhooks/secret.ts";
import { NoContent, noContent } from "./payment-methods.ts";
import { webhookDeliveryEndpoints } from "./webhook-deliveries.ts";
import { checkedId, existing } from "./webhook-id.ts";

type WebhookContext = {
  db: Database;
  clock: Clock;
  random: Random;
  sealer: Sealer;
  mode: Mode;
  settings: Pick<RampSettings, "webhookPorts">;
};

const webhooksMost = 20;

const webhookFields = {
  id: Type.String(),
  url: Type.String(),
  eventTypes: Type.Array(Type.String(), { description: "Empty: all. A type may end in `*`." }),
  description: Type.String(),
  status: Type.Union([Type.Literal("enabled"), Type.Literal("disabled")]),
  disabledReason: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String(),
  updatedAt: Type.String(),
};

const WebhookSchema = shapeOf<Webhook>()(Type.Object(webhookFields));

const WithSecretSchema = shapeOf<WebhookWithSecret>()(
  Type.Object({
    ...webhookFields,
    secret: Type.String({ description: "Shown only now. Verifies what we send." }),
  }),
);

const NewWebhookSchema = shapeOf<NewWebhook>()(
  Type.Object({
    url: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: "must be a URL such as https://example.com/webhooks, of at most 2048 characters",
    }),
    eventTypes: Type.Optional(
      Type.Array(Type.String({ pattern: askedTypeForm, description: askedTypeRule }), {
        maxItems: 50,
        description: "must be a list of at most 50 event types; left out or empty, all are sent",
      }),
    ),
    description: Type.Optional(
      Type.String({ maxLength: 500, description: "must be a text of at most 500 characters" }),
    ),
  }),
);

const path = "/v2/ramp/webhooks";
const family = "ramp";
const actsFor = "self";
const params = Type.Object({ webhookId: Type.String({ description: "`whk-` and digits" }) });

/** Where customers want their events sent to. */
export function webhookEndpoints(context: WebhookContext): Endpoint[] {
  const { db, clock, random, sealer } = context;
  const rules = webhookRules(context);
  const timeNow = () => new Date(clock.now());

  /** The last thing in a transaction. */
  async function note(
    tx: Transaction,
    { caller, address }: { caller: Caller; address: string },
    action: string,
    { id, url }: Pick<WebhookRow, "id" | "url">,
  ): Promise<void> {
    await leaveWall(tx);
    const { keyId, userId } = caller;
    const detail = { url: new URL(url).origin };
    await recordAudit(tx, {
      keyId,
      userId,
      ip: address,
      action,
      target: id,
      detail,
      at: timeNow(),
    });
  }

  return [
    endpoint({
      method: "POST",
      path,
      family,
      actsFor,
      summary: "Have events sent to a URL",
      description:
        "Events are signed as Standard Webhooks says; the answer holds the secret, which is shown only once. " +
        "Redirects are not followed, and the address has to be a public one. In the sandbox `http://localhost` works.",
      scope: "webhooks:write",
      body: NewWebhookSchema,
      status: 201,
      response: WithSecretSchema,
      async handle(input) {
        const { body, userId } = input;
        const target = readTarget(body.url, rules);
        if ("fault" in target) throw new CallerError("bad_request", `url ${target.fault}`);
        return once(context, input, async (tx) => {
          if ((await countWebhooks(tx, userId)) >= webhooksMost) {
            throw new CallerError(
              "conflict",
              `There are ${webhooksMost} webhooks already, which is the most; delete one first.`,
            );
          }
          const id = newId("whk", random);
          const secret = newSecret(random);
          const { eventTypes = [], description = "" } = body;
          const now = timeNow();
          const row = { id, url: target.url.href, eventTypes, description };
          const sealed = sealer.seal(secret, secretPlace(id, userId));
          await enterWall(tx, userId);
          await insertWebhook(tx, { ...row, userId, secret: sealed, now });
          await note(tx, input, "webhook.created", row);
          const fresh = { disabledAt: null, disabledReason: null, createdAt: now, updatedAt: now };
          return { ...present({ ...row, ...fresh }), secret };
        });
      },
    }),
    endpoint({
      method: "GET",
      path,
      family,
      actsFor,
      summary: "The caller's webhooks, newest first",
      scope: "ramp:read",
      status: 200,
      response: Type.Array(WebhookSchema),
      async handle({ userId }) {
        return (await behindWall(db, userId, (tx) => listWebhooks(tx, userId))).map(present);
      },
    }),
    endpoint({
      method: "GET",
      path: `${path}/{webhookId}`,
      family,
      actsFor,
      summary: "One webhook of the caller",
      scope: "ramp:read",
      params,
      status: 200,
      response: WebhookSchema,
      async handle({ params: { webhookId }, userId }) {
        const id = checkedId(webhookId);
        const webhook = await behindWall(db, userId, (tx) => findWebhook(tx, userId, id));
        return present(existing(webhook, id));
      },
    }),
    endpoint({
      method: "DELETE",
      path: `${path}/{webhookId}`,
      family,
      actsFor,
      summary: "Send nothing more to a webhook",
      scope: "webhooks:write",
      params,
      status: 204,
      response: NoContent,
      handle(input) {
        const { userId } = input;
        const id = checkedId(input.params.webhookId);
        return behindWall(db, userId, async (tx) => {
          const webhook = existing(await deleteWebhook(tx, userId, id, timeNow()), id);
          await note(tx, input, "webhook.deleted", webhook);
          return noContent;
        });
      },
    }),
    endpoint({
      method: "POST",
      path: `${path}/{webhookId}/rotate`,
      family,
      actsFor,
      summary: "A new secret for a webhook",
      description: "For 24 hours every event carries a signature of the old secret too.",
      scope: "webhooks:write",
      params,
      status: 200,
      response: WithSecretSchema,
      handle(input) {
        const { userId } = input;
        const id = checkedId(input.params.webhookId);
        return once(context, input, async (tx) => {
          await enterWall(tx, userId);
          const secret = newSecret(random);
          const now = timeNow();
          const replaced = await replaceSecret(tx, {
            userId,
            id,
            secret: sealer.seal(secret, secretPlace(id, userId)),
            previousUntil: new Date(now.getTime() + secretOverlapMs),
            now,
          });
          const webhook = existing(replaced, id);
          await note(tx, input, "webhook.rotated", webhook);
          return { ...present(webhook), secret };
        });
      },
    }),
    endpoint({
      method: "POST",
      path: `${path}/{webhookId}/enable`,
      family,
      actsFor,
      summary: "Send to a webhook again that was disabled",
      description:
        "A webhook is disabled when its receiver answers 410, or when nothing got through for 5 days. What was told " +
        "meanwhile is sent by `replay`.",
      scope: "webhooks:write",
      params,
      status: 200,
      response: WebhookSchema,
      handle(input) {
        const { userId } = input;
        const id = checkedId(input.params.webhookId);
        return once(context, input, async (tx) => {
          await enterWall(tx, userId);
          const webhook = existing(await enableWebhook(tx, userId, id, timeNow()), id);
          await note(tx, input, "webhook.enabled", webhook);
          return present(webhook);
        });
      },
    }),
    ...webhookDeliveryEndpoints(context),
  ];
}

function present(webhook: WebhookRow): Webhook {
  const { id, url, eventTypes, description, disabledAt, disabledReason } = webhook;
  return {
    id,
    url,
    eventTypes,
    description,
    status: disabledAt ? "disabled" : "enabled",
    disabledReason,
    createdAt: timestamp(webhook.createdAt),
    updatedAt: timestamp(webhook.updatedAt),
  };
}
