import type { CexTrade } from "@slipway/sdk";

/** Trades, the newest first, each once and no more than so many. Exchanges number theirs, so that ids tell them apart. */
export function mergeTrades(
  known: readonly CexTrade[],
  told: readonly CexTrade[],
  most: number,
): CexTrade[] {
  const byId = new Map([...known, ...told].map((trade) => [trade.id, trade]));
  return [...byId.values()]
    .sort(
      (one, other) =>
        Number(other.timestamp) - Number(one.timestamp) || compareIds(other.id, one.id),
    )
    .slice(0, most);
}

/** Within a millisecond the higher number is the later one; ids that are no numbers keep their places. */
function compareIds(one: string, other: string): number {
  const difference = Number(one) - Number(other);
  return Number.isNaN(difference) ? 0 : difference;
}
