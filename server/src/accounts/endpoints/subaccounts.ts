import type { CreatedSubaccount, NewSubaccount, Subaccount } from "@slipway/sdk";
import { Type } from "typebox";
import type { Database, Transaction } from "../../database/database.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import type { Clock } from "../../lib/clock.ts";
import { CallerError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";
import { once } from "../once.ts";
import { Email, PersonName } from "../person.ts";
import {
  findSubaccount,
  findUserByEmail,
  insertUser,
  listSubaccounts,
  toSubaccount,
} from "../store/users.ts";
import type { Told } from "../told.ts";

const SubaccountSchema = shapeOf<Subaccount>()(
  Type.Object({
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  }),
);

const NewSubaccountSchema = shapeOf<NewSubaccount>()(
  Type.Object({ name: PersonName, email: Email }),
);

const CreatedSchema = shapeOf<CreatedSubaccount>()(Type.Object({ newSubAccountId: Type.String() }));

const path = "/v2/ramp/subaccounts";
const family = "ramp";
const maturity = "alpha";

const actsFor = "self";

type SubaccountContext = {
  db: Database;
  clock: Clock;
  random: Random;
  sealer: Sealer;
  told: Told;
};

/** What a master does with its subaccounts. */
export function subaccountEndpoints(context: SubaccountContext): Endpoint[] {
  const { db } = context;
  return [
    endpoint({
      method: "POST",
      path,
      family,
      maturity,
      summary: "Create a subaccount",
      description:
        'The body may also be nested: `{"subAccount": {"name", "email"}, "api-key": "…"}`.',
      scope: "ramp:subaccounts:write",
      actsFor,
      body: NewSubaccountSchema,
      bodyMayBeIn: "subAccount",
      keyMayBeInBody: true,
      status: 201,
      response: CreatedSchema,
      handle: (input) =>
        once(context, input, (tx) =>
          createSubaccount(tx, context, input.caller.userId, input.body),
        ),
    }),
    endpoint({
      method: "GET",
      path,
      family,
      maturity,
      summary: "The caller's subaccounts, newest first",
      scope: "ramp:read",
      actsFor,
      status: 200,
      response: Type.Array(SubaccountSchema),
      handle: ({ caller }) => listSubaccounts(db, caller.userId),
    }),
    endpoint({
      method: "GET",
      path: `${path}/{accountId}`,
      family,
      maturity,
      summary: "One subaccount of the caller",
      scope: "ramp:read",
      actsFor,
      params: Type.Object({ accountId: Type.String({ description: "`usr-` and digits" }) }),
      status: 200,
      response: SubaccountSchema,
      async handle({ params, caller }) {
        const { accountId } = params;
        if (!isId("usr", accountId))
          throw new CallerError("not_found", "There is no such subaccount: ids look like usr-123.");
        const subaccount = await findSubaccount(db, caller.userId, accountId);
        if (!subaccount)
          throw new CallerError("not_found", `Subaccount ${accountId} was not found.`);
        return subaccount;
      },
    }),
  ];
}

async function createSubaccount(
  tx: Transaction,
  { clock, random, told }: SubaccountContext,
  masterId: string,
  { name, email }: NewSubaccount,
): Promise<CreatedSubaccount> {
  const now = new Date(clock.now());
  const user = {
    id: newId("usr", random),
    masterId,
    name: name.trim().replace(/\s+/g, " "),
    email,
    verification: "none",
  } as const;
  if ((await insertUser(tx, { ...user, now })) === "email_taken") {
    const other = await findUserByEmail(tx, masterId, email);
    throw new CallerError(
      "conflict",
      `A subaccount with this email already exists as ${other?.id}.`,
    );
  }
  await told(tx, {
    userId: user.id,
    type: "ramp.subaccount.created",
    object: toSubaccount({ ...user, createdAt: now, updatedAt: now }),
    at: now.getTime(),
  });
  return { newSubAccountId: user.id };
}
