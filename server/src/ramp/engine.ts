import type { Database, Transaction } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { CallerError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import type { Sealer } from "../lib/seal.ts";
import { stopAccount } from "./banking/account-news.ts";
import { tell } from "./events/tell.ts";
import { assetOf, usd } from "./ledger/accounts.ts";
import { advance, start } from "./machine/advance.ts";
import type { Ports } from "./ports.ts";
import { presentTransaction } from "./present.ts";
import type { Advance, Order, Step } from "./step.ts";
import { cancelPayout, insertPayout } from "./store/payouts.ts";
import { insertRamp, lockRamp, writeAdvance } from "./store/transactions.ts";
import type { Ramp } from "./transaction.ts";

/** Everything the ramp works with. */
export type RampContext = {
  db: Database;
  clock: Clock;
  random: Random;
  sealer: Sealer;
  ports: Ports;
  log: Log;
};

type StepContext = Pick<RampContext, "clock" | "random">;

/** Applies a step to a transaction and writes down everything that follows from it, or refuses it as a conflict. */
export async function applyStep(
  tx: Transaction,
  context: StepContext,
  id: string,
  step: Step,
): Promise<Ramp> {
  const ramp = await lockRamp(tx, id);
  if (!ramp) throw new CallerError("not_found", `Transaction ${id} was not found`);
  const next = await stepOn(tx, context, ramp, step);
  if (next === "impossible") {
    throw new CallerError(
      "conflict",
      `Transaction ${id} is ${ramp.state}, in which "${step.kind}" cannot happen`,
    );
  }
  return next === "known" ? ramp : next;
}

/** Applies a step to a transaction that `tx` has locked; says when it has happened before or cannot happen. */
export async function stepOn(
  tx: Transaction,
  context: StepContext,
  ramp: Ramp,
  step: Step,
): Promise<Ramp | "known" | "impossible"> {
  const at = Math.max(context.clock.now(), ramp.updatedAt);
  const next = advance(ramp, step, at);
  if (typeof next === "string") return next;
  await writeAdvance(tx, next, step);
  await followUp(tx, context, next);
  return next.ramp;
}

/** Writes a new transaction down, with its first step and event. */
export async function createRamp(
  tx: Transaction,
  context: Pick<RampContext, "random">,
  ramp: Ramp,
): Promise<Ramp> {
  const first = start(ramp);
  await insertRamp(tx, first, { kind: "created", ramp });
  await followUp(tx, context, first);
  return first.ramp;
}

async function followUp(
  tx: Transaction,
  context: Pick<RampContext, "random">,
  { ramp, orders, events }: Advance,
): Promise<void> {
  for (const order of orders) await carryOut(tx, context, ramp, order);
  for (const event of events) {
    await tell(tx, context, {
      userId: ramp.userId,
      type: `ramp.transaction.${event}`,
      transactionId: ramp.id,
      object: presentTransaction(ramp),
      at: ramp.updatedAt,
    });
  }
}

async function carryOut(
  tx: Transaction,
  context: Pick<RampContext, "random">,
  ramp: Ramp,
  order: Order,
): Promise<void> {
  const at = new Date(ramp.updatedAt);
  switch (order.kind) {
    case "queue_payout":
      return insertPayout(tx, {
        id: order.payoutId,
        purpose: order.purpose,
        of: { transactionId: ramp.id },
        rail: order.rail,
        asset: order.rail === "chain" ? assetOf(ramp.token) : usd,
        amount: order.amount,
        sendOn: order.purpose === "payout" ? (ramp.settlement?.sendOn ?? null) : null,
        sendAt: new Date(order.sendAt),
        at,
      });
    case "cancel_payout":
      return cancelPayout(tx, order.payoutId, at);
    case "stop_bank_account":
      return stopAccount(tx, context, { id: order.bankAccountId, code: order.code, at });
  }
}
