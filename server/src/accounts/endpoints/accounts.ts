import { Type } from "typebox";
import type { Database } from "../../database/database.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { CallerError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import { timestamp } from "../../lib/timestamp.ts";
import {
  accountKinds,
  countSubaccounts,
  findUser,
  listUsers,
  type User,
  verifications,
} from "../store/users.ts";
import { listDecisions } from "../store/verifications.ts";
import { cursorFields, pageLimit, pageOf, userIdForm } from "./operator-list.ts";

const StatusSchema = Type.Enum([...verifications], {
  description: `must be one of ${verifications.join(", ")}`,
});

const accountFields = {
  id: Type.String(),
  masterId: Type.Union([Type.String(), Type.Null()]),
  name: Type.String(),
  email: Type.String(),
  kind: Type.Enum([...accountKinds]),
  verification: StatusSchema,
  createdAt: Type.String(),
  updatedAt: Type.String(),
};

const AccountSchema = Type.Object(accountFields);

const DecisionSchema = Type.Object({
  status: StatusSchema,
  reason: Type.String(),
  decidedBy: Type.String(),
  at: Type.String(),
});

const AccountDetailSchema = Type.Object({
  ...accountFields,
  subaccounts: Type.Integer(),
  decisions: Type.Array(DecisionSchema),
});

const common = { method: "GET", family: "ramp", scope: "operator", status: 200 } as const;

/** What an operator sees of accounts. */
export function accountEndpoints({ db }: { db: Database }): Endpoint[] {
  return [
    endpoint({
      ...common,
      path: "/operator/accounts",
      summary: "Accounts of everybody, newest first",
      query: Type.Object({
        ...cursorFields(userIdForm),
        email: Type.Optional(
          Type.String({
            maxLength: 254,
            pattern: "^[^\\u0000]*$",
            description: "must be an e-mail address",
          }),
        ),
        verification: Type.Optional(StatusSchema),
      }),
      response: Type.Array(AccountSchema),
      async handle({ query }) {
        const limit = pageLimit(query);
        const { email = null, verification = null, after = null } = query;
        const accounts = await listUsers(db, { email, verification, after, limit });
        return pageOf(accounts.map(shownAccount), limit, ({ id }) => id);
      },
    }),
    endpoint({
      ...common,
      path: "/operator/accounts/{userId}",
      summary: "One account, and what was decided about it",
      params: Type.Object({ userId: Type.String({ description: "`usr-` and digits" }) }),
      response: AccountDetailSchema,
      async handle({ params }) {
        const { userId } = params;
        const account = isId("usr", userId) ? await findUser(db, userId) : undefined;
        if (!account) throw new CallerError("not_found", "There is no such account.");
        const decisions = await listDecisions(db, userId);
        return {
          ...shownAccount(account),
          subaccounts: await countSubaccounts(db, userId),
          decisions: decisions.map(({ at, ...decision }) => ({ ...decision, at: timestamp(at) })),
        };
      },
    }),
  ];
}

function shownAccount({ createdAt, updatedAt, ...account }: User) {
  return { ...account, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) };
}
