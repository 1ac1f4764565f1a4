import { countDecimals, formatDecimal, parseDecimal, readQuantity } from "../../lib/money.ts";

type Currency = { name: string; decimals: number; most?: bigint };

/** Reads an amount of a body in the smallest unit of its currency, or says in words what is wrong with it. */
export function readAmount(
  field: string,
  given: string | number,
  { name, decimals, most }: Currency,
): { value: bigint } | { fault: string } {
  const read = readQuantity(given);
  if ("fault" in read) return { fault: `${field} ${read.fault}` };
  const value = parseDecimal(read.text, decimals);
  if (value === undefined)
    return {
      fault: `${field} has ${countDecimals(read.text)} decimals; ${name} allows ${decimals}`,
    };
  if (value === 0n) return { fault: `${field} must be more than 0` };
  return most !== undefined && value > most
    ? { fault: `${field} must be at most ${formatDecimal(most, decimals)}` }
    : { value };
}
