import { Type } from "typebox";
import { once } from "../../accounts/once.ts";
import { behindWall, enterWall, leaveWall } from "../../accounts/wall.ts";
import type { Transaction } from "../../database/database.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { CallerError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import { usableBankAccount } from "../create-transaction.ts";
import { stepOn } from "../engine.ts";
import { presentTransaction } from "../present.ts";
import { presentInstructions } from "../present-details.ts";
import { presentPosting } from "../present-ledger.ts";
import type { Step } from "../step.ts";
import { listPostings } from "../store/transaction-lists.ts";
import { lockRamp } from "../store/transactions.ts";
import type { Ramp } from "../transaction.ts";
import {
  forCustomers,
  ownRamp,
  statusOf,
  type TransactionContext,
  transactionsPath,
  unknownTransaction,
  userIdField,
} from "./transaction-context.ts";
import {
  InstructionsSchema,
  LedgerLineSchema,
  RampTransactionSchema,
  StatusSchema,
  transactionParams,
} from "./transaction-schemas.ts";

const pathTo = (part: string) => `${transactionsPath}/{transactionId}/${part}`;

const reading = {
  ...forCustomers,
  method: "GET",
  scope: "ramp:read",
  params: transactionParams,
  query: Type.Object({ userId: userIdField }),
  status: 200,
} as const;

const deciding = {
  ...forCustomers,
  method: "POST",
  scope: "ramp:transactions:write",
  params: transactionParams,
  status: 200,
  response: RampTransactionSchema,
} as const;

/** What there is to know about one transaction beside itself, and what its customer can decide. */
export function transactionDetailEndpoints(context: TransactionContext): Endpoint[] {
  const { db, clock, settings } = context;
  return [
    endpoint({
      ...reading,
      path: pathTo("status"),
      summary: "Where a transaction stands, why, and what comes next",
      response: StatusSchema,
      handle: ({ params, userId }) =>
        behindWall(db, userId, async (tx) =>
          statusOf(tx, await ownRamp(tx, userId, params.transactionId), clock.now()),
        ),
    }),
    endpoint({
      ...reading,
      path: pathTo("instructions"),
      summary: "How to pay in: the wire's details and reference, or the deposit address",
      response: InstructionsSchema,
      handle: ({ params, userId }) =>
        behindWall(db, userId, async (tx) =>
          presentInstructions(await ownRamp(tx, userId, params.transactionId), settings.wire),
        ),
    }),
    endpoint({
      ...reading,
      path: pathTo("ledger"),
      summary: "What was booked for a transaction, oldest first",
      response: Type.Array(LedgerLineSchema),
      handle: ({ params, userId }) =>
        behindWall(db, userId, async (tx) => {
          const { id } = await ownRamp(tx, userId, params.transactionId);
          return (await listPostings(tx, id)).map(presentPosting);
        }),
    }),
    endpoint({
      ...deciding,
      path: pathTo("cancel"),
      summary: "Cancel a transaction for which nothing has come yet",
      body: Type.Object({ userId: userIdField }),
      handle: ({ params, caller, userId, idempotency }) =>
        once(context, { caller, idempotency }, async (tx) => {
          const ramp = await lockOwn(tx, userId, params.transactionId);
          const canceled = await decide(tx, context, ramp, { kind: "canceled" });
          return presentTransaction(canceled ?? refuse(`${ramp.id} can no longer be canceled`));
        }),
    }),
    endpoint({
      ...deciding,
      path: pathTo("accept"),
      summary: "Go on with a sale although the price has moved",
      body: Type.Object({ userId: userIdField }),
      handle: ({ params, caller, userId, idempotency }) =>
        once(context, { caller, idempotency }, async (tx) => {
          const ramp = await lockOwn(tx, userId, params.transactionId);
          const isAsked = ramp.state === "IN_REVIEW" && ramp.reason === "price_moved";
          const step: Step = { kind: "released", by: "customer", note: null };
          const accepted = isAsked ? await decide(tx, context, ramp, step) : undefined;
          return presentTransaction(accepted ?? refuse(`${ramp.id} has no price to accept`));
        }),
    }),
    endpoint({
      ...deciding,
      path: pathTo("bankAccount"),
      summary: "Name another bank account for money that came back",
      body: Type.Object({
        bankAccountId: Type.String({ description: "must be the id of a bank account" }),
        userId: userIdField,
      }),
      handle: ({ params, body, caller, userId, idempotency }) =>
        once(context, { caller, idempotency }, async (tx) => {
          const ramp = await lockOwn(tx, userId, params.transactionId);
          await enterWall(tx, userId);
          const { id: bankAccountId } = await usableBankAccount(tx, context, {
            userId,
            bankAccountId: body.bankAccountId,
            receives: ramp.settlementMethod,
            now: clock.now(),
          });
          await leaveWall(tx);
          const step: Step = { kind: "account_replaced", bankAccountId };
          const replaced = await decide(tx, context, ramp, step);
          return presentTransaction(
            replaced ?? refuse(`${ramp.id} does not wait for another bank account`),
          );
        }),
    }),
  ];
}

/** A transaction of this account that nobody else changes meanwhile. */
async function lockOwn(tx: Transaction, userId: string, id: string): Promise<Ramp> {
  const ramp = isId("txn", id) ? await lockRamp(tx, id) : undefined;
  if (ramp?.userId !== userId) throw unknownTransaction(id);
  return ramp;
}

/** The transaction after a step; nothing when the step cannot happen now. */
async function decide(
  tx: Transaction,
  context: TransactionContext,
  ramp: Ramp,
  step: Step,
): Promise<Ramp | undefined> {
  const next = await stepOn(tx, context, ramp, step);
  if (next === "impossible") return undefined;
  return next === "known" ? ramp : next;
}

function refuse(what: string): never {
  throw new CallerError("conflict", `Transaction ${what}`);
}
