import type { Transaction } from "../database/database.ts";
import type { DueRunner } from "../database/due.ts";
import { messageOf } from "../lib/errors.ts";
import { newId } from "../lib/ids.ts";
import { type RampContext, stepOn } from "./engine.ts";
import { dueOf } from "./machine/due-action.ts";
import { explain } from "./machine/explain.ts";
import { hasInventory } from "./payouts/inventory.ts";
import { refundStep } from "./payouts/refund-step.ts";
import { holdRetryMs, pegBounds, reviewAlertMs } from "./policy.ts";
import type { Verdict } from "./ports.ts";
import { screenRamp } from "./screening.ts";
import { settlementFor } from "./settlement.ts";
import type { DueAction, Step } from "./step.ts";
import { loadCalendar } from "./store/calendars.ts";
import { leaseRamp, lockRamp, postponeRamp, rampOfRow, takeDueRamp } from "./store/transactions.ts";
import type { Ramp } from "./transaction.ts";

/** For how long a transaction is left to whoever asks others about it. */
const leaseMs = 60_000;

/** Does what transactions need when their time has come. */
export function dueTransactions(context: RampContext): DueRunner {
  return {
    name: "transactions",
    async run(signal) {
      let handled = 0;
      while (!signal?.aborted && (await handleNext(context))) handled++;
      return handled;
    },
  };
}

/** Returns whether there was a transaction that is due. */
async function handleNext(context: RampContext): Promise<boolean> {
  const { db, clock, log } = context;
  let ramp: Ramp | undefined;
  try {
    const ask = await db.transact(async (tx) => {
      const [row] = await tx.query<{ ramp: string }>(takeDueRamp(new Date(clock.now())));
      ramp = row && rampOfRow(row);
      return ramp && handle(tx, context, ramp);
    });
    if (ramp && ask) await askFirst(context, ramp, ask);
  } catch (error) {
    if (!ramp) throw error;
    log.error(
      { transaction: ramp.id, reason: messageOf(error) },
      "a due transaction failed; it is put off",
    );
    await postponeRamp(db, ramp.id, new Date(clock.now() + holdRetryMs));
  }
  return ramp !== undefined;
}

/** Before money changes its form or goes back, others are asked whether it may. */
type AskedAction = Extract<DueAction, "price" | "queue_refund">;

/** Does what needs nobody else. For the rest the transaction is leased, and the action is answered. */
async function handle(
  tx: Transaction,
  context: RampContext,
  ramp: Ramp,
): Promise<AskedAction | undefined> {
  const now = context.clock.now();
  const due = dueOf(ramp);
  // Whoever put it off after a failure may not have known how far it had come.
  if (!due || due.at > now) {
    await postponeRamp(tx, ramp.id, due && new Date(due.at));
    return undefined;
  }
  const { action } = due;
  switch (action) {
    case "alert":
      sayAlert(context, ramp);
      await postponeRamp(tx, ramp.id, new Date(now + reviewAlertMs));
      return undefined;
    case "price":
    case "queue_refund":
      await leaseRamp(tx, ramp.id, new Date(now + leaseMs));
      return action;
    default:
      await decide(tx, context, ramp, await stepFor(tx, context, ramp, action));
      return undefined;
  }
}

type OwnAction = Exclude<DueAction, AskedAction | "alert">;

async function stepFor(
  tx: Transaction,
  context: RampContext,
  ramp: Ramp,
  action: OwnAction,
): Promise<Step | undefined> {
  switch (action) {
    case "expire":
      return { kind: "expired" };
    case "close_window":
      return { kind: "window_closed" };
    case "order_refund":
      return refundStep(context.ports, ramp, "policy", null);
    case "queue_payout":
      return queuePayout(tx, context, ramp);
  }
}

async function queuePayout(tx: Transaction, context: RampContext, ramp: Ramp): Promise<Step> {
  if (!(await hasInventory(tx, ramp))) return { kind: "held", reason: "liquidity", note: null };
  const { settlementMethod: method } = ramp;
  const settlement =
    ramp.type === "OFF_RAMP"
      ? settlementFor(method, context.clock.now(), await loadCalendar(tx, method))
      : null;
  return { kind: "payout_queued", payoutId: newId("pay", context.random), settlement };
}

/** Asks screening, and decides only if the transaction still stands where it did before. */
async function askFirst(context: RampContext, asked: Ramp, action: AskedAction): Promise<void> {
  const verdict = await screenRamp(context, asked);
  await context.db.transact(async (tx) => {
    const ramp = await lockRamp(tx, asked.id);
    if (!ramp || ramp.version !== asked.version) return;
    await decide(tx, context, ramp, stepAfter(context, ramp, action, verdict));
  });
}

function stepAfter(
  context: RampContext,
  ramp: Ramp,
  action: AskedAction,
  verdict: Verdict | "unavailable",
): Step | undefined {
  const held = { kind: "held", note: null } as const;
  // An operator who released it before has decided that the lists mean somebody else.
  if (verdict === "sanctioned" && !ramp.cleared.includes("sanctioned"))
    return { ...held, reason: "sanctioned" };
  if (action === "queue_refund") {
    if (verdict === "unavailable") return undefined;
    return { kind: "refund_queued", payoutId: newId("pay", context.random) };
  }
  if (verdict === "unavailable") return { ...held, reason: "screening_unavailable" };
  const price = context.ports.prices.current(ramp.token);
  if (!price) return { ...held, reason: "price_unavailable" };
  const isOffPeg = price.priceE18 < pegBounds.low || price.priceE18 > pegBounds.high;
  if (ramp.isStablecoin && isOffPeg) return { ...held, reason: "peg_guard" };
  return { kind: "priced", ...price };
}

/** Applies the step. What changes nothing is looked at again later. */
async function decide(
  tx: Transaction,
  context: RampContext,
  ramp: Ramp,
  step: Step | undefined,
): Promise<void> {
  const next = step ? await stepOn(tx, context, ramp, step) : "known";
  if (next === "impossible") {
    context.log.error(
      { transaction: ramp.id, state: ramp.state, step: step?.kind },
      "a transaction cannot go on by itself; look at it",
    );
  }
  if (typeof next === "string")
    await postponeRamp(tx, ramp.id, new Date(context.clock.now() + holdRetryMs));
}

function sayAlert({ log }: RampContext, ramp: Ramp): void {
  const { explanation, unblockedBy } = explain(ramp);
  log.error(
    { transaction: ramp.id, state: ramp.state, reason: ramp.reason, explanation, unblockedBy },
    "a transaction stands where it is for too long",
  );
}
