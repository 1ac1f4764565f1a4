declare const unit: unique symbol;

/** US dollars in cents. */
export type Cents = bigint & { readonly [unit]: "cents" };

/** A quantity of a token in its smallest unit. */
export type Units = bigint & { readonly [unit]: "units" };

/** US dollars for one whole token, times 10^18. */
export type PriceE18 = bigint & { readonly [unit]: "price" };

/** Says that a whole number is an amount of cents. */
export const asCents = (amount: bigint): Cents => amount as Cents;

/** Says that a whole number is an amount of a token's smallest units. */
export const asUnits = (amount: bigint): Units => amount as Units;

/** Says that a whole number is a price times 10^18. */
export const asPriceE18 = (price: bigint): PriceE18 => price as PriceE18;

const decimalForm = /^(?:0|[1-9][0-9]*)(?:\.([0-9]+))?$/;
const lengthMost = 40;
/** Up to here a JSON number arrives as it was written; one with more digits may have lost some on its way. */
const numberDigitsMost = 15;

/** Reads a decimal in the smallest unit. Nothing when it is no plain decimal or has more decimals: no rounding. */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const count = countDecimals(text);
  if (count === undefined || count > decimals) return undefined;
  return BigInt(text.replace(".", "") + "0".repeat(decimals - count));
}

/** How many digits stand after the point of a plain decimal. Nothing when it is none. */
export function countDecimals(text: string): number | undefined {
  if (text.length > lengthMost) return undefined;
  const [isDecimal, fraction = ""] = decimalForm.exec(text) ?? [];
  return isDecimal === undefined ? undefined : fraction.length;
}

/** Reads a quantity of a JSON body as decimal text, or says what it must be. Numbers are taken if nothing can be lost. */
export function readQuantity(value: unknown): { text: string } | { fault: string } {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || countDecimals(text) === undefined)
    return { fault: 'must be a decimal string such as "12.5"' };
  const digits = text.replace(".", "").replace(/^0+/, "");
  if (typeof value === "number" && digits.length > numberDigitsMost)
    return { fault: `must be a string when it has more than ${numberDigitsMost} digits` };
  return { text };
}

/** Writes an amount of smallest units as a plain decimal, without zeros at its end. */
export function formatDecimal(amount: bigint, decimals: number): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${whole}${fraction && `.${fraction}`}`;
}

/** Writes dollars with two decimals: `25.00`. */
export function formatCents(cents: Cents): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Writes the dollars for one whole token: `0.9998`. */
export function formatPrice(price: PriceE18): string {
  return formatDecimal(price, 18);
}
