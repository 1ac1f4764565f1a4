import { Type } from "typebox";
import { actorOf } from "../../accounts/audit.ts";
import { once } from "../../accounts/once.ts";
import { verifications } from "../../accounts/store/users.ts";
import { decideVerification } from "../../accounts/verification.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { CallerError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import { tell } from "../../ramp/events/tell.ts";
import { type ControlContext, mayControl } from "./ramp-context.ts";

const Status = Type.Union(
  verifications.map((status) => Type.Literal(status)),
  { description: `must be one of ${verifications.join(", ")}` },
);

/** Decides about accounts in the place of whoever verifies people. */
export function verificationControls(context: ControlContext): Endpoint[] {
  const { clock, random, time } = context;
  return [
    endpoint({
      method: "POST",
      path: "/sandbox/verification",
      family: "ramp",
      summary: "Decide whether an account is verified",
      description:
        "The caller's own account or one of its subaccounts. An account that asks for verification and whose e-mail " +
        "address contains `+approve@`, `+reject@` or `+review@` is decided about at once.",
      scope: "ramp:transactions:write",
      body: Type.Object({
        userId: Type.String({ description: "must be a `usr-` and digits" }),
        status: Status,
      }),
      status: 200,
      response: Type.Object({ userId: Type.String(), status: Status }),
      async handle({ body, caller, idempotency, address }) {
        const { userId, status } = body;
        const answer = await once(context, { caller, idempotency }, async (tx) => {
          if (!isId("usr", userId) || !(await mayControl(tx, caller, userId)))
            throw new CallerError("forbidden", "userId is not a subaccount of this account.");
          await decideVerification(
            tx,
            { told: (_, news) => tell(tx, { random }, { ...news, transactionId: null }) },
            {
              userId,
              status,
              reason: "Decided in the sandbox.",
              decidedBy: "sandbox",
              actor: actorOf({ caller, address }),
              at: new Date(clock.now()),
            },
          );
          return { userId, status };
        });
        await time.settle();
        return answer;
      },
    }),
  ];
}
