import { asUnits } from "../../lib/money.ts";
import { findToken } from "../assets.ts";
import type { Ports } from "../ports.ts";
import type { Actor, Step } from "../step.ts";
import type { Ramp } from "../transaction.ts";

/** The step that orders a refund, with the price and gas of now. Nothing when a sale would have to be undone without a price. */
export function refundStep(
  ports: Pick<Ports, "prices">,
  ramp: Ramp,
  by: Actor,
  note: string | null,
): Extract<Step, { kind: "refund_ordered" }> | undefined {
  const base = { kind: "refund_ordered", by, note } as const;
  if (ramp.type === "ON_RAMP") return { ...base, priceE18: null, gasUnits: asUnits(0n) };
  const gasUnits = findToken(ramp.token.symbol, ramp.token.blockchain)?.refundGasUnits;
  const priceE18 = ports.prices.current(ramp.token)?.priceE18 ?? null;
  const isSold = ramp.heldCents > 0n;
  if (isSold && priceE18 === null) return undefined;
  return { ...base, priceE18, gasUnits: gasUnits ?? asUnits(0n) };
}
