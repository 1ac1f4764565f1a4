import type { OperatorAction, RampEvent, TransactionFile } from "@slipway/sdk";
import { Type } from "typebox";
import { cursorFields, pageLimit, pageOf } from "../../accounts/endpoints/operator-list.ts";
import { once } from "../../accounts/once.ts";
import type { Transaction } from "../../database/database.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { timeFields } from "../../http/list.ts";
import { CallerError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import { stepOn } from "../engine.ts";
import { actionsFor, operatorActions, reviewStates, stepOf } from "../operator-decisions.ts";
import { presentStatus } from "../present-details.ts";
import { presentPosting } from "../present-ledger.ts";
import {
  presentDeposit,
  presentForOperators,
  presentPayout,
  presentStep,
  presentWire,
} from "../present-operator.ts";
import type { Actor } from "../step.ts";
import {
  listDepositsOf,
  listEventPayloads,
  listInStates,
  listPayoutsOf,
  listSteps,
  listWiresOf,
} from "../store/operator-views.ts";
import { findPlace, listPostings, listRamps } from "../store/transaction-lists.ts";
import { findAnyRamp, lockRamp } from "../store/transactions.ts";
import type { Ramp } from "../transaction.ts";
import { idField, momentsOf } from "./cursor-pages.ts";
import { audit, type Operator } from "./operator-audit.ts";
import {
  FileSchema,
  forOperators,
  NoteField,
  OperatorTransactionSchema,
  ReviewSchema,
} from "./operator-schemas.ts";
import { statusOf, type TransactionContext, unknownTransaction } from "./transaction-context.ts";
import { RampTypeSchema, StateSchema, transactionParams } from "./transaction-schemas.ts";

const path = "/operator/transactions";
const idForm = "txn-[0-9]{1,20}";

const summaries: Record<OperatorAction, string> = {
  release: "Let a held transaction go on",
  refund: "Send back what came for a transaction",
  retry: "Try a payout or refund that failed once more",
  writeOff: "End a transaction whose money cannot be delivered; it is kept in suspense",
};

/** What operators see of transactions, and decide about them. */
export function operatorTransactionEndpoints(context: TransactionContext): Endpoint[] {
  const { db, clock, ports } = context;
  return [
    endpoint({
      ...forOperators,
      method: "GET",
      path,
      summary: "Transactions of everybody, newest first",
      query: Type.Object({
        ...cursorFields(idForm),
        userId: idField("usr"),
        state: Type.Optional(StateSchema),
        type: Type.Optional(RampTypeSchema),
        flagged: Type.Optional(Type.Boolean({ description: "must be true or false" })),
        ...timeFields,
      }),
      status: 200,
      response: Type.Array(OperatorTransactionSchema),
      async handle({ query }) {
        const { userId, state, type, flagged } = query;
        const limit = pageLimit(query);
        const filter = { userId, state, type, isFlagged: flagged, ...momentsOf(query) };
        const after =
          query.after === undefined
            ? undefined
            : await findPlace(db, { id: query.after, userId: undefined });
        if (query.after !== undefined && !after) {
          throw new CallerError("bad_request", "after must be the id of a transaction");
        }
        const ramps = await listRamps(db, filter, { limit, skip: 0, after });
        return pageOf(ramps.map(presentForOperators), limit, ({ id }) => id);
      },
    }),
    endpoint({
      ...forOperators,
      method: "GET",
      path: `${path}/{transactionId}`,
      summary: "Everything there is to know about one transaction",
      params: transactionParams,
      status: 200,
      response: FileSchema,
      async handle({ params: { transactionId } }) {
        const ramp = isId("txn", transactionId) ? await findAnyRamp(db, transactionId) : undefined;
        if (!ramp) throw unknownTransaction(transactionId);
        return fileOf(context, ramp);
      },
    }),
    endpoint({
      ...forOperators,
      method: "GET",
      path: "/operator/reviews",
      summary: "Transactions that wait for somebody's decision, oldest first",
      query: Type.Object(cursorFields(idForm)),
      status: 200,
      response: Type.Array(ReviewSchema),
      async handle({ query }) {
        const limit = pageLimit(query);
        const ramps = await listInStates(db, reviewStates, { limit, after: query.after });
        const now = clock.now();
        const reviews = ramps.map((ramp) => reviewOf(ramp, ports?.prices, now));
        return pageOf(reviews, limit, ({ transaction }) => transaction.id);
      },
    }),
    ...operatorActions.map((action) =>
      endpoint({
        ...forOperators,
        method: "POST",
        path: `${path}/{transactionId}/${action}`,
        summary: summaries[action],
        params: transactionParams,
        body: Type.Object({ note: NoteField }),
        status: 200,
        response: OperatorTransactionSchema,
        handle: ({ params: { transactionId }, body: { note }, caller, address, idempotency }) =>
          once(context, { caller, idempotency }, async (tx) => {
            const operator = { caller, address };
            const before = await lockAny(tx, transactionId);
            const after = await decide(tx, context, { ramp: before, action, note, operator });
            await audit(tx, context, operator, {
              action: `transaction.${action}`,
              target: before.id,
              detail: { note, from: before.state, to: after.state },
            });
            return presentForOperators(after);
          }),
      }),
    ),
  ];
}

async function lockAny(tx: Transaction, id: string): Promise<Ramp> {
  const ramp = isId("txn", id) ? await lockRamp(tx, id) : undefined;
  if (!ramp) throw unknownTransaction(id);
  return ramp;
}

type Decision = { ramp: Ramp; action: OperatorAction; note: string; operator: Operator };

async function decide(
  tx: Transaction,
  context: TransactionContext,
  { ramp, action, note, operator }: Decision,
): Promise<Ramp> {
  const by: Actor = `operator:${operator.caller.keyId}`;
  const step = stepOf(action, ramp, { by, note, prices: context.ports?.prices });
  const next = step ? await stepOn(tx, context, ramp, step) : "impossible";
  if (typeof next === "object") return next;
  const allowed = actionsFor(ramp, context.ports?.prices, context.clock.now());
  throw new CallerError(
    "conflict",
    `Transaction ${ramp.id} is ${ramp.state}: ${action} is not possible, ` +
      (allowed.length === 0 ? "and nothing else is" : `but ${allowed.join(" and ")}`),
  );
}

function reviewOf(
  ramp: Ramp,
  prices: NonNullable<TransactionContext["ports"]>["prices"] | undefined,
  now: number,
) {
  const { explanation, unblockedBy, deadline } = presentStatus(ramp, null);
  return {
    transaction: presentForOperators(ramp),
    explanation,
    unblockedBy,
    deadline,
    actions: actionsFor(ramp, prices, now),
  };
}

async function fileOf(
  { db, clock, ports, sealer }: TransactionContext,
  ramp: Ramp,
): Promise<TransactionFile> {
  const { id } = ramp;
  const now = clock.now();
  const [status, steps, payouts, deposits, wires, postings, events] = await Promise.all([
    statusOf(db, ramp, now),
    listSteps(db, id),
    listPayoutsOf(db, id),
    listDepositsOf(db, id),
    listWiresOf(db, id),
    listPostings(db, id),
    listEventPayloads(db, ramp),
  ]);
  return {
    transaction: presentForOperators(ramp),
    status,
    actions: actionsFor(ramp, ports?.prices, now),
    steps: steps.map(presentStep),
    payouts: payouts.map(presentPayout),
    deposits: deposits.map(presentDeposit),
    wires: wires.map((wire) => presentWire(sealer, wire)),
    ledger: postings.map(presentPosting),
    events: events.map((payload) => JSON.parse(payload) as RampEvent),
  };
}
