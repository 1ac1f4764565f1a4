import type { Queryable } from "../../../database/database.ts";
import { assert } from "../../../lib/errors.ts";
import { routingNumberFault } from "../../banking/routing-number.ts";
import type { PayoutInstruction, PayoutRail, Submission } from "../../ports.ts";
import { wireText } from "../iso20022/text.ts";
import type { BankOrder } from "../store/bank-entries.ts";
import { findWireSender } from "../store/wire-senders.ts";
import type { BankContext } from "./bank-profile.ts";
import { submissionFinder, submitEntry } from "./submit-entry.ts";

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
        if (!canBeWritten(order)) return refused("no wire can name such an account or holder");
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
  const isWhole = sender.routingNumber && sender.accountNumber && sender.name;
  if (!isWhole) return "the bank has not said from which account the wire came";
  return { creditor: sender, remittance: `RETURN OF ${bankReference}` };
}

/** One order that does not fit into a file would keep all the others from going. */
function canBeWritten({ creditor }: BankOrder["wire"]): boolean {
  const { name, routingNumber, accountNumber } = creditor;
  const isBank = routingNumberFault(routingNumber) === undefined;
  return isBank && /^[0-9A-Za-z-]{1,34}$/.test(accountNumber) && wireText(name, 140) !== "";
}

function refused(why: string): Submission {
  return { outcome: "refused", why };
}
