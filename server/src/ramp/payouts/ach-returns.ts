/** What the code of a payment that came back means for us. */
export type ReturnMeaning = {
  /** The account cannot be paid: nobody may use it again. */
  isAccountAtFault: boolean;
  /** What an operator has to know; null when the customer can put it right alone. */
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

/** The file was wrong: dates, amounts, addenda, identification, duplicates. */
const fileCodes = new Set(["R18", "R19", "R24", "R25", "R26", "R27", "R28"]);

/** What banks say to each other in a dispute about an earlier return: dishonoured, contested, corrected. */
const disputeCodes = /^R(6[1-9]|7[0-7])$/;

/** Whether a code only argues about an earlier return. The money is where it was until the bank books otherwise. */
export function isDispute(code: string): boolean {
  return disputeCodes.test(code);
}

/** What a return says about a payment that we sent. Codes of debits never come for one of ours. */
export function meaningOf(code: string): ReturnMeaning {
  if (accountCodes.has(code) || wireAccountCodes.has(code))
    return { isAccountAtFault: true, alarm: null };
  if (receiverCodes.has(code)) {
    const alarm = "the receiver has died or refuses the payment: talk to the customer";
    return { isAccountAtFault: true, alarm };
  }
  if (otherCodes.has(code)) return { isAccountAtFault: false, alarm: null };
  const alarm = fileCodes.has(code)
    ? "the bank says that our payment file was wrong or a duplicate: check it before the next one is sent"
    : "the bank returned a payment with a code that is not for payments like ours: ask the bank what it means";
  return { isAccountAtFault: false, alarm };
}
