import type { Transaction } from "../database/database.ts";
import type { RampContext } from "./engine.ts";
import type { Actor } from "./step.ts";

export type IncomingContext = Pick<RampContext, "clock" | "random" | "sealer">;

/** Gives a wire that lies in suspense to a transaction. */
export function matchWire(
  _tx: Transaction,
  _context: IncomingContext,
  _wireId: string,
  _transactionId: string,
  _actor: Actor,
): Promise<void> {
  throw new Error("not yet");
}

/** Sends a wire that lies in suspense back to where it came from. */
export function returnWire(
  _tx: Transaction,
  _context: IncomingContext,
  _wireId: string,
  _actor: Actor,
): Promise<void> {
  throw new Error("not yet");
}

/** Sends a deposit that lies in suspense to the customer's registered wallet. */
export function returnDeposit(
  _tx: Transaction,
  _context: IncomingContext,
  _depositId: string,
  _actor: Actor,
): Promise<void> {
  throw new Error("not yet");
}
