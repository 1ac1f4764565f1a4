import type { Database, Transaction } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import type { Sealer } from "../lib/seal.ts";
import type { Ports } from "./ports.ts";
import type { Step } from "./step.ts";
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

/** Writes a new transaction down, with its first step and event. */
export function createRamp(
  _tx: Transaction,
  _context: Pick<RampContext, "random">,
  _ramp: Ramp,
): Promise<Ramp> {
  throw new Error("not yet");
}

/** Applies a step to a transaction and writes down everything that follows from it. */
export function applyStep(
  _tx: Transaction,
  _context: Pick<RampContext, "clock" | "random">,
  _id: string,
  _step: Step,
): Promise<Ramp> {
  throw new Error("not yet");
}
