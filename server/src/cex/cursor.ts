import { CallerError } from "../lib/errors.ts";
import type { TradeKey } from "./trade-key.ts";

const idLengthMost = 200;

/** A place in a list of trades as text for callers. It stays valid while trades come and go. */
export function tradeCursor({ time, id }: TradeKey): string {
  return encode(`t1.${time}.${id}`);
}

/** The place that `tradeCursor` wrote; `field` is the parameter that it came in. */
export function readTradeCursor(text: string, field: string): TradeKey {
  const [, time, id] = /^t1\.(\d{1,15})\.([^\0]+)$/s.exec(decode(text)) ?? [];
  if (time === undefined || id === undefined || id.length > idLengthMost) {
    throw notACursor(field, "trades");
  }
  return { time: Number(time), id };
}

/** A place in a list of candles as text for callers. */
export function candleCursor(time: number): string {
  return encode(`c1.${time}`);
}

/** The start of a candle that `candleCursor` wrote; `field` is the parameter that it came in. */
export function readCandleCursor(text: string, field: string): number {
  const [, time] = /^c1\.(\d{1,15})$/.exec(decode(text)) ?? [];
  if (time === undefined) throw notACursor(field, "aggregates");
  return Number(time);
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

/** Nothing for what no cursor can be: each place has exactly one text. */
function decode(text: string): string {
  const decoded = Buffer.from(text, "base64url").toString();
  return encode(decoded) === text ? decoded : "";
}

function notACursor(field: string, list: string): CallerError {
  return new CallerError(
    "bad_request",
    `${field} must be a cursor as the headers of an earlier page of ${list} give it; leave it out to begin with the newest`,
  );
}
