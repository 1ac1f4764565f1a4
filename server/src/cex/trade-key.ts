import type { Trade } from "./market.ts";

/** Where a trade stands in its market: by time, and within a millisecond by id. */
export type TradeKey = Pick<Trade, "time" | "id">;

const digitsMost = 19;
/** Every number of so many digits fits. */
const digitsSafe = 18;
const placeMost = 2n ** 63n - 1n;

/** The id as a number where it is a whole number that a column can hold, else 0. */
export function placeOf(id: string): bigint {
  return BigInt(placeText(id));
}

/** The place as text that a column takes. Such an id has digits only. */
export function placeText(id: string): string {
  if (id.length > digitsMost || !isDigits(id)) return "0";
  return id.length <= digitsSafe || BigInt(id) <= placeMost ? id : "0";
}

function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return text.length > 0;
}

/** The order of a market's trades, the same as in the tables: negative when `one` comes first. */
export function compareKeys(one: TradeKey, other: TradeKey): number {
  if (one.time !== other.time) return one.time - other.time;
  if (one.id === other.id) return 0;
  const [place, otherPlace] = [placeOf(one.id), placeOf(other.id)];
  if (place !== otherPlace) return place < otherPlace ? -1 : 1;
  return Buffer.compare(Buffer.from(one.id), Buffer.from(other.id));
}
