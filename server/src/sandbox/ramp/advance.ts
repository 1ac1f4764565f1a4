import type { Database } from "../../database/database.ts";
import type { DueRunner } from "../../database/due.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { findWish } from "../store/clock.ts";
import { type DueState, findDueState, listNextDue } from "../store/due-times.ts";
import type { SandboxClock } from "./clock.ts";
import { planStops } from "./stops.ts";

/** Lets time pass in the sandbox. One thing at a time: whoever asks waits for those who asked before. */
export type TimeMachine = {
  /** Does everything that is due now. */
  settle(): Promise<void>;
  /** Moves the time to where it was wished to be, and does on the way what falls due, each thing at its time. */
  fulfilWish(): Promise<void>;
};

type Options = {
  db: Database;
  clock: SandboxClock;
  /** All work of the ramp that can be due. */
  runners: readonly DueRunner[];
  log: Log;
  /** How often time stops exactly where something falls due, and how often after that, in equal strides. */
  stopsMost?: { exact: number; inStrides: number };
};

/** For one request: how often others who hold due rows are still waited for, and whether the last round left free ones. */
type Patience = { waits: number; isIdle: boolean };

/** Rounds of all runners at one moment. More than a few mean that something gives itself work for ever. */
const roundsMost = 300;
const usualStopsMost = { exact: 2_000, inStrides: 200 };
const waitsMost = 200;
const waitMs = 25;

/** Makes what moves the sandbox's time. */
export function openTimeMachine(options: Options): TimeMachine {
  const { db, clock, runners, log, stopsMost = usualStopsMost } = options;
  let lastTurn: Promise<unknown> = Promise.resolve();
  let nextSettling: Promise<void> | undefined;

  function inTurn(work: () => Promise<void>): Promise<void> {
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => {});
    return turn;
  }

  /** Runs everything once. Returns how many things were done. */
  async function runRound(): Promise<number> {
    let handled = 0;
    for (const runner of runners) {
      handled += await runner.run().catch((error) => {
        log.warn({ work: runner.name, reason: messageOf(error) }, "due work of the sandbox failed");
        return 0;
      });
    }
    return handled;
  }

  /** Runs everything until nothing is left to do, and waits for what others are at. Returns up to when nothing is. */
  async function settleNow(patience: Patience): Promise<number> {
    patience.isIdle = false;
    for (let rounds = 0; rounds < roundsMost; rounds++) {
      const at = clock.now();
      const state = await findDueState(db, at);
      if (state === "nothing") return at;
      const handled = await runRound();
      if (!(await isWorthTrying(state, handled, patience))) return at;
    }
    log.warn({ roundsMost }, "the sandbox's due work does not come to an end; going on without");
    return clock.now();
  }

  /** Whether another round may do what this one, which found things as `state` says, did not. */
  async function isWorthTrying(
    state: DueState,
    handled: number,
    patience: Patience,
  ): Promise<boolean> {
    const wasIdle = patience.isIdle;
    patience.isIdle = handled === 0 && state === "free";
    if (handled > 0) return true;
    // Somebody may have been at it for a moment. What is free in the next round too, and not done, is stuck.
    if (state === "free") return !wasIdle;
    if (patience.waits === 0) return false;
    if (--patience.waits === 0)
      log.warn("others are still busy with what is due in the sandbox; going on without them");
    await clock.sleep(waitMs);
    return true;
  }

  async function advanceTo(target: number): Promise<void> {
    const patience = { waits: waitsMost, isIdle: false };
    const nextStop = planStops();
    let settledAt = await settleNow(patience);
    let strideMs = 0;
    for (let stops = 0; ; stops++) {
      if (stops === stopsMost.exact) {
        strideMs = (target - settledAt) / stopsMost.inStrides;
        log.warn({ strideMs }, "too much falls due for the sandbox's time to stop at each");
      }
      const stopAt = nextStop(await listNextDue(db, settledAt)) ?? Number.POSITIVE_INFINITY;
      if (Math.max(stopAt, settledAt + strideMs) >= target) break;
      await clock.advanceTo(Math.ceil(Math.max(stopAt, settledAt + strideMs)));
      settledAt = await settleNow(patience);
    }
    await clock.advanceTo(target);
    await runRound();
    await settleNow(patience);
  }

  return {
    settle() {
      // Whoever asks while another waits for its turn is served by that turn.
      nextSettling ??= inTurn(async () => {
        nextSettling = undefined;
        await settleNow({ waits: waitsMost, isIdle: false });
      });
      return nextSettling;
    },
    fulfilWish: () => inTurn(async () => advanceTo(await findWish(db))),
  };
}
