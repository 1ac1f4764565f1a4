import { Type } from "typebox";
import { once } from "../../accounts/once.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { CallerError } from "../../lib/errors.ts";
import { happen } from "../ramp/payments.ts";
import { lockReturnablePayment } from "../store/payments.ts";
import { type ControlContext, findControlled, moneyControl } from "./ramp-context.ts";

/** Lets the customer's bank send an ACH payment back. */
export function returnEndpoints(context: ControlContext): Endpoint[] {
  const { clock, time } = context;
  return [
    endpoint({
      ...moneyControl,
      path: "/sandbox/ach-returns",
      summary: "Let the customer's bank return the ACH payment of an off-ramp",
      description:
        "It can come before and after the transaction is completed. Without this, payments to account numbers " +
        "ending in 0002, 0003, 0004, 0016, 0020 and 0023 come back with R02, R03, R04, R16, R20 and R23 on the open " +
        "day after settlement, to 0923 with R23 after the return window, and to 0099 with R03 before settlement. " +
        "0105 is paid, and corrected with C05. Wires to 0099 are refused at once, to 0098 on their way, and from 0097 " +
        "they come back on the next open day.",
      body: Type.Object({
        transactionId: Type.String({ description: "must be a `txn-` and digits" }),
        code: Type.String({
          pattern: "^R(0[1-9]|[1-7][0-9]|8[0-5])$",
          description: "must be a return code from R01 to R85",
        }),
      }),
      response: Type.Object({
        transactionId: Type.String(),
        payoutId: Type.String(),
        code: Type.String(),
      }),
      async handle({ body, caller, idempotency }) {
        const { code } = body;
        const answer = await once(context, { caller, idempotency }, async (tx) => {
          const { id } = await findControlled(tx, caller, body.transactionId);
          const payment = await lockReturnablePayment(tx, id);
          if (!payment)
            throw new CallerError("conflict", `Transaction ${id} has no ACH payment at the bank`);
          const at = clock.now();
          await happen(tx, payment, { next: { kind: "return", code, at }, later: [], at });
          return { transactionId: id, payoutId: payment.reference, code };
        });
        await time.settle();
        return answer;
      },
    }),
  ];
}
