import type { Transaction } from "../../database/database.ts";
import type { RampContext } from "../engine.ts";
import type { Notice } from "../ports.ts";

type Correction = Extract<Notice, { kind: "account_corrected" }>;

/** Makes a bank account what its bank says it is, for the next payout to it. */
export async function takeCorrection(
  _tx: Transaction,
  _context: Pick<RampContext, "clock" | "random" | "sealer" | "log">,
  _notice: Correction,
): Promise<void> {}
