import {
  asCents,
  asUnits,
  type Cents,
  countDecimals,
  formatCents,
  formatDecimal,
  type PriceE18,
  parseDecimal,
  readQuantity,
  type Units,
} from "../lib/money.ts";
import type { SupportedToken } from "./assets.ts";
import { centsNeeded, grossCents, unitsForCents, unitsNeeded } from "./pricing.ts";
import type { Ramp, SettlementMethod } from "./transaction.ts";

/** What somebody wants to exchange, and at which terms. `fields` are the request's names of the quantities. */
export type AskedOrders = {
  type: Ramp["type"];
  method: SettlementMethod;
  token: SupportedToken;
  priceE18: PriceE18;
  feeCents: Cents;
  /** At least one of the two is given. */
  units: Units | null;
  cents: Cents | null;
  fields: { units: string; cents: string };
};

/** Both sides of an exchange. `cents` is what the bank's side pays or gets, `grossCents` what is exchanged. */
export type PricedOrders = { units: Units; cents: Cents; grossCents: Cents };

/** Why an exchange cannot be: one sentence per fault. */
type OrderFaults = {
  fault: "bad_request" | "unprocessable";
  messages: [string, ...string[]];
};

/** What a bank's format can carry in one payment: ten digits of cents in an ACH entry, twelve in a wire. */
const mostCentsBy: Record<SettlementMethod, Cents> = {
  ACH: asCents(99_999_999_99n),
  WIRE: asCents(9_999_999_999_99n),
};

/** Proceeds of a wire below this are not worth its fee. */
const leastWireCents = asCents(1_00n);

/** Why a method cannot be used for this type of transaction, if so. */
export function methodFault(type: Ramp["type"], method: SettlementMethod): string | undefined {
  return type === "ON_RAMP" && method === "ACH"
    ? "ACH is available for off-ramp transactions only"
    : undefined;
}

/**
 * Completes the two sides of an exchange at a price, and holds it against all limits. The quantity of the source rules;
 * one of the destination is then the least that is acceptable.
 */
export function priceOrders(asked: AskedOrders): PricedOrders | OrderFaults {
  const priced = asked.type === "OFF_RAMP" ? sell(asked) : buy(asked);
  const [first, ...rest] = [...unitFaults(asked, priced), ...centFaults(asked, priced)];
  if (first !== undefined) return { fault: "bad_request", messages: [first, ...rest] };
  const shortfall = shortfallOf(asked, priced);
  return shortfall ? { fault: "unprocessable", messages: [shortfall] } : priced;
}

/** Reads a quantity of a token in a JSON body, or says in words what is wrong with the field. */
export function readUnits(
  field: string,
  value: unknown,
  { symbol, blockchain, decimals }: SupportedToken,
): { units: Units } | { fault: string } {
  const read = readAmount(field, value, decimals, `${symbol} on ${blockchain}`);
  return "fault" in read ? read : { units: asUnits(read.amount) };
}

/** Reads dollars in a JSON body, or says in words what is wrong with the field. */
export function readCents(field: string, value: unknown): { cents: Cents } | { fault: string } {
  const read = readAmount(field, value, 2, "USD");
  return "fault" in read ? read : { cents: asCents(read.amount) };
}

function readAmount(
  field: string,
  value: unknown,
  decimals: number,
  currency: string,
): { amount: bigint } | { fault: string } {
  const read = readQuantity(value);
  if ("fault" in read) return { fault: `${field} ${read.fault}` };
  const amount = parseDecimal(read.text, decimals);
  if (amount === undefined) {
    const count = countDecimals(read.text);
    return { fault: `${field} has ${count} decimals; ${currency} allows ${decimals}` };
  }
  return amount === 0n ? { fault: `${field} must be greater than 0` } : { amount };
}

function sell({ token, priceE18, feeCents, units, cents }: AskedOrders): PricedOrders {
  const { decimals } = token;
  if (units === null) {
    const net = cents ?? asCents(0n);
    const gross = asCents(net + feeCents);
    return { units: unitsNeeded(gross, priceE18, decimals), cents: net, grossCents: gross };
  }
  const gross = grossCents(units, priceE18, decimals);
  return { units, cents: asCents(gross - feeCents), grossCents: gross };
}

function buy({ token, priceE18, feeCents, units, cents }: AskedOrders): PricedOrders {
  const { decimals } = token;
  if (cents === null) {
    const bought = units ?? asUnits(0n);
    const gross = centsNeeded(bought, priceE18, decimals);
    return { units: bought, cents: asCents(gross + feeCents), grossCents: gross };
  }
  const gross = asCents(cents > feeCents ? cents - feeCents : 0n);
  return { units: unitsForCents(gross, priceE18, decimals), cents, grossCents: gross };
}

function unitFaults(asked: AskedOrders, { units }: PricedOrders): string[] {
  const { token, fields } = asked;
  const { leastUnits, mostUnits } = token;
  const subject = doUnitsRule(asked)
    ? `${fields.units} is`
    : `${fields.cents} comes to ${showUnits(units, token)},`;
  if (units < leastUnits)
    return [`${subject} below the minimum of ${showUnits(leastUnits, token)}`];
  if (mostUnits !== null && units > mostUnits)
    return [`${subject} above the maximum of ${showUnits(mostUnits, token)}`];
  return [];
}

function centFaults(asked: AskedOrders, { cents }: PricedOrders): string[] {
  const { type, method, fields, feeCents } = asked;
  const mostCents = mostCentsBy[method];
  if (cents > mostCents) {
    const subject = doUnitsRule(asked)
      ? `${fields.units} comes to ${showCents(cents)},`
      : `${fields.cents} is`;
    return [`${subject} above the maximum of ${showCents(mostCents)} by ${method}`];
  }
  if (type === "ON_RAMP") return [];
  if (method === "WIRE" && cents < leastWireCents) {
    return doUnitsRule(asked)
      ? [`proceeds do not cover the ${formatDecimal(feeCents, 2)} USD wire fee`]
      : [`${fields.cents} is below the minimum of ${showCents(leastWireCents)} by WIRE`];
  }
  return cents <= 0n ? [`${fields.units} comes to less than 0.01 USD`] : [];
}

/** Says so when the quantity of the source does not give that of the destination. */
function shortfallOf(asked: AskedOrders, priced: PricedOrders): string | undefined {
  const { type, token, units, cents } = asked;
  if (type === "OFF_RAMP") {
    if (cents === null || priced.cents >= cents) return undefined;
    return `The current price gives ${showCents(priced.cents)}, less than the requested ${showCents(cents)}`;
  }
  if (units === null || priced.units >= units) return undefined;
  return `The current price gives ${showUnits(priced.units, token)}, less than the requested ${showUnits(units, token)}`;
}

/** Whether the quantity of tokens was given, and not worked out from that of dollars. */
function doUnitsRule({ type, units, cents }: AskedOrders): boolean {
  return type === "OFF_RAMP" ? units !== null : cents === null;
}

const showCents = (cents: Cents) => `${formatCents(cents)} USD`;

function showUnits(units: Units, { symbol, decimals }: SupportedToken): string {
  return `${formatDecimal(units, decimals)} ${symbol}`;
}
