import { Type } from "typebox";
import type { Database } from "../../database/database.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import type { Clock } from "../../lib/clock.ts";
import { assert, CallerError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Sealer } from "../../lib/seal.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { actorOf } from "../audit.ts";
import { once } from "../once.ts";
import { accountKinds, lockUser, verifications } from "../store/users.ts";
import {
  findVerification,
  listByVerification,
  type WaitingAccount,
} from "../store/verifications.ts";
import type { Told } from "../told.ts";
import { decideVerification, startVerification, type Verifier } from "../verification.ts";
import { cursorFields, pageLimit, pageOf, userIdForm } from "./operator-list.ts";

const StatusSchema = Type.Enum([...verifications], {
  description: `must be one of ${verifications.join(", ")}`,
});

const KindSchema = Type.Enum([...accountKinds], {
  description: `must be one of ${accountKinds.join(", ")}`,
});

const VerificationSchema = Type.Object({
  userId: Type.String(),
  status: StatusSchema,
  reason: Type.Union([Type.String(), Type.Null()]),
  /** Where the owner shows papers, while that is asked for. */
  url: Type.Union([Type.String(), Type.Null()]),
});

const WaitingSchema = Type.Object({
  userId: Type.String(),
  masterId: Type.Union([Type.String(), Type.Null()]),
  name: Type.String(),
  email: Type.String(),
  kind: KindSchema,
  status: StatusSchema,
  reason: Type.Union([Type.String(), Type.Null()]),
  updatedAt: Type.String(),
});

const UserParams = Type.Object({ userId: Type.String({ description: "`usr-` and digits" }) });

const DecisionSchema = Type.Object({
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: "^[^\\u0000]*$",
    description: "must say why, in 1 to 500 characters",
  }),
  kind: Type.Optional(KindSchema),
});

type VerificationContext = {
  db: Database;
  clock: Clock;
  sealer: Sealer;
  told: Told;
  verifier: Verifier;
};

const family = "ramp";
const path = "/v2/ramp/verification";

/** How customers get verified: they ask for it, and an operator or the verifier decides. */
export function verificationEndpoints(context: VerificationContext): Endpoint[] {
  const { db, clock } = context;
  return [
    endpoint({
      method: "POST",
      path,
      family,
      summary: "Ask for the account to be verified",
      description:
        "In the sandbox an e-mail address with `+approve@`, `+reject@` or `+review@` decides at once. Where papers " +
        "have to be shown, GET answers with the URL a moment later; it serves once, and asking again gives another.",
      scope: "ramp:subaccounts:write",
      actsFor: "subaccounts",
      body: Type.Object({}),
      status: 200,
      response: VerificationSchema,
      handle: (input) =>
        once(context, input, (tx) =>
          startVerification(tx, context, {
            userId: input.userId,
            actor: actorOf(input),
            at: new Date(clock.now()),
          }),
        ),
    }),
    endpoint({
      method: "GET",
      path,
      family,
      summary: "Whether the account is verified",
      scope: "ramp:read",
      actsFor: "subaccounts",
      status: 200,
      response: VerificationSchema,
      async handle({ userId }) {
        const verification = await findVerification(db, userId);
        assert(verification, "whoever has a key has an account");
        return { userId, ...verification };
      },
    }),
    endpoint({
      method: "GET",
      path: "/operator/verifications",
      family,
      summary: "Accounts that wait for a decision, longest first",
      scope: "operator",
      query: Type.Object({ ...cursorFields(userIdForm), status: Type.Optional(StatusSchema) }),
      status: 200,
      response: Type.Array(WaitingSchema),
      async handle({ query }) {
        const statuses = query.status ? [query.status] : (["pending", "review"] as const);
        const limit = pageLimit(query);
        const after = query.after ?? null;
        const accounts = await listByVerification(db, statuses, { after, limit });
        return pageOf(accounts.map(shownWaiting), limit, ({ userId }) => userId);
      },
    }),
    decisionEndpoint(context, "approve"),
    decisionEndpoint(context, "reject"),
  ];
}

function shownWaiting({ id, verification, updatedAt, ...account }: WaitingAccount) {
  const { masterId, name, email, kind, reason } = account;
  const shown = { userId: id, masterId, name, email, kind, status: verification, reason };
  return { ...shown, updatedAt: timestamp(updatedAt) };
}

function decisionEndpoint(context: VerificationContext, verb: "approve" | "reject"): Endpoint {
  const status = verb === "approve" ? "approved" : "rejected";
  return endpoint({
    method: "POST",
    path: `/operator/verifications/{userId}/${verb}`,
    family,
    summary: verb === "approve" ? "Verify an account" : "Refuse to verify an account",
    description:
      "`kind` says whether it is a firm's, whose money goes another way than a person's.",
    scope: "operator",
    params: UserParams,
    body: DecisionSchema,
    status: 200,
    response: VerificationSchema,
    handle: (input) =>
      once(context, input, async (tx) => {
        const { userId } = input.params;
        const account = isId("usr", userId) ? await lockUser(tx, userId) : undefined;
        if (!account) throw new CallerError("not_found", "There is no such account.");
        if (account.verification === status)
          throw new CallerError("conflict", `Account ${userId} is ${status} already.`);
        const { reason, kind } = input.body;
        return decideVerification(tx, context, {
          userId,
          status,
          reason,
          ...(kind && { kind }),
          decidedBy: input.caller.keyId,
          actor: actorOf(input),
          at: new Date(context.clock.now()),
        });
      }),
  });
}
