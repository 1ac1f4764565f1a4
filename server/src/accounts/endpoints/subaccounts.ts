import type { CreatedSubaccount, NewSubaccount, Subaccount } from "@slipway/sdk";
import { Type } from "typebox";
import type { Database } from "../../database/database.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import type { Clock } from "../../lib/clock.ts";
import { CallerError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Random } from "../../lib/random.ts";
import { Email, PersonName } from "../person.ts";
import { findSubaccount, findUserByEmail, insertUser, listSubaccounts } from "../store/users.ts";

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

export function subaccountEndpoints(context: {
  db: Database;
  clock: Clock;
  random: Random;
}): Endpoint[] {
  const { db, clock, random } = context;
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
      body: NewSubaccountSchema,
      bodyMayBeIn: "subAccount",
      keyMayBeInBody: true,
      status: 201,
      response: CreatedSchema,
      async handle({ body, caller }) {
        const id = newId("usr", random);
        const name = body.name.trim().replace(/\s+/g, " ");
        const user = {
          id,
          masterId: caller.userId,
          name,
          email: body.email,
          verification: "none",
        } as const;
        if ((await insertUser(db, { ...user, now: new Date(clock.now()) })) === "email_taken") {
          const other = await findUserByEmail(db, caller.userId, body.email);
          throw new CallerError(
            "conflict",
            `A subaccount with this email already exists as ${other?.id}.`,
          );
        }
        return { newSubAccountId: id };
      },
    }),
    endpoint({
      method: "GET",
      path,
      family,
      maturity,
      summary: "The caller's subaccounts, newest first",
      scope: "ramp:read",
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
