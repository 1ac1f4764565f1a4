import type { Rail } from "../step.ts";
import type { ReturnReview } from "../transaction.ts";

/** What the code of a payment that came back means for us. */
export type ReturnMeaning = {
  /** The account cannot be paid: nobody may use it again. */
  isAccountAtFault: boolean;
  /** Why a person has to look at it before anything else is done; null when the customer can put it right alone. */
  review: ReturnReview | null;
  /** What an operator has to know; null when it is nothing. */
  alarm: string | null;
};

/** Closed, no account, bad number, frozen, entry questioned, not a transaction account. */
const accountCodes = new Set(["R02", "R03", "R04", "R16", "R17", "R20"]);

/** The same in the words of wires: no such account, closed, blocked, of the wrong kind, nobody by that name. */
const wireAccountCodes = new Set(["AC01", "AC03", "AC04", "AC06", "AC07", "AC14", "BE06", "MD07"]);

/** The holder or a representative has died, or the receiver refuses: a person has to look at it. */
const receiverCodes = new Set(["R14", "R15", "R23"]);

/** The bank is at fault or cannot; we asked for it. */
const otherCodes = new Set(["R12", "R13", "R32", "R34", "R06"]);

/** Our word, no bank's, for a payment that was refused with its whole file after it had been taken for settled. */
export const refusedLateCode = "REJECTED";

/** The file was wrong: dates, amounts, addenda, identification, duplicates. */
const fileCodes = new Set(["R18", "R19", "R24", "R25", "R26", "R27", "R28", refusedLateCode]);

/** What banks say to each other in a dispute about an earlier return: dishonoured, contested, corrected. */
const disputeCodes = /^R(6[1-9]|7[0-7])$/;

/** Whether a code only argues about an earlier return. The money is where it was until the bank books otherwise. */
export function isDispute(code: string): boolean {
  return disputeCodes.test(code);
}

const harmless: ReturnMeaning = { isAccountAtFault: false, review: null, alarm: null };

/** What a return says about a payment that we sent. */
export function meaningOf(rail: Rail, code: string): ReturnMeaning {
  if (rail === "ach") return achMeaningOf(code);
  return { ...harmless, isAccountAtFault: wireAccountCodes.has(code) };
}

/** Codes that are in no group are for debits, or for entries of other kinds: they never come for a payment like ours. */
function achMeaningOf(code: string): ReturnMeaning {
  if (accountCodes.has(code)) return { ...harmless, isAccountAtFault: true };
  if (otherCodes.has(code)) return harmless;
  if (receiverCodes.has(code)) {
    const alarm = "the receiver has died or refuses the payment: talk to the customer";
    return { isAccountAtFault: true, review: "returned_by_receiver", alarm };
  }
  if (fileCodes.has(code)) {
    const alarm =
      "the bank says that our payment file was wrong or a duplicate: check it before the next one is sent";
    return { ...harmless, alarm };
  }
  const alarm =
    "the bank returned a payment with a code that is not for payments like ours, and it lies in suspense: ask the bank what it means, then release or write off the transaction";
  return { ...harmless, review: "unexplained_return", alarm };
}
