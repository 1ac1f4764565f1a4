import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";

/** What can happen to a payment at the bank. */
export type Happening =
  | { kind: "settled" }
  | { kind: "failed"; why: string }
  | { kind: "returned"; code: string }
  | { kind: "corrected" };
type Planned = Happening & { afterMs: number };

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Closed, unknown, refused by its holder, our own mistake, a code that is never used for such payments. */
const achCodes = ["R02", "R03", "R23", "R18", "R05"];
/** Closed, no such account, the receiver's wish. */
const wireCodes = ["AC04", "AC01", "CUST"];

/** What becomes of a wire that the bank has taken. */
export function planWire(chance: Chance, faults: Faults): Planned[] {
  const isOverdue = faults.strikes("payout_overdue");
  // Some go out before whoever asked for them has heard the answer.
  const usually = chance.isTrue(0.2)
    ? chance.between(second, 20 * second)
    : chance.between(minute, 6 * hour);
  const afterMs = usually + (isOverdue ? 6 * day : 0);
  if (faults.strikes("payout_failed"))
    return [{ kind: "failed", why: "did not go through", afterMs }];
  const settled: Planned = { kind: "settled", afterMs };
  const returned = { kind: "returned", code: chance.pick(wireCodes) } as const;
  if (faults.strikes("payout_returned"))
    return [settled, { ...returned, afterMs: afterMs + chance.between(minute, 30 * hour) }];
  if (faults.strikes("payout_returned_late"))
    return [settled, { ...returned, afterMs: afterMs + chance.between(5 * day, 9 * day) }];
  return [settled];
}

/** What becomes of an ACH entry that settles after `settlesMs`; that it does is the file's business. */
export function planEntry(chance: Chance, faults: Faults, settlesMs: number): Planned[] {
  const returned = { kind: "returned", code: chance.pick(achCodes) } as const;
  const corrected = faults.strikes("payout_corrected")
    ? [{ kind: "corrected", afterMs: settlesMs + chance.between(0, 2 * day) } as const]
    : [];
  if (faults.strikes("payout_returned")) {
    // Sometimes a bank sends back what has not settled.
    const afterMs = chance.isTrue(0.3)
      ? chance.between(minute, settlesMs)
      : settlesMs + chance.between(minute, 30 * hour);
    return [...corrected, { ...returned, afterMs }];
  }
  if (faults.strikes("payout_returned_late"))
    return [...corrected, { ...returned, afterMs: settlesMs + chance.between(5 * day, 9 * day) }];
  return corrected;
}
