import { Type } from "typebox";
import { cursorFields, pageLimit, pageOf } from "../../accounts/endpoints/operator-list.ts";
import { once } from "../../accounts/once.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { CallerError } from "../../lib/errors.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { presentBatches, presentPayout } from "../present-operator.ts";
import {
  clearKillSwitch,
  type KillSwitch,
  listKillSwitches,
  setKillSwitch,
} from "../store/kill-switches.ts";
import { countBatches, listPayouts } from "../store/operator-views.ts";
import { audit } from "./operator-audit.ts";
import {
  BatchSchema,
  forOperators,
  KillSwitchSchema,
  NoteField,
  PayoutSchema,
  payoutStates,
  wordField,
} from "./operator-schemas.ts";
import { NoContent, noContent } from "./payment-methods.ts";
import type { TransactionContext } from "./transaction-context.ts";

const switchForm =
  "^(payouts|rail:(ach|wire|chain)|token:[A-Z0-9]{1,20}|blockchain:[a-z0-9-]{1,40})$";
const dayField = Type.Optional(
  Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "must be a day: 2026-11-16" }),
);

/** What goes out, and how operators stop it. */
export function operatorPayoutEndpoints(context: TransactionContext): Endpoint[] {
  const { db, clock } = context;
  return [
    endpoint({
      ...forOperators,
      method: "GET",
      path: "/operator/payouts",
      summary: "Money that goes out, newest first",
      query: Type.Object({ ...cursorFields("pay-[0-9]{1,20}"), state: wordField(payoutStates) }),
      status: 200,
      response: Type.Array(PayoutSchema),
      async handle({ query }) {
        const limit = pageLimit(query);
        const payouts = await listPayouts(db, { state: query.state, limit, after: query.after });
        return pageOf(payouts.map(presentPayout), limit, ({ id }) => id);
      },
    }),
    endpoint({
      ...forOperators,
      method: "GET",
      path: "/operator/payoutBatches",
      summary: "What goes out together: by rail, day and asset, newest day first",
      query: Type.Object({ from: dayField, to: dayField }),
      status: 200,
      response: Type.Array(BatchSchema),
      handle: async ({ query: { from, to } }) =>
        presentBatches(await countBatches(db, { from, to })),
    }),
    endpoint({
      ...forOperators,
      method: "GET",
      path: "/operator/killSwitches",
      summary: "What is switched off",
      status: 200,
      response: Type.Array(KillSwitchSchema),
      handle: async () => (await listKillSwitches(db)).map(presentSwitch),
    }),
    endpoint({
      ...forOperators,
      method: "POST",
      path: "/operator/killSwitches",
      summary: "Switch payouts off: all of them, or those of a rail, token or blockchain",
      description: "Nothing is lost: what is queued waits until the switch is cleared.",
      body: Type.Object({
        name: Type.String({
          pattern: switchForm,
          description: "must be payouts, rail:ach, token:USDC, blockchain:base or the like",
        }),
        reason: NoteField,
      }),
      status: 201,
      response: KillSwitchSchema,
      handle: ({ body: { name, reason }, caller, address, idempotency }) =>
        once(context, { caller, idempotency }, async (tx) => {
          const setAt = new Date(clock.now());
          const killSwitch = { name, reason, setBy: caller.keyId, setAt };
          await setKillSwitch(tx, killSwitch);
          const deed = { action: "kill_switch.set", target: name, detail: { reason } };
          await audit(tx, context, { caller, address }, deed);
          return presentSwitch(killSwitch);
        }),
    }),
    endpoint({
      ...forOperators,
      method: "DELETE",
      path: "/operator/killSwitches/{name}",
      summary: "Clear a switch: what waited for it goes on",
      params: Type.Object({ name: Type.String({ description: "such as rail:ach" }) }),
      status: 204,
      response: NoContent,
      async handle({ params: { name }, caller, address }) {
        await db.transact(async (tx) => {
          const isName = new RegExp(switchForm).test(name);
          if (!isName || !(await clearKillSwitch(tx, name))) {
            throw new CallerError("not_found", "There is no such switch that is set");
          }
          const deed = { action: "kill_switch.clear", target: name, detail: {} };
          await audit(tx, context, { caller, address }, deed);
        });
        return noContent;
      },
    }),
  ];
}

function presentSwitch({ setAt, ...killSwitch }: KillSwitch) {
  return { ...killSwitch, setAt: timestamp(setAt) };
}
