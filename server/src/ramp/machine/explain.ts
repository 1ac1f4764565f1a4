import { payoutAttemptsMost, repriceToleranceE4 } from "../policy.ts";
import type { Ramp, Reason, State } from "../transaction.ts";
import { passingReasons } from "./holds.ts";

/** Where a transaction stands, in words, and what lets it go on. */
export function explain(ramp: Ramp): { explanation: string; unblockedBy: string | null } {
  const { reason } = ramp;
  const lead = leads[ramp.state](ramp);
  const isCaused = reason !== null && !statesThatSayAll.has(ramp.state);
  return {
    explanation: isCaused ? `${lead}: ${causes[reason]}.` : `${lead}.`,
    unblockedBy: unblockedBy(ramp),
  };
}

/** A reason, as the end of a sentence. */
const causes: Record<Reason, string> = {
  third_party_sender: "the wire came from an account in another name than the customer's",
  sanctioned: "one of the parties is on a sanctions list, so the money may not be moved",
  screening_unavailable: "the sanctions check does not answer",
  unregistered_sender: "the deposit came from another address than the registered wallet",
  wrong_token: "another token than the agreed one came to the deposit address",
  below_minimum: "what came is less than the least that can be exchanged",
  above_maximum: "what came is more of the token than can be exchanged at once",
  above_account_limit: "what came is above the limit of the account",
  late_funds: "the money came after the transaction had been canceled",
  price_moved: `at today's price the proceeds are more than ${Number(repriceToleranceE4) / 100} percent lower than agreed`,
  price_unavailable: "there is no price at the moment that can be trusted",
  peg_guard: "the stablecoin is not worth its dollar at the moment",
  liquidity: "there is not enough in stock at the moment to pay it out",
  payout_refused: "the payout was refused",
  payout_returned: "the receiving bank sent the money back",
  late_return: "the receiving bank sent the money back after it had been delivered",
  returned_by_receiver:
    "the receiving bank sent the money back because the receiver has died or refuses it",
  unexplained_return:
    "the receiving bank sent the money back for a reason that does not fit, and it lies apart until that is explained",
  recalled: "the sender's bank wants the wire back",
  expired: "no money came in time",
  canceled: "the customer canceled it",
  dust: "what came does not cover the network's fee, and is kept for the customer",
  written_off: "what is left of it is kept for whoever can claim it",
  operator: "an operator decided so",
};

const say = (sentence: string) => () => sentence;
const returnedTo = ({ type }: Ramp) =>
  type === "ON_RAMP" ? "the account the wire came from" : "the customer's registered wallet";
const destination = ({ type }: Ramp) =>
  type === "ON_RAMP" ? "the customer's wallet" : "the customer's bank account";
const payout = ({ completedAt }: Ramp) => (completedAt === null ? "The payout" : "A new payout");

/** What happens in each state, without a full stop: a reason may follow. */
const leads: Record<State, (ramp: Ramp) => string> = {
  AWAITING_FUNDS: say("The wire has not arrived yet"),
  FUNDS_RECEIVED: ({ reason }) =>
    reason === null
      ? "The wire has arrived and is being checked and priced"
      : "The wire has arrived and waits to be priced",
  PRICED: ({ reason }) =>
    reason === null ? "The crypto has been bought" : "The crypto has been bought and waits",
  AWAITING_DEPOSIT: say("The deposit has not arrived yet"),
  DEPOSIT_SEEN: ({ isLate }) =>
    isLate
      ? "A deposit came late and is waiting for the blockchain to make it final"
      : "The deposit has been seen and is waiting for the blockchain to make it final",
  DEPOSIT_FINAL: ({ reason }) =>
    reason === null
      ? "The deposit is final and is being checked and priced"
      : "The deposit is final and waits to be sold",
  IN_REVIEW: ({ reason }) =>
    reason === "sanctioned" ? "The money is frozen" : "The transaction is held for a decision",
  CONVERTED: ({ reason }) =>
    reason === null ? "The crypto has been sold" : "The money waits to be paid out",
  PAYOUT_QUEUED: (ramp) => `${payout(ramp)} to ${destination(ramp)} waits for its time to be sent`,
  PAYOUT_SUBMITTED: (ramp) =>
    ramp.settlement?.windowClosesAt && ramp.isSettled
      ? "The money is at the customer's bank, which may still send it back for some days"
      : `${payout(ramp)} is on its way to ${destination(ramp)}`,
  PAYOUT_FAILED: (ramp) => `${payout(ramp)} to ${destination(ramp)} did not go out`,
  PAYOUT_RETURNED: say("The payout came back"),
  COMPLETED: (ramp) =>
    ramp.reason === null ? `Delivered to ${destination(ramp)}` : "Delivered, and disputed",
  RETURNED_AFTER_COMPLETION: say("The payout came back"),
  EXPIRED: say("Expired"),
  CANCELED: say("Canceled by the customer"),
  REFUND_PENDING: (ramp) => `The money is about to go back to ${returnedTo(ramp)}`,
  REFUND_SUBMITTED: (ramp) => `The money is on its way back to ${returnedTo(ramp)}`,
  REFUND_FAILED: (ramp) => `The money could not be sent back to ${returnedTo(ramp)}`,
  REFUNDED: (ramp) =>
    ramp.reason === "dust" ? "Nothing could go back" : `The money went back to ${returnedTo(ramp)}`,
  WRITTEN_OFF: say("Closed without another payout"),
};

/** Where the reason would only repeat what the state says. */
const statesThatSayAll: ReadonlySet<State> = new Set<State>(["DEPOSIT_SEEN", "CANCELED"]);

/** Who has to do what so that a transaction goes on; nothing when it does so by itself. */
function unblockedBy(ramp: Ramp): string | null {
  const { state, reason } = ramp;
  if (reason !== null && passingReasons.has(reason)) {
    return "It is tried again every few minutes and goes on by itself once this has passed.";
  }
  if (state === "IN_REVIEW") return (reason && decisions[reason]?.(ramp)) ?? operatorDecides;
  return actions[state]?.(ramp) ?? null;
}

const operatorDecides = "An operator decides whether it goes on or the money goes back.";

/** Reviews that do not end with an operator alone. */
const decisions: Partial<Record<Reason, (ramp: Ramp) => string>> = {
  sanctioned: say("An operator has to clear it; until then nothing is paid out or sent back."),
  third_party_sender: say("An operator decides; at the deadline the wire goes back by itself."),
  below_minimum: say(
    "The customer sends the rest to the same deposit address; at the deadline what came goes back.",
  ),
  returned_by_receiver: say(
    "An operator decides whether the customer may name another bank account or the money goes back.",
  ),
  price_moved: ({ id }) =>
    `The customer accepts the new price with POST /v2/ramp/transactions/${id}/accept; at the deadline the crypto goes back.`,
};

const bankExplains =
  "An operator asks the bank; then the customer names another bank account, or the money stays where it lies.";

const namesAnotherAccount = ({ id }: Ramp) =>
  `The customer names another bank account with POST /v2/ramp/transactions/${id}/bankAccount`;

/** States in which somebody has to do something. */
const actions: Partial<Record<State, (ramp: Ramp) => string | null>> = {
  AWAITING_FUNDS: say("The customer sends the wire with the reference of the instructions on it."),
  AWAITING_DEPOSIT: ({ token }) =>
    `The customer sends ${token.symbol} on ${token.blockchain} to the deposit address.`,
  PAYOUT_FAILED: afterRefusal,
  PAYOUT_RETURNED: afterReturn("; at the deadline the money goes back as crypto."),
  RETURNED_AFTER_COMPLETION: afterReturn(", or an operator sends the money back as crypto."),
  COMPLETED: ({ reason }) => (reason === null ? null : "An operator answers the sender's bank."),
  REFUND_FAILED: say("An operator finds out why and tries it again."),
};

function afterReturn(otherwise: string): (ramp: Ramp) => string {
  return (ramp) =>
    ramp.reason === "unexplained_return"
      ? bankExplains
      : `${namesAnotherAccount(ramp)}${otherwise}`;
}

function afterRefusal(ramp: Ramp): string {
  if (ramp.payoutCount < payoutAttemptsMost) return "It is tried again by itself.";
  return ramp.type === "ON_RAMP"
    ? "An operator tries it again or sends the money back."
    : `${namesAnotherAccount(ramp)}, or an operator tries it again or sends the money back.`;
}
