import type { Transaction } from "../../database/database.ts";
import type { DueRunner } from "../../database/due.ts";
import { backoffMs } from "../../lib/backoff.ts";
import { assert, messageOf } from "../../lib/errors.ts";
import { type RampContext, stepOn } from "../engine.ts";
import type { PayoutInstruction, Submission } from "../ports.ts";
import type { Rail } from "../step.ts";
import { findKillSwitches } from "../store/kill-switches.ts";
import {
  acceptPayout,
  beginAttempt,
  claimPayout,
  markOverdue,
  type Payout,
  postponePayout,
} from "../store/payouts.ts";
import type { Ramp } from "../transaction.ts";
import { instructionFor } from "./instruct.ts";
import { failPayout, lockHeard } from "./news.ts";
import { bookReturn } from "./own-books.ts";

const hourMs = 3_600_000;

/** For how long a payout is left to whoever took it. */
const leaseMs = 60_000;

/** For how long a payout waits that an operator has switched off. */
const switchedOffMs = 60_000;

const retry = { firstMs: 5_000, mostMs: hourMs };

/** Until when a rail that took a payout should have confirmed it. ACH: settled on the next open day, whatever lies between. */
const confirmWithinMs: Record<Rail, number> = {
  ach: 5 * 24 * hourMs,
  wire: 24 * hourMs,
  chain: 2 * hourMs,
};

/** Hands payouts over to their rails when their time has come, each once. */
export function payoutSender(context: RampContext): DueRunner {
  return {
    name: "payouts",
    async run(signal) {
      let handled = 0;
      while (!signal?.aborted && (await sendNext(context))) handled++;
      return handled;
    },
  };
}

async function sendNext(context: RampContext): Promise<boolean> {
  const { db, clock, log } = context;
  const now = clock.now();
  const payout = await claimPayout(db, new Date(now), new Date(now + leaseMs));
  if (!payout) return false;
  await send(context, payout).catch((error) => {
    log.error(
      { payout: payout.id, reason: messageOf(error) },
      "a payout could not be worked on; it is tried again in a minute",
    );
  });
  return true;
}

async function send(context: RampContext, payout: Payout): Promise<void> {
  if (payout.isAccepted) return sayOverdue(context, payout);
  if (payout.state === "queued" && (await isSwitchedOff(context, payout))) return;
  const begun = await context.db.transact((tx) => begin(tx, context, payout.id));
  if (!begun) return;
  const submission = await handOver(context, payout, begun);
  if (submission) await context.db.transact((tx) => record(tx, context, payout.id, submission));
}

/** What to tell a rail, and whether nobody can have told it before, however late we are. */
type Begun = { instruction: PayoutInstruction; isFirst: boolean };

/** Books that the money leaves, before it does. Nothing when it has been called off or confirmed meanwhile. */
async function begin(
  tx: Transaction,
  context: RampContext,
  id: string,
): Promise<Begun | undefined> {
  const heard = await lockHeard(tx, context, id);
  assert(heard, `there is a payout ${id}`);
  const { payout, ramp, at } = heard;
  const isFirst = payout.state === "queued";
  if (isFirst) await bookStart(tx, context, payout, ramp, at);
  else if (payout.state !== "submitted" || payout.isAccepted) return undefined;
  await beginAttempt(tx, id, at);
  return { instruction: await instructionFor(tx, context, payout, ramp), isFirst };
}

async function bookStart(
  tx: Transaction,
  context: RampContext,
  payout: Payout,
  ramp: Ramp | undefined,
  at: Date,
): Promise<void> {
  if (!ramp) return bookReturn(tx, payout, "started", at);
  const kind = payout.purpose === "payout" ? "payout_started" : "refund_started";
  const next = await stepOn(tx, context, ramp, { kind, payoutId: payout.id });
  assert(typeof next !== "string", `${payout.id} can start while ${ramp.id} is ${ramp.state}`);
}

/** What the rail says; nothing when it could not be asked, or must not be. After the first time it is asked before it is told again. */
async function handOver(
  context: RampContext,
  payout: Payout,
  { instruction, isFirst }: Begun,
): Promise<Submission | undefined> {
  const { ports, db, clock, random, log } = context;
  const rail = ports.rails[payout.rail];
  try {
    const known = isFirst ? undefined : await rail.find(payout.id);
    if (known) return known;
    if (!isFirst && (await isSwitchedOff(context, payout))) return undefined;
    return await rail.submit(instruction);
  } catch (error) {
    const waitMs = backoffMs(payout.attempts, retry, random);
    await postponePayout(db, payout.id, new Date(clock.now() + waitMs));
    log.warn(
      {
        payout: payout.id,
        rail: payout.rail,
        attempts: payout.attempts + 1,
        reason: messageOf(error),
      },
      "a rail does not answer; it will be asked what became of the payout before it is told again",
    );
    return undefined;
  }
}

async function record(
  tx: Transaction,
  context: RampContext,
  id: string,
  submission: Submission,
): Promise<void> {
  const heard = await lockHeard(tx, context, id);
  assert(heard, `there is a payout ${id}`);
  const { payout, ramp, at } = heard;
  // News of it can be faster than the rail's own answer.
  if (payout.state !== "submitted" || payout.isAccepted) return;
  if (submission.outcome === "refused") return failPayout(tx, context, heard, submission.why);
  const { trace } = submission;
  const kind = payout.purpose === "payout" ? "payout_accepted" : "refund_accepted";
  if (ramp) await stepOn(tx, context, ramp, { kind, payoutId: payout.id, trace });
  const dueAt = new Date(at.getTime() + confirmWithinMs[payout.rail]);
  await acceptPayout(tx, id, { trace, at, dueAt });
}

/** Puts a payout off when an operator has switched off what it needs. */
async function isSwitchedOff(context: RampContext, payout: Payout): Promise<boolean> {
  const { db, clock, log } = context;
  const [symbol, blockchain] = payout.asset.split(".");
  const names = [
    "payouts",
    `rail:${payout.rail}`,
    `token:${symbol}`,
    ...(blockchain ? [`blockchain:${blockchain}`] : []),
  ];
  const [set] = await findKillSwitches(db, names);
  if (!set) return false;
  await postponePayout(db, payout.id, new Date(clock.now() + switchedOffMs));
  log.warn(
    { payout: payout.id, switch: set.name, reason: set.reason },
    "a payout waits because an operator has switched it off",
  );
  return true;
}

async function sayOverdue({ db, clock, log }: RampContext, payout: Payout): Promise<void> {
  const now = clock.now();
  const until = new Date(now + confirmWithinMs[payout.rail]);
  await markOverdue(db, payout.id, new Date(now), until);
  log.error(
    { payout: payout.id, rail: payout.rail, trace: payout.trace },
    "a payout that its rail took has not been confirmed; ask the bank or look at the chain for its trace, and send nothing again by hand",
  );
}
