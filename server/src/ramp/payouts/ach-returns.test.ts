import { expect, test } from "vitest";
import { day, newSale, showMoves, type Told, tell } from "../../../test/ramp-scene.ts";
import type { Advance } from "../step.ts";
import { isDispute, meaningOf } from "./ach-returns.ts";

const codes = Array.from({ length: 85 }, (_, index) => `R${String(index + 1).padStart(2, "0")}`);

/** What each code is about. All others are of debits, or of entries of other kinds than ours. */
const groups: Record<string, readonly string[]> = {
  account: ["R02", "R03", "R04", "R16", "R17", "R20"],
  receiver: ["R14", "R15", "R23"],
  bank: ["R06", "R12", "R13", "R32", "R34"],
  file: ["R18", "R19", "R24", "R25", "R26", "R27", "R28"],
  dispute: codes.filter((code) => code >= "R61" && code <= "R77"),
};
const groupOf = (code: string) =>
  Object.keys(groups).find((name) => groups[name]?.includes(code)) ?? "other";

/** What a return does: before and after delivery where the sale stands and where its money lies, and whom it troubles. */
type Effect = {
  early: readonly [state: string, reason: string, moves: string];
  late: readonly [state: string, reason: string, moves: string];
  isStopped: boolean;
  isAlarm: boolean;
};

const returned = ["PAYOUT_RETURNED", "payout_returned", "bank > usd 500"] as const;
const late = ["RETURNED_AFTER_COMPLETION", "late_return", "bank > usd 500"] as const;
const usual = { early: returned, late };
const unexplained = ["unexplained_return", "bank > suspense:USD 500"] as const;

const effects: Record<string, Effect | "nothing is told"> = {
  account: { ...usual, isStopped: true, isAlarm: false },
  receiver: {
    ...{ early: ["IN_REVIEW", "returned_by_receiver", "bank > usd 500"], late },
    ...{ isStopped: true, isAlarm: true },
  },
  bank: { ...usual, isStopped: false, isAlarm: false },
  file: { ...usual, isStopped: false, isAlarm: true },
  dispute: "nothing is told",
  other: {
    early: ["PAYOUT_RETURNED", ...unexplained],
    late: ["RETURNED_AFTER_COMPLETION", ...unexplained],
    ...{ isStopped: false, isAlarm: true },
  },
};

/** What a code does to a sale by ACH that was settled, and to one that was delivered. */
function effectOf(code: string): Effect | "nothing is told" {
  if (isDispute(code)) return "nothing is told";
  const { isAccountAtFault, review, alarm } = meaningOf("ach", code);
  const step: Told = {
    ...{ kind: "payout_returned", code, isAccountAtFault },
    ...(review && { review }),
  };
  const sale = newSale({ settlementMethod: "ACH" });
  const sold: Told[] = ["deposit_final", "priced", "payout_queued", "payout_started"];
  const early = tell(sale, ...sold, "payout_settled", step);
  const delivered: Told[] = ["payout_settled", { kind: "window_closed", at: 5 * day }];
  const after = tell(sale, ...sold, ...delivered, step);
  const shown = ({ ramp, moves }: Advance) =>
    [ramp.state, String(ramp.reason), showMoves(moves)] as const;
  const isStopped = early.orders.some(({ kind }) => kind === "stop_bank_account");
  return { early: shown(early), late: shown(after), isStopped, isAlarm: alarm !== null };
}

test.each(codes)("%s does what the table says", (code) => {
  expect(effectOf(code)).toEqual(effects[groupOf(code)]);
});

test.each(["", "anything", "AC04", "R86"])("%j, which is no code, explains nothing", (code) => {
  expect(effectOf(code)).toEqual(effects.other);
});

test.each([
  ["AC04", true],
  ["MD07", true],
  ["R03", false],
  ["REVERSED", false],
  ["", false],
])("%s of a wire is a fault of the account: %s", (code, isAccountAtFault) => {
  expect(meaningOf("wire", code)).toEqual({ isAccountAtFault, review: null, alarm: null });
});

test.each(["R61", "R62", "R67", "R68", "R70", "R71", "R77"])("%s only argues", (code) => {
  expect(isDispute(code)).toBe(true);
});

test.each(["R03", "R06", "R60", "R78", "R85", "", "R611"])("%s does not argue", (code) => {
  expect(isDispute(code)).toBe(false);
});
