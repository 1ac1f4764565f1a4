import { newYorkTime } from "../../../lib/calendar.ts";
import { asCents, type Cents } from "../../../lib/money.ts";
import { BadFile } from "../file-exchange.ts";
import { pathOf, type XmlElement } from "./xml.ts";

/** Ids have up to 35 characters in all of the messages. */
const idLengthMost = 35;
const accountLengthMost = 34;

/** Refuses a file for what is wrong with an element of it. */
export function refuse(element: XmlElement, why: string): never {
  throw new BadFile(pathOf(element), why);
}

/** All elements at a path such as `NtryDtls/TxDtls`. What stands beside it is skipped, and so are other namespaces. */
export function findAll(element: XmlElement, path: string): XmlElement[] {
  return path
    .split("/")
    .reduce(
      (found, name) =>
        found.flatMap(({ children, namespace }) =>
          children.filter((child) => child.name === name && child.namespace === namespace),
        ),
      [element],
    );
}

/** The element at a path, which is there once or not at all. */
export function find(element: XmlElement, path: string): XmlElement | undefined {
  const [found, second] = findAll(element, path);
  if (second) refuse(second, "must be there only once");
  return found;
}

/** The element at a path, which has to be there once. */
export function need(element: XmlElement, path: string): XmlElement {
  return find(element, path) ?? refuse(element, `must have ${path}`);
}

/** The text at a path, without white space around it; nothing when there is none. */
export function textAt(element: XmlElement, path: string): string | undefined {
  return find(element, path)?.text.trim() || undefined;
}

/** The text at a path, which has to be there. */
export function needText(element: XmlElement, path: string): string {
  return textAt(element, path) ?? refuse(element, `must have a text in ${path}`);
}

/** An id at a path, if there is one. Two that differ only behind what is allowed must not become the same. */
export function idAt(element: XmlElement, path: string): string | undefined {
  const found = textAt(element, path);
  if (found === undefined || found.length <= idLengthMost) return found;
  return refuse(need(element, path), `must have at most ${idLengthMost} characters`);
}

/** An id at a path, which has to be there. */
export function needId(element: XmlElement, path: string): string {
  return idAt(element, path) ?? refuse(element, `must have a text in ${path}`);
}

/** A code of the choice between a listed one and the bank's own: `Cd` or `Prtry`. */
export function codeAt(element: XmlElement, path: string): string | undefined {
  return idAt(element, `${path}/Cd`) ?? idAt(element, `${path}/Prtry`);
}

/** The number of an account at a path, whatever kind of number it is. */
export function accountAt(element: XmlElement, path: string): string | undefined {
  const account = find(element, path);
  const number = account && (textAt(account, "Id/Othr/Id") ?? textAt(account, "Id/IBAN"));
  if (!account || number === undefined || number.length <= accountLengthMost) return number;
  return refuse(account, `must have a number of at most ${accountLengthMost} characters`);
}

const amountForm = /^\+?([0-9]+)(?:\.([0-9]{0,5}))?$/;
const amountDigitsMost = 18;

/** The dollars in an element, in cents. Fractions of a cent are refused, and so are other currencies. */
export function readCents(amount: XmlElement): Cents {
  if (amount.attributes.get("Ccy") !== "USD") refuse(amount, 'must have Ccy="USD"');
  const [isAmount, whole = "", fraction = ""] = amountForm.exec(amount.text.trim()) ?? [];
  const digits = whole.length + fraction.length;
  if (isAmount === undefined || digits > amountDigitsMost || !/^[0-9]{0,2}0*$/.test(fraction))
    refuse(amount, "must be dollars with up to two decimals");
  return asCents(BigInt(whole + fraction.slice(0, 2).padEnd(2, "0")));
}

const directions: ReadonlyMap<string, "credit" | "debit"> = new Map([
  ["CRDT", "credit"],
  ["DBIT", "debit"],
]);

/** Whether an element speaks of money that came in or went out. */
export function readDirection(indicator: XmlElement): "credit" | "debit" {
  return directions.get(indicator.text.trim()) ?? refuse(indicator, "must be CRDT or DBIT");
}

/** Unix milliseconds at a path with a date and time. */
export function timeAt(element: XmlElement, path: string): number | undefined {
  const found = find(element, path);
  if (!found) return undefined;
  return timeOf(found.text.trim()) ?? refuse(found, "must be a date and time");
}

/** Unix milliseconds at a path, in the form in which we write times. */
export function needTimestamp(element: XmlElement, path: string): string {
  const at = timeAt(element, path) ?? refuse(element, `must have ${path}`);
  return new Date(at).toISOString();
}

/** Unix milliseconds of the choice between a day, which is its beginning in New York, and a time: `Dt` or `DtTm`. */
export function dayOrTimeAt(element: XmlElement, path: string): number | undefined {
  const day = find(element, `${path}/Dt`);
  if (!day) return timeAt(element, `${path}/DtTm`);
  return newYorkTime(readDay(day), 0);
}

/** The day in an element, as the bank means it: in New York. */
export function readDay(element: XmlElement): string {
  const [, day] = dayForm.exec(element.text.trim()) ?? [];
  return day !== undefined && isDay(day) ? day : refuse(element, "must be a date");
}

/** A day may have a zone, which says nothing about the day that is meant. */
const dayForm = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:Z|[+-][0-9]{2}:[0-9]{2})?$/;
const timeForm =
  /^([0-9-]{10})T([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]+))?(Z|[+-][0-9]{2}:[0-5][0-9])?$/;

/** Unix milliseconds of a date and time; one without a zone is New York's, where the bank is. */
function timeOf(text: string): number | undefined {
  const [, day = "", hour, minute, second, fraction = "", zone] = timeForm.exec(text) ?? [];
  if (!isDay(day)) return undefined;
  const withinMinute = Number(second) * 1_000 + Number(fraction.padEnd(3, "0").slice(0, 3));
  if (zone === undefined) return newYorkTime(day, Number(hour), Number(minute)) + withinMinute;
  const minutes = Number(hour) * 60 + Number(minute) - offsetOf(zone);
  return Date.parse(`${day}T00:00:00Z`) + minutes * 60_000 + withinMinute;
}

/** Minutes by which a zone is before UTC. */
function offsetOf(zone: string): number {
  if (zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return zone.startsWith("-") ? -minutes : minutes;
}

/** Whether a day is in the calendar, and in a century in which we could be paid. */
export function isDay(text: string): boolean {
  if (!/^2[01][0-9]{2}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
