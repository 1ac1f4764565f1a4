import type { Invariants } from "@slipway/sdk";
import type { DueRunner } from "../database/due.ts";
import type { RampContext } from "./engine.ts";

/** Checks that the books are right. */
export function checkInvariants(_context: Pick<RampContext, "db" | "ports">): Promise<Invariants> {
  throw new Error("not yet");
}

/** Checks the books every hour. */
export function invariantsWatch(_context: RampContext): DueRunner {
  return { name: "invariants", run: async () => 0 };
}
