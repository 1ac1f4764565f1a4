import type { Invariants } from "@slipway/sdk";
import type { RampContext } from "./engine.ts";

/** Checks that the books are right. */
export function checkInvariants(_context: Pick<RampContext, "db" | "ports">): Promise<Invariants> {
  throw new Error("not yet");
}
