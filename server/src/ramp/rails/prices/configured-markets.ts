import type { Prices } from "../../ports.ts";
import type { RailSettings } from "../rail-settings.ts";

/** The markets that make prices: those that are named, or else every market in dollars that is configured. */
export function marketsOf(
  _settings: Pick<RailSettings["prices"], "markets">,
  _exchanges: readonly { id: string; markets: readonly string[] }[],
): Record<string, readonly string[]> {
  throw new Error("not built");
}

/** Prices of the first for the symbols that have markets, of the second for all others. */
export function pricesWithFallback(
  _first: Prices,
  _markets: Readonly<Record<string, readonly string[]>>,
  _second: Prices,
): Prices {
  throw new Error("not built");
}
