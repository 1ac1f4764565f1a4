import { describe, expect, test } from "vitest";
import { newPurchase, newSale, type Told, tell } from "../../../test/ramp-scene.ts";
import {
  type OffRamp,
  type OnRamp,
  offRampStates,
  onRampStates,
  type Ramp,
  reasons,
} from "../transaction.ts";
import { explain } from "./explain.ts";

const sent: Told[] = ["deposit_final", "priced", "payout_queued", "payout_started"];
const held = (reason: Ramp["reason"] & string): Told => ({ kind: "held", reason });

/** A transaction, what happened to it, and what it says then. */
type Case = [ramp: Ramp, story: Told[], explanation: string, unblockedBy: string | null];

const cases: Case[] = [
  [
    newPurchase(),
    [],
    "The wire has not arrived yet.",
    "The customer sends the wire with the reference of the instructions on it.",
  ],
  [newPurchase(), ["wire_matched"], "The wire has arrived and is being checked and priced.", null],
  [
    newPurchase(),
    ["wire_matched", held("price_unavailable")],
    "The wire has arrived and waits to be priced: there is no price at the moment that can be trusted.",
    "It is tried again every few minutes and goes on by itself once this has passed.",
  ],
  [
    newPurchase(),
    [{ kind: "wire_matched", isFromHolder: false }],
    "The transaction is held for a decision: the wire came from an account in another name than the customer's.",
    "An operator decides; at the deadline the wire goes back by itself.",
  ],
  [
    newPurchase(),
    [{ kind: "wire_matched", isFromHolder: false }, "refund_ordered"],
    "The money is about to go back to the account the wire came from: the wire came from an account in another name than the customer's.",
    null,
  ],
  [
    newPurchase(),
    ["wire_matched", held("sanctioned")],
    "The money is frozen: one of the parties is on a sanctions list, so the money may not be moved.",
    "An operator has to clear it; until then nothing is paid out or sent back.",
  ],
  [newPurchase(), ["canceled"], "Canceled by the customer.", null],
  [newPurchase(), ["expired"], "Expired: no money came in time.", null],
  [
    newSale(),
    ["wrong_token"],
    "The deposit has not arrived yet: another token than the agreed one came to the deposit address.",
    "The customer sends TOK on base to the deposit address.",
  ],
  [
    newSale(),
    [{ kind: "deposit_final", units: newSale().leastUnits }],
    "The transaction is held for a decision: what came is less than the least that can be exchanged.",
    "The customer sends the rest to the same deposit address; at the deadline what came goes back.",
  ],
  [
    newSale(),
    ["deposit_final", held("price_moved")],
    "The transaction is held for a decision: at today's price the proceeds are more than 1 percent lower than agreed.",
    "The customer accepts the new price with POST /v2/ramp/transactions/txn-1/accept; at the deadline the crypto goes back.",
  ],
  [newSale(), sent, "The payout is on its way to the customer's bank account.", null],
  [
    newSale(),
    [...sent, "payout_failed"],
    "The payout to the customer's bank account did not go out: the payout was refused.",
    "It is tried again by itself.",
  ],
  [
    newSale(),
    [...sent, "payout_returned"],
    "The payout came back: the receiving bank sent the money back.",
    "The customer names another bank account with POST /v2/ramp/transactions/txn-1/bankAccount; at the deadline the money goes back as crypto.",
  ],
  [
    newSale(),
    [...sent, { kind: "payout_returned", review: "unexplained_return" }],
    "The payout came back: the receiving bank sent the money back for a reason that does not fit, and it lies apart until that is explained.",
    "An operator asks the bank; then the customer names another bank account, or the money stays where it lies.",
  ],
  [
    newSale(),
    [...sent, { kind: "payout_returned", review: "returned_by_receiver" }],
    "The transaction is held for a decision: the receiving bank sent the money back because the receiver has died or refuses it.",
    "An operator decides whether the customer may name another bank account or the money goes back.",
  ],
  [
    newSale(),
    [...sent, "payout_settled", "payout_returned", "account_replaced", "payout_queued"],
    "A new payout to the customer's bank account waits for its time to be sent: the receiving bank sent the money back after it had been delivered.",
    null,
  ],
  [newSale(), [...sent, "payout_settled"], "Delivered to the customer's bank account.", null],
  [
    newSale({ settlementMethod: "ACH" }),
    [...sent, "payout_settled"],
    "The money is at the customer's bank, which may still send it back for some days.",
    null,
  ],
];

describe("a transaction says where it stands, and who lets it go on", () => {
  const named = cases.map(([ramp, story, explanation, unblockedBy]) => ({
    ramp,
    story,
    explanation,
    unblockedBy,
  }));
  test.each(named)("$explanation", ({ ramp, story, explanation, unblockedBy }) => {
    expect(explain(tell(ramp, ...story).ramp)).toEqual({ explanation, unblockedBy });
  });
});

test("in every state and for every reason there are whole sentences, and no words of programs", () => {
  const purchases = onRampStates.flatMap((state) =>
    [null, ...reasons].map((reason): OnRamp => ({ ...newPurchase(), state, reason })),
  );
  const sales = offRampStates.flatMap((state) =>
    [null, ...reasons].map((reason): OffRamp => ({ ...newSale(), state, reason })),
  );
  const sentences = [...purchases, ...sales].flatMap((ramp) => {
    const { explanation, unblockedBy } = explain(ramp);
    return unblockedBy === null ? [explanation] : [explanation, unblockedBy];
  });
  expect(sentences.filter((text) => !/^[A-Z][^_]+[^.]\.$/.test(text))).toEqual([]);
});
