import type { Queryable } from "../../../database/database.ts";
import { assert } from "../../../lib/errors.ts";
import type { PayoutInstruction, PayoutRail, Submission } from "../../ports.ts";
import type { BankOrder } from "../store/bank-entries.ts";
import { findWireSender } from "../store/wire-senders.ts";
import type { BankContext } from "./bank-profile.ts";
import { submissionFinder, submitEntry } from "./submit-entry.ts";
import { partyFault } from "./wire-party.ts";

type WireInstruction = Extract<PayoutInstruction, { rail: "ach" | "wire" }>;

/** One cent less than ten billion dollars is the most that a wire can be. */
const centsMost = 9_999_999_999_99n;

/** Pays by wire: what is submitted goes to the bank with the next file, which is made at once. */
export function wireRail(context: BankContext): PayoutRail {
  const { db, clock } = context;
  return {
    async submit(instruction) {
      assert(instruction.rail === "wire", `${instruction.reference} is for a wire`);
      const { reference, rail, cents } = instruction;
      if (cents > centsMost) return refused("a wire carries 9,999,999,999.99 dollars at most");
      return db.transact(async (tx) => {
        const order = await orderOf(tx, context, instruction);
        if (typeof order === "string") return refused(order);
        // One order that does not fit into a file would keep all the others from going.
        const fault = partyFault(order.creditor);
        if (fault) return refused(fault);
        const dueAt = new Date(clock.now());
        return submitEntry(tx, context, {
          ...{ reference, rail, cents, order, dueAt },
          traceOf: async () => reference,
        });
      });
    },
    find: submissionFinder(context),
  };
}

/** Whom to pay, or why that is not known. */
async function orderOf(
  db: Queryable,
  context: Pick<BankContext, "sealer">,
  instruction: WireInstruction,
): Promise<BankOrder["wire"] | string> {
  if (!("returns" in instruction)) {
    const { holderName: name, routingNumber, accountNumber } = instruction.to;
    return { creditor: { name, routingNumber, accountNumber }, remittance: instruction.memo };
  }
  const { bankReference } = instruction.returns;
  const sender = await findWireSender(db, context, bankReference);
  if (!sender) return "the bank knows no such wire";
  return { creditor: sender, remittance: `RETURN OF ${bankReference}` };
}

function refused(why: string): Submission {
  return { outcome: "refused", why };
}
