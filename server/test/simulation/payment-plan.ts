import type { Rail } from "../../src/ramp/step.ts";
import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import type { Happening } from "./world.ts";

type Planned = Happening & { afterMs: number };

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long each rail takes to confirm. */
const confirmsWithin: Record<Rail, readonly [least: number, most: number]> = {
  chain: [minute, 40 * minute],
  wire: [minute, 6 * hour],
  ach: [10 * hour, 30 * hour],
};

/** Closed, unknown, refused by its holder, our own mistake, a code that is never used for such payments. */
const returnCodes = ["R02", "R03", "R23", "R18", "R05"];

/** What becomes of a payment that a rail has taken. On a chain nothing comes back. */
export function planOf(rail: Rail, chance: Chance, faults: Faults): Planned[] {
  const wait = (least: number, most: number) => chance.between(least, most);
  const isOverdue = faults.strikes("confirmation_overdue");
  // Some are confirmed before whoever asked for them has heard the answer.
  const usually = chance.isTrue(0.2) ? wait(second, 20 * second) : wait(...confirmsWithin[rail]);
  const confirmedAfter = usually + (isOverdue ? 6 * day : 0);
  if (faults.strikes("payout_failed"))
    return [{ kind: "payout_failed", why: "did not go through", afterMs: confirmedAfter }];
  const settled: Planned = { kind: "payout_settled", trace: "final", afterMs: confirmedAfter };
  const returned = { kind: "payout_returned", code: chance.pick(returnCodes) } as const;
  if (rail === "chain") return [settled];
  if (faults.strikes("payout_returned")) {
    // Sometimes a bank sends back what it has never confirmed.
    return chance.isTrue(0.3)
      ? [{ ...returned, afterMs: confirmedAfter }]
      : [settled, { ...returned, afterMs: confirmedAfter + wait(minute, 30 * hour) }];
  }
  if (faults.strikes("payout_returned_late"))
    return [settled, { ...returned, afterMs: confirmedAfter + wait(5 * day, 9 * day) }];
  return [settled];
}
