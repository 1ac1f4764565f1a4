import type { Random } from "./random.ts";

const digitCount = 14;

/** A public id such as `usr-30718529604417`: random digits, so that nobody can guess a neighbour's. */
export function newId<Prefix extends string>(
  prefix: Prefix,
  random: Random,
): `${Prefix}-${string}` {
  const first = 1 + random.below(9);
  const rest = String(random.below(10 ** (digitCount - 1))).padStart(digitCount - 1, "0");
  return `${prefix}-${first}${rest}`;
}

/** Whether a text has the form of such an id. What has not need not be looked for, and is not repeated. */
export function isId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}-`) && /^\d{1,20}$/.test(text.slice(prefix.length + 1));
}
