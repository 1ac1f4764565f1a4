import type { Step } from "../../server/src/ramp/step.ts";
import type { Ramp } from "../../server/src/ramp/transaction.ts";
import { built, context } from "../built.ts";

const { bankCalendar } =
  await built<typeof import("../../server/src/lib/calendar.ts")>("lib/calendar");
const { newId } = await built<typeof import("../../server/src/lib/ids.ts")>("lib/ids");
const { asPriceE18 } = await built<typeof import("../../server/src/lib/money.ts")>("lib/money");
const { settlementFor } =
  await built<typeof import("../../server/src/ramp/settlement.ts")>("ramp/settlement");

const calendar = bankCalendar();

/** Everything that happens to a transaction after it was created, until it is completed. */
export function stepsOf(ramp: Ramp): Step[] {
  const { random, clock } = context;
  const payoutId = newId("pay", random);
  const depositId = newId("dep", random);
  const { units, cents, settlementMethod: method } = ramp;
  if (units === null || cents === null) throw new Error("It does not say how much it is about.");
  const priced = { kind: "priced", priceE18: asPriceE18(10n ** 18n), sources: ["bench"] } as const;
  const paid: Step[] = [
    { kind: "payout_started", payoutId },
    { kind: "payout_accepted", payoutId, trace: payoutId },
    { kind: "payout_settled", payoutId, trace: payoutId },
  ];
  if (ramp.type === "ON_RAMP") {
    return [
      { kind: "wire_matched", wireId: newId("wir", random), cents, isFromHolder: true },
      priced,
      { kind: "payout_queued", payoutId, settlement: null },
      ...paid,
    ];
  }
  const deposit = { depositId, units, blockTime: ramp.createdAt };
  // As if it were paid a month ago: the time in which an ACH payment can come back is over.
  const settlement = settlementFor(method, clock.now() - 30 * 24 * 3_600_000, calendar);
  return [
    { kind: "deposit_seen", ...deposit },
    { kind: "deposit_final", ...deposit, isFromRegistered: true },
    priced,
    { kind: "payout_queued", payoutId, settlement },
    ...paid,
    ...(method === "ACH" ? [{ kind: "window_closed" } as const] : []),
  ];
}
