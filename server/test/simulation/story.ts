import type { Transaction } from "../../src/database/database.ts";
import type { RampContext } from "../../src/ramp/engine.ts";
import type { Ramp } from "../../src/ramp/transaction.ts";
import type { Chance } from "./chance.ts";
import type { World } from "./world.ts";

/** What those who act in a story know and can do. */
export type Story = {
  world: World;
  chance: Chance;
  /** The transactions as they are now. */
  ramps: readonly Ramp[];
  /** How many of our files wait for an operator. */
  heldFiles: number;
  /** Does something in a database transaction of the living process; may fail as a request may. */
  ask(
    what: string,
    work: (tx: Transaction, context: RampContext) => Promise<unknown>,
  ): Promise<void>;
  /** Writes a line of the trace. */
  tell(line: string): void;
};
