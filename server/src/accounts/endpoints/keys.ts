import type { ApiKey, ApiKeyWithSecret, CurrentKey, NewApiKey } from "@slipway/sdk";
import { Type } from "typebox";
import type { Database } from "../../database/database.ts";
import type { WithHeaders } from "../../http/answer.ts";
import { type Caller, type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { Ready } from "../../http/ready.ts";
import { assert, CallerError } from "../../lib/errors.ts";
import type { Sealer } from "../../lib/seal.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { isFixedKey, keyIdForm, scopes } from "../api-key.ts";
import { actorOf } from "../audit.ts";
import { endKeyIn, issueKeyIn, type KeyContext, rotateKeyIn } from "../keys.ts";
import { once } from "../once.ts";
import { countWorkingKeys, findKey, pageOfKeys, type StoredKey } from "../store/keys.ts";
import { lockUser } from "../store/users.ts";
import { cursorFields, pageLimit, pageOf } from "./operator-list.ts";

type KeyEndpointContext = KeyContext & {
  db: Database;
  sealer: Sealer;
  /** Has every key looked up again: what was changed holds from the next request on. */
  forget(): void;
};

const scopeRule = `must be one of ${scopes.join(", ")}`;
/** How many keys of an account may work at the same time. */
const keysMost = 100;
const overlapSecondsUsual = 24 * 3_600;
const overlapSecondsMost = 30 * 24 * 3_600;

const Nullable = Type.Union([Type.String(), Type.Null()]);

const keyFields = {
  id: Type.String(),
  label: Type.String(),
  userId: Type.String(),
  scopes: Type.Array(Type.String()),
  status: Type.Union([Type.Literal("active"), Type.Literal("expired"), Type.Literal("revoked")]),
  isFixed: Type.Boolean({ description: "A sandbox key: neither rotated nor revoked." }),
  createdAt: Type.String(),
  expiresAt: Nullable,
  lastUsedAt: Nullable,
  revokedAt: Nullable,
};

const KeySchema = shapeOf<ApiKey>()(Type.Object(keyFields));

const CurrentSchema = shapeOf<CurrentKey>()(
  Type.Object({
    ...keyFields,
    mode: Type.Union([Type.Literal("sandbox"), Type.Literal("live")]),
  }),
);

const WithSecretSchema = shapeOf<ApiKeyWithSecret>()(
  Type.Object({
    ...keyFields,
    key: Type.String({ description: "Shown only now. We keep a hash of it." }),
  }),
);

const NewKeySchema = shapeOf<NewApiKey>()(
  Type.Object({
    label: Type.String({
      pattern: "^[^\\p{Cc}]{1,100}$",
      description: "must be what the key is for, in 1 to 100 characters",
    }),
    scopes: Type.Array(Type.Enum([...scopes], { description: scopeRule }), {
      minItems: 1,
      maxItems: scopes.length,
      description: `must be a list of ${scopes.join(", ")}`,
    }),
    expiresAt: Type.Optional(
      Type.String({
        pattern:
          "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,3})?)?(Z|[+-][0-9]{2}:[0-9]{2})?$",
        description: "must be a time such as 2027-01-31T00:00:00Z; without a zone it is UTC",
      }),
    ),
  }),
);

const RotationSchema = Type.Object({
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: overlapSecondsMost,
      default: overlapSecondsUsual,
      description: `must be a whole number from 0 to ${overlapSecondsMost}`,
    }),
  ),
});

const noContent = new Ready("");
const path = "/v2/keys";
const common = { family: "account", actsFor: "self" } as const;
const managing = { ...common, scope: "keys:write" } as const;
const params = Type.Object({ keyId: Type.String({ description: "As `GET /v2/keys` says" }) });

/** What an account does with its keys. */
export function keyEndpoints(context: KeyEndpointContext): Endpoint[] {
  const { db, clock, mode, forget } = context;
  const timeNow = () => new Date(clock.now());
  const present = (key: StoredKey) => presentAt(key, clock.now());

  /** A key of the account. Somebody else's is the same as none. */
  async function ownKey(userId: string, keyId: string): Promise<StoredKey> {
    const key = new RegExp(`^${keyIdForm}$`).test(keyId) ? await findKey(db, keyId) : undefined;
    if (key?.userId === userId) return key;
    throw new CallerError("not_found", "There is no such key. GET /v2/keys lists those there are.");
  }

  return [
    endpoint({
      ...common,
      method: "GET",
      path: "/v2/key",
      summary: "The key that the request comes with",
      description: "Any key may ask. `lastUsedAt` is written down every ten seconds.",
      scope: null,
      status: 200,
      response: CurrentSchema,
      async handle({ caller }) {
        return { ...present(await ownKey(caller.userId, caller.keyId)), mode };
      },
    }),
    endpoint({
      ...managing,
      method: "GET",
      path,
      summary: "The account's keys, newest first",
      description: "Those that have ended are listed too. No list holds a key itself.",
      query: Type.Object(cursorFields(keyIdForm)),
      status: 200,
      response: Type.Array(KeySchema),
      async handle({ query, userId }) {
        const limit = pageLimit(query);
        const { after = null } = query;
        const keys = await pageOfKeys(db, { userId, after, limit });
        return pageOf(keys.map(present), limit, ({ id }) => id);
      },
    }),
    endpoint({
      ...managing,
      method: "POST",
      path,
      summary: "Make a key",
      description:
        "The answer holds the key, which is shown only once. A key can allow what the key that makes it allows, and " +
        `nothing else. At most ${keysMost} keys of an account work at the same time.`,
      body: NewKeySchema,
      status: 201,
      response: WithSecretSchema,
      async handle(input) {
        const { body, caller, userId } = input;
        const asked = [...new Set(body.scopes)];
        // Before anything is looked up: another key of the account may not be handed what this one lacks.
        refuseMoreRights(caller, asked);
        const expiresAt = body.expiresAt === undefined ? null : readTime(body.expiresAt);
        return once(context, input, async (tx) => {
          if (expiresAt && expiresAt <= timeNow()) {
            throw new CallerError("bad_request", "expiresAt must be later than now");
          }
          // Keys are made one after the other, so that each counts those before it.
          await lockUser(tx, userId);
          if ((await countWorkingKeys(tx, userId, timeNow())) >= keysMost) {
            throw new CallerError(
              "conflict",
              `There are ${keysMost} keys that work, which is the most; revoke one first.`,
            );
          }
          const request = { userId, label: body.label, scopes: asked, expiresAt };
          const { id, key } = await issueKeyIn(tx, context, request, actorOf(input));
          return { ...present(made(await findKey(tx, id))), key };
        });
      },
    }),
    endpoint({
      ...managing,
      method: "POST",
      path: `${path}/{keyId}/rotate`,
      summary: "Make a successor of a key",
      description:
        "The new key has the same label and rights and does not expire; it is shown only once. The old one goes on " +
        "working for `overlapSeconds`, a day when left out, unless it expires before. Only a key that allows all of " +
        "what the old one allows can rotate it.",
      params,
      body: RotationSchema,
      status: 201,
      response: WithSecretSchema,
      async handle(input) {
        const { caller, userId, body } = input;
        const { id, scopes: rights } = await ownKey(userId, input.params.keyId);
        refuseFixed(id);
        refuseMoreRights(caller, rights);
        const overlapMs = (body.overlapSeconds ?? overlapSecondsUsual) * 1_000;
        const answer: ApiKeyWithSecret | WithHeaders<Ready> = await once(
          context,
          input,
          async (tx) => {
            const issued = await rotateKeyIn(tx, context, { id, overlapMs }, actorOf(input));
            if (!issued) throw new CallerError("conflict", `Key ${id} does not work any more.`);
            return { ...present(made(await findKey(tx, issued.id))), key: issued.key };
          },
        );
        forget();
        return answer;
      },
    }),
    endpoint({
      ...managing,
      method: "DELETE",
      path: `${path}/{keyId}`,
      summary: "End a key at once",
      description:
        "A key that has ended stays as it is. The key that the request comes with is ended only with `self=true`.",
      params,
      query: Type.Object({
        self: Type.Optional(Type.Boolean({ description: "must be true or false" })),
      }),
      status: 204,
      response: Type.Null(),
      async handle(input) {
        const { caller, userId, query } = input;
        const { id } = await ownKey(userId, input.params.keyId);
        refuseFixed(id);
        if (id === caller.keyId && query.self !== true) {
          throw new CallerError(
            "conflict",
            "This is the key that the request comes with: add self=true if it is to end.",
          );
        }
        await db.transact((tx) => endKeyIn(tx, context, id, actorOf(input)));
        forget();
        return noContent;
      },
    }),
  ];
}

/** Nobody can make more of what he has. */
function refuseMoreRights({ scopes: own }: Caller, asked: readonly string[]): void {
  const lacking = asked.filter((scope) => !own.has(scope));
  if (lacking.length === 0) return;
  throw new CallerError(
    "forbidden",
    `This key lacks the scope ${lacking.join(", ")}, so that it cannot make a key that has it.`,
  );
}

function refuseFixed(id: string): void {
  if (!isFixedKey(id)) return;
  throw new CallerError(
    "conflict",
    "This is one of the sandbox's keys, which everybody knows and nobody can change. POST /v2/keys makes one that " +
      "can be rotated and revoked.",
  );
}

function readTime(text: string): Date {
  const time = new Date(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  if (!Number.isNaN(time.getTime())) return time;
  throw new CallerError("bad_request", "expiresAt must be a time that there is");
}

function made(key: StoredKey | undefined): StoredKey {
  assert(key, "a key that was just made is there");
  return key;
}

function presentAt(key: StoredKey, now: number): ApiKey {
  const { id, label, userId, scopes, createdAt, expiresAt, lastUsedAt, revokedAt } = key;
  return {
    id,
    label,
    userId,
    scopes,
    status: statusOf(key, now),
    isFixed: isFixedKey(id),
    createdAt: timestamp(createdAt),
    expiresAt: expiresAt && timestamp(expiresAt),
    lastUsedAt: lastUsedAt && timestamp(lastUsedAt),
    revokedAt: revokedAt && timestamp(revokedAt),
  };
}

/** A key whose time is over is retired some time later, which makes it no other. */
function statusOf({ expiresAt, revokedAt }: StoredKey, now: number): ApiKey["status"] {
  const ended = revokedAt?.getTime() ?? now;
  if (expiresAt && expiresAt.getTime() <= ended) return "expired";
  return revokedAt ? "revoked" : "active";
}
