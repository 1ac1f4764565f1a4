import { isObject } from "../../../lib/is-object.ts";

/** A frame's JSON as an object, or nothing when it is none. */
export function parseFrame(frame: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(frame);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** A list, or an empty one in the place of anything else. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads pairs of price and size, as numbers or as text, into one row. Nothing when any of them makes no sense. */
export function levelsOf(pairs: unknown): number[] | undefined {
  if (!Array.isArray(pairs)) return undefined;
  const levels: number[] = [];
  for (const pair of pairs) {
    if (!Array.isArray(pair) || !pushLevel(levels, pair[0], pair[1])) return undefined;
  }
  return levels;
}

/** Adds a level to a row, and returns whether it made sense. */
export function pushLevel(levels: number[], price: unknown, size: unknown): boolean {
  const [priceNumber, sizeNumber] = [numberOf(price), numberOf(size)];
  levels.push(priceNumber, sizeNumber);
  return priceNumber > 0 && priceNumber < Infinity && sizeNumber >= 0 && sizeNumber < Infinity;
}

function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value !== "" ? Number(value) : Number.NaN;
}

/** A whole number that is exact, as a number or as text. */
export function integerOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** A positive number as decimal text, with the digits it was written with; nothing when it is none. */
export function decimalOf(value: unknown): string | undefined {
  const text = typeof value === "number" ? plainDigits(value) : value;
  return typeof text === "string" && /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text)
    ? text
    : undefined;
}

/** JavaScript writes very small and very large numbers with an exponent; here they are written out. */
function plainDigits(value: number): string {
  const text = String(value);
  const [, whole, fraction = "", exponent] = /^(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const shift = Number(exponent);
  if (shift < 0) return `0.${"0".repeat(-shift - 1)}${whole}${fraction}`;
  return whole + fraction.padEnd(shift, "0");
}

/** Unix milliseconds of a moment in ISO 8601; nothing when it is none. */
export function millisecondsOf(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return time >= 0 ? time : undefined;
}

/** An id as text, whether the exchange writes it as a number or as text. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}
