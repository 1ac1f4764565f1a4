import { CallerError } from "../lib/errors.ts";
import { isObject } from "../lib/is-object.ts";
import { type Cents, readQuantity, type Units } from "../lib/money.ts";
import { findToken, type SupportedToken } from "./assets.ts";
import { type Blockchain, readBlockchain } from "./blockchains.ts";
import { methodFault, readCents, readUnits } from "./quote.ts";
import type { Ramp, SettlementMethod } from "./transaction.ts";

/** Which of the two bodies somebody sent, and so which answer is expected. */
export type Shape = "sourceDestination" | "sellBuy";

/** What a request to create a transaction asks for. */
export type TransactionRequest = {
  shape: Shape;
  type: Ramp["type"];
  settlementMethod: SettlementMethod;
  walletId: string;
  bankAccountId: string;
  token: SupportedToken;
  /** At least one of the two is given. */
  units: Units | null;
  cents: Cents | null;
  quoteId: string | null;
  /** What the request calls the two quantities. */
  fields: { units: string; cents: string };
};

type Fields = Readonly<Record<string, unknown>>;

/** What was read, or everything that is wrong with it. */
type Read<Value> = { value: Value } | { faults: string[] };

/** Where the orders stand: in the body itself, or in its `transaction`. */
type Form = { shape: Shape; fields: Fields; path: "" | "transaction." };

/** One of the two orders, or what is wrong with it as a whole. `isQuantityMissing`: neither order has one. */
type Order = { path: string; isQuantityMissing: boolean } & (
  | { fields: Fields }
  | { faults: string[] }
);

type Side = "wallet" | "bank";
type WalletSide = { walletId: string; token: SupportedToken; units: Units | null };
type BankSide = { bankAccountId: string; cents: Cents | null };

const orderNames: Record<Shape, readonly [source: string, destination: string]> = {
  sourceDestination: ["sourceOrder", "destinationOrder"],
  sellBuy: ["sellOrder", "buyOrder"],
};
const shapes: readonly Shape[] = ["sourceDestination", "sellBuy"];
const faultsMost = 20;
const nameLengthMost = 40;

/** Reads either body, bare or inside `transaction`, or throws one error that names every fault of it. */
export function readNewTransaction(body: Fields): TransactionRequest {
  const form = formOf(body);
  const { source, destination } = ordersOf(form);
  const type = typeOf(source, destination);
  const method = readMethod(body, form, "value" in type ? type.value : undefined);
  if ("faults" in type) throw refusal(faultsOf(method), type.faults);

  const isSale = type.value === "OFF_RAMP";
  const [walletOrder, bankOrder] = isSale ? [source, destination] : [destination, source];
  const wallet = readWalletSide(walletOrder);
  const bank = readBankSide(bankOrder);
  const quoteId = readQuoteId(body, form);
  if ("faults" in method || "faults" in wallet || "faults" in bank || "faults" in quoteId) {
    const sides = isSale ? [wallet, bank] : [bank, wallet];
    throw refusal(faultsOf(method), ...sides.map(faultsOf), faultsOf(quoteId));
  }
  return {
    shape: form.shape,
    type: type.value,
    settlementMethod: method.value,
    ...wallet.value,
    ...bank.value,
    quoteId: quoteId.value,
    fields: { units: `${walletOrder.path}.quantity`, cents: `${bankOrder.path}.quantity` },
  };
}

/** Finds the orders. Without any the missing ones are those of the shape that the body looks most like. */
function formOf(body: Fields): Form {
  const inner = body.transaction;
  if (isGiven(inner) && !isObject(inner)) throw refusal(["transaction must be an object"]);
  const forms = shapes.flatMap((shape) => [
    { shape, fields: body, path: "" } as const,
    ...(isObject(inner) ? [{ shape, fields: inner, path: "transaction." } as const] : []),
  ]);
  const [form, another] = forms.filter(({ shape, fields }) =>
    orderNames[shape].some((name) => isGiven(fields[name])),
  );
  if (another) {
    throw refusal([
      "The orders must be given once: as sourceOrder and destinationOrder, or as sellOrder and buyOrder",
    ]);
  }
  if (form) return form;
  return isObject(inner)
    ? { shape: "sellBuy", fields: inner, path: "transaction." }
    : { shape: "sourceDestination", fields: body, path: "" };
}

function ordersOf({ shape, fields, path }: Form): { source: Order; destination: Order } {
  const [source, destination] = orderNames[shape].map((name) => fields[name]);
  const isQuantityMissing = ![source, destination].some(
    (order) => isObject(order) && isGiven(order.quantity),
  );
  const orderAt = (index: 0 | 1, value: unknown): Order => {
    const here = { path: path + orderNames[shape][index], isQuantityMissing };
    if (isObject(value)) return { ...here, fields: value };
    return {
      ...here,
      faults: [isGiven(value) ? `${here.path} must be an object` : missing(here.path)],
    };
  };
  // A quantity that nobody gave is missed at the source.
  return {
    source: orderAt(0, source),
    destination: { ...orderAt(1, destination), isQuantityMissing: false },
  };
}

/** Tells a purchase from a sale by which order has the wallet, also when not everything is there yet. */
function typeOf(source: Order, destination: Order): Read<Ramp["type"]> {
  const rule = `one of ${source.path} and ${destination.path}`;
  const needs = "walletId and blockchain, the other bankAccountId";
  const [from, to] = [sidesOf(source), sidesOf(destination)];
  const isContradiction = from.length > 1 || to.length > 1 || (from[0] && from[0] === to[0]);
  const unreadable = [...faultsOf(source), ...faultsOf(destination)];
  if (isContradiction) return { faults: [...unreadable, `O${rule.slice(1)} must have ${needs}`] };
  const side = from[0] ?? otherSide(to[0]) ?? hintOf(source) ?? otherSide(hintOf(destination));
  if (side) return { value: side === "wallet" ? "OFF_RAMP" : "ON_RAMP" };
  return {
    faults:
      unreadable.length === 2 ? unreadable : [...unreadable, missing(`${rule} needs ${needs}`)],
  };
}

/** What an order says it is, by the fields that only one side has. */
function sidesOf(order: Order): Side[] {
  if ("faults" in order) return [];
  const { walletId, blockchain, bankAccountId } = order.fields;
  const sides: Side[] = [];
  if (isGiven(walletId) || isGiven(blockchain)) sides.push("wallet");
  if (isGiven(bankAccountId)) sides.push("bank");
  return sides;
}

/** Where nothing else tells: dollars are at a bank. */
function hintOf(order: Order): Side | undefined {
  if ("faults" in order || typeof order.fields.currency !== "string") return undefined;
  return isDollars(order.fields.currency) ? "bank" : "wallet";
}

function otherSide(side: Side | undefined): Side | undefined {
  return side && (side === "wallet" ? "bank" : "wallet");
}

/** The older body needs no method: then it is the one without a fee. */
function readMethod(
  body: Fields,
  form: Form,
  type: Ramp["type"] | undefined,
): Read<SettlementMethod> {
  const read = readOnce(body, form, "settlementMethod");
  if ("faults" in read) return read;
  const method = read.value;
  if (method === null) {
    return form.shape === "sellBuy"
      ? { value: type === "ON_RAMP" ? "WIRE" : "ACH" }
      : { faults: [missing(`${form.path}settlementMethod`)] };
  }
  if (method !== "ACH" && method !== "WIRE") {
    return { faults: [`${form.path}settlementMethod must be ACH or WIRE`] };
  }
  const fault = type && methodFault(type, method);
  return fault === undefined ? { value: method } : { faults: [fault] };
}

function readWalletSide(order: Order): Read<WalletSide> {
  if ("faults" in order) return order;
  const walletId = readText(order.fields, order.path, "walletId");
  const blockchain = readChain(order.fields, order.path);
  const token = readToken(order.fields, order.path, blockchain);
  const units = readQuantityOf(order, (field, value) =>
    "value" in token ? readUnits(field, value, token.value) : readAnyQuantity(field, value),
  );
  if ("faults" in walletId || "faults" in token || "faults" in units) {
    return { faults: [walletId, blockchain, token, units].flatMap(faultsOf) };
  }
  const quantity = units.value;
  return {
    value: {
      walletId: walletId.value,
      token: token.value,
      units: quantity && "units" in quantity ? quantity.units : null,
    },
  };
}

function readBankSide(order: Order): Read<BankSide> {
  if ("faults" in order) return order;
  const { currency } = order.fields;
  const isOtherCurrency =
    isGiven(currency) && !(typeof currency === "string" && isDollars(currency));
  const currencyFaults = isOtherCurrency ? [`${order.path}.currency must be USD`] : [];
  const cents = readQuantityOf(order, readCents);
  const bankAccountId = readText(order.fields, order.path, "bankAccountId");
  if ("faults" in cents || "faults" in bankAccountId || isOtherCurrency) {
    return { faults: [...currencyFaults, ...faultsOf(cents), ...faultsOf(bankAccountId)] };
  }
  return {
    value: { bankAccountId: bankAccountId.value, cents: cents.value ? cents.value.cents : null },
  };
}

function readChain(fields: Fields, path: string): Read<Blockchain> {
  const text = readText(fields, path, "blockchain");
  if ("faults" in text) return text;
  const blockchain = readBlockchain(text.value);
  if (blockchain) return { value: blockchain };
  return { faults: [`${path}.blockchain${shown(text.value)} is not supported`] };
}

/** Without a blockchain nobody can tell whether there is such a token, so nothing is said about it. */
function readToken(
  fields: Fields,
  path: string,
  blockchain: Read<Blockchain>,
): Read<SupportedToken> {
  const currency = readText(fields, path, "currency");
  if ("faults" in currency) return currency;
  if ("faults" in blockchain) return { faults: [] };
  const token = findToken(currency.value.trim(), blockchain.value);
  if (token) return { value: token };
  return {
    faults: [`${path}.currency${shown(currency.value)} is not supported on ${blockchain.value}`],
  };
}

function readQuantityOf<Quantity extends object>(
  { path, isQuantityMissing, ...order }: Order,
  read: (field: string, value: unknown) => Quantity | { fault: string },
): Read<Quantity | null> {
  const field = `${path}.quantity`;
  const value = "fields" in order ? order.fields.quantity : undefined;
  if (!isGiven(value)) return isQuantityMissing ? { faults: [missing(field)] } : { value: null };
  const quantity = read(field, value);
  return "fault" in quantity ? { faults: [quantity.fault] } : { value: quantity };
}

/** Whether it is a quantity at all, of whichever token. */
function readAnyQuantity(field: string, value: unknown): { text: string } | { fault: string } {
  const read = readQuantity(value);
  return "fault" in read ? { fault: `${field} ${read.fault}` } : read;
}

function readText(fields: Fields, path: string, name: string): Read<string> {
  const value = fields[name];
  if (!isGiven(value)) return { faults: [missing(`${path}.${name}`)] };
  return typeof value === "string" ? { value } : { faults: [`${path}.${name} must be a string`] };
}

function readQuoteId(body: Fields, form: Form): Read<string | null> {
  const read = readOnce(body, form, "quoteId");
  if ("faults" in read) return read;
  const { value } = read;
  return value === null || typeof value === "string"
    ? { value }
    : { faults: [`${form.path}quoteId must be a string`] };
}

/** A field of the transaction as a whole, which may also stand beside `transaction`; null when it is nowhere. */
function readOnce(body: Fields, { fields }: Form, name: string): Read<unknown> {
  const [value = null, another] = new Set([fields[name], body[name]].filter(isGiven));
  return another === undefined
    ? { value }
    : { faults: [`${name} is given twice with different values`] };
}

/** Null and an empty text say as little as leaving a field out. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function isDollars(currency: string): boolean {
  return currency.trim().toUpperCase() === "USD";
}

/** What was given, if it is short enough to be a name. */
function shown(text: string): string {
  return text.length > nameLengthMost ? "" : ` ${JSON.stringify(text)}`;
}

function missing(field: string): string {
  return `Required field is missing: ${field}`;
}

function faultsOf(read: object): string[] {
  return "faults" in read ? (read.faults as string[]) : [];
}

function refusal(...faults: string[][]): CallerError {
  const [first = "The request is not valid.", ...rest] = faults.flat();
  return new CallerError("bad_request", first, ...rest.slice(0, faultsMost - 1));
}
