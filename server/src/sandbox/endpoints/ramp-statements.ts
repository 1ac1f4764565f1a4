import type { SandboxStatement } from "@slipway/sdk";
import { Type } from "typebox";
import { once } from "../../accounts/once.ts";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import { asCents, formatCents } from "../../lib/money.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { writeStatement } from "../ramp/bank/statements.ts";
import { type ControlContext, moneyControl } from "./ramp-context.ts";

const StatementSchema = shapeOf<SandboxStatement>()(
  Type.Object({
    id: Type.String(),
    from: Type.String(),
    to: Type.String(),
    openingUsd: Type.String(),
    closingUsd: Type.String(),
    lines: Type.Integer({ description: "how many lines are on it" }),
  }),
);

/** Lets the sandbox's bank write a statement. */
export function statementEndpoints(context: ControlContext): Endpoint[] {
  const { clock, time } = context;
  return [
    endpoint({
      ...moneyControl,
      path: "/sandbox/statements",
      summary: "Let the sandbox's bank write a statement now",
      description:
        "It holds what happened on our account since the last one, at most 5000 lines. Without this, the bank writes " +
        "one at 18:00 in New York on every open day if something happened.",
      response: StatementSchema,
      async handle({ caller, idempotency }) {
        const answer = await once(context, { caller, idempotency }, async (tx) => {
          const statement = await writeStatement(tx, clock.now());
          const { id, from, to, openingCents, closingCents, lines } = statement;
          return {
            ...{ id, from: timestamp(new Date(from)), to: timestamp(new Date(to)) },
            openingUsd: formatCents(asCents(openingCents)),
            closingUsd: formatCents(asCents(closingCents)),
            lines: lines.length,
          };
        });
        await time.settle();
        return answer;
      },
    }),
  ];
}
