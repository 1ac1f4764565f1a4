import type { Trade } from "./market.ts";

/** Where a trade stands in its market: by time, and within a millisecond by id. */
export type TradeKey = Pick<Trade, "time" | "id">;

const digitsMost = 19;
const placeMost = 2n ** 63n - 1n;

/** The id as a number where it is a whole number that a column can hold, else 0. */
export function placeOf(id: string): bigint {
  if (id.length > digitsMost || !/^\d+$/.test(id)) return 0n;
  const place = BigInt(id);
  return place <= placeMost ? place : 0n;
}

/** The order of a market's trades, the same as in the tables: negative when `one` comes first. */
export function compareKeys(one: TradeKey, other: TradeKey): number {
  if (one.time !== other.time) return one.time - other.time;
  if (one.id === other.id) return 0;
  const [place, otherPlace] = [placeOf(one.id), placeOf(other.id)];
  if (place !== otherPlace) return place < otherPlace ? -1 : 1;
  return Buffer.compare(Buffer.from(one.id), Buffer.from(other.id));
}
