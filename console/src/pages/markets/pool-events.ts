import type { PoolBurn, PoolMint, PoolSwap, PoolTrades } from "@slipway/sdk";
import type { PriceOf } from "./pool-figures.ts";

/** What can happen in a pool. */
export const eventKinds = ["swaps", "mints", "burns"] as const;
export type EventKind = (typeof eventKinds)[number];
export type PoolEvent = PoolSwap | PoolMint | PoolBurn;
export type Side = "buy" | "sell";

export type EventFilter = { side: Side | "all"; dollarsLeast: number; of: PriceOf };

/** The events of one kind, newest first, each once: those of an answer and those that the stream told since. */
export function eventsOf(
  kind: EventKind,
  answer: PoolTrades | undefined,
  told: readonly PoolSwap[],
): readonly PoolEvent[] {
  const asked = answer?.[kind] ?? [];
  if (kind !== "swaps") return asked;
  const known = new Set(asked.map(({ id }) => id));
  return [...told.filter(({ id }) => !known.has(id)), ...asked];
}

/** Only those that somebody wants to see. The API does not filter by these. */
export function filtered(
  events: readonly PoolEvent[],
  { side, dollarsLeast, of }: EventFilter,
): readonly PoolEvent[] {
  return events.filter(
    (event) =>
      Number(event.amountUSD) >= dollarsLeast && (side === "all" || sideOf(event, of) === side),
  );
}

/** Amounts are what the pool gains: what it loses somebody has bought. */
export function sideOf(event: PoolEvent, of: PriceOf): Side {
  const amount = of === "token0" ? event.amount0 : event.amount1;
  return amount.startsWith("-") ? "buy" : "sell";
}

/** An amount without its sign. */
export function sizeOf(amount: string): string {
  return amount.replace(/^-/, "");
}

/** A transaction's hash: ids are the hash, `#` and a position. */
export function hashOf(id: string): string {
  return id.split("#")[0] ?? id;
}
