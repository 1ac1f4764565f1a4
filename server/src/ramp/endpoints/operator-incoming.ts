import { Type } from "typebox";
import { cursorFields, pageLimit, pageOf } from "../../accounts/endpoints/operator-list.ts";
import { once } from "../../accounts/once.ts";
import type { Transaction } from "../../database/database.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { assert, CallerError, UnavailableError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import { matchWire, nameSender, returnDeposit, returnWire } from "../incoming.ts";
import { presentDeposit, presentWire } from "../present-operator.ts";
import type { Actor } from "../step.ts";
import { listDeposits, listWires, readDeposit, readWire } from "../store/operator-views.ts";
import { RoutingNumberField } from "./bank-account-schemas.ts";
import { audit } from "./operator-audit.ts";
import {
  DepositSchema,
  depositUses,
  forOperators,
  NoteField,
  WireSchema,
  wireStates,
  wordField,
} from "./operator-schemas.ts";
import { requireClear } from "./payment-methods.ts";
import type { TransactionContext } from "./transaction-context.ts";

const wireParams = Type.Object({ wireId: Type.String({ description: "`wir-` and digits" }) });
const depositParams = Type.Object({ depositId: Type.String({ description: "`dep-` and digits" }) });

/** Money that came in and could not be given to anybody, and what operators do with it. */
export function operatorIncomingEndpoints(context: TransactionContext): Endpoint[] {
  const { db, sealer, ports } = context;

  async function wireAfter(tx: Transaction, id: string) {
    const wire = await readWire(tx, id);
    assert(wire, "a wire that was changed is there");
    return presentWire(sealer, wire);
  }

  return [
    endpoint({
      ...forOperators,
      method: "GET",
      path: "/operator/wires",
      summary: "Wires that came in, oldest first",
      query: Type.Object({ ...cursorFields("wir-[0-9]{1,20}"), state: wordField(wireStates) }),
      status: 200,
      response: Type.Array(WireSchema),
      async handle({ query }) {
        const limit = pageLimit(query);
        const wires = await listWires(db, { state: query.state, limit, after: query.after });
        const shown = wires.map((wire) => presentWire(sealer, wire));
        return pageOf(shown, limit, ({ id }) => id);
      },
    }),
    endpoint({
      ...forOperators,
      method: "POST",
      path: "/operator/wires/{wireId}/match",
      summary: "Give a wire that lies in suspense to a transaction",
      params: wireParams,
      body: Type.Object({
        transactionId: Type.String({
          pattern: "^txn-[0-9]{1,20}$",
          description: "must be an id such as txn-123",
        }),
      }),
      status: 200,
      response: WireSchema,
      handle: ({ params, body: { transactionId }, caller, address, idempotency }) =>
        once(context, { caller, idempotency }, async (tx) => {
          const id = checkId("Wire", "wir", params.wireId);
          await matchWire(tx, context, id, transactionId, `operator:${caller.keyId}`);
          const deed = { action: "wire.match", target: id, detail: { transactionId } };
          await audit(tx, context, { caller, address }, deed);
          return wireAfter(tx, id);
        }),
    }),
    endpoint({
      ...forOperators,
      method: "POST",
      path: "/operator/wires/{wireId}/return",
      summary: "Send a wire that lies in suspense back to where it came from",
      params: wireParams,
      body: Type.Object({ note: NoteField }),
      status: 200,
      response: WireSchema,
      handle: ({ params, body: { note }, caller, address, idempotency }) =>
        once(context, { caller, idempotency }, async (tx) => {
          const id = checkId("Wire", "wir", params.wireId);
          await returnWire(tx, context, id, `operator:${caller.keyId}`);
          const deed = { action: "wire.return", target: id, detail: { note } };
          await audit(tx, context, { caller, address }, deed);
          return wireAfter(tx, id);
        }),
    }),
    endpoint({
      ...forOperators,
      method: "POST",
      path: "/operator/wires/{wireId}/sender",
      summary: "Say from which account a wire came when the bank did not, so that it can go back",
      params: wireParams,
      body: Type.Object({
        name: Type.String({
          pattern: "^[ -~]{1,140}$",
          description: "must be 1 to 140 plain characters, as the bank has it",
        }),
        routingNumber: RoutingNumberField,
        accountNumber: Type.String({
          pattern: "^[0-9A-Za-z-]{1,34}$",
          description: "must be 1 to 34 digits, letters or hyphens",
        }),
        note: NoteField,
      }),
      status: 200,
      response: WireSchema,
      async handle({ params, body: { note, ...sender }, caller, address, idempotency }) {
        if (!ports) throw new UnavailableError("This service is not connected to a bank.");
        await requireClear(ports.screening.person(sender.name), "sender");
        return once(context, { caller, idempotency }, async (tx) => {
          const id = checkId("Wire", "wir", params.wireId);
          await nameSender(tx, context, id, sender);
          const accountNumber = `****${sender.accountNumber.slice(-4)}`;
          const detail = { ...sender, accountNumber, note };
          const deed = { action: "wire.sender", target: id, detail };
          await audit(tx, context, { caller, address }, deed);
          return wireAfter(tx, id);
        });
      },
    }),
    endpoint({
      ...forOperators,
      method: "GET",
      path: "/operator/deposits",
      summary: "Transfers to our deposit addresses, oldest first",
      query: Type.Object({ ...cursorFields("dep-[0-9]{1,20}"), use: wordField(depositUses) }),
      status: 200,
      response: Type.Array(DepositSchema),
      async handle({ query }) {
        const limit = pageLimit(query);
        const deposits = await listDeposits(db, { use: query.use, limit, after: query.after });
        return pageOf(deposits.map(presentDeposit), limit, ({ id }) => id);
      },
    }),
    endpoint({
      ...forOperators,
      method: "POST",
      path: "/operator/deposits/{depositId}/return",
      summary: "Send a deposit that lies in suspense to the customer's registered wallet",
      params: depositParams,
      body: Type.Object({ note: NoteField }),
      status: 200,
      response: DepositSchema,
      handle: ({ params, body: { note }, caller, address, idempotency }) =>
        once(context, { caller, idempotency }, async (tx) => {
          const id = checkId("Deposit", "dep", params.depositId);
          const actor: Actor = `operator:${caller.keyId}`;
          await returnDeposit(tx, context, id, actor);
          const deed = { action: "deposit.return", target: id, detail: { note } };
          await audit(tx, context, { caller, address }, deed);
          const deposit = await readDeposit(tx, id);
          assert(deposit, "a deposit that was changed is there");
          return presentDeposit(deposit);
        }),
    }),
  ];
}

function checkId(what: string, prefix: string, id: string): string {
  if (isId(prefix, id)) return id;
  throw new CallerError("not_found", `${what} was not found: ids look like ${prefix}-123`);
}
