import { CallerError } from "../lib/errors.ts";
import { type Bar, type Charted, newestBefore } from "./feed.ts";

/** The bars of a chart as the protocol has them, or where there are older ones. */
export type History =
  | { s: "ok"; t: number[]; o: number[]; h: number[]; l: number[]; c: number[]; v: number[] }
  | { s: "no_data"; nextTime?: number };

export type HistoryQuery = {
  resolution?: string;
  from?: string;
  to?: string;
  countback?: string;
};

/** More bars than this are not told at once. */
const barsMost = 10_000;
/** Beyond this, as seconds, nobody has a calendar. */
const latestTime = 253_402_300_799;

/**
 * Bars that start before `to`: as many as `countback` says, however far back they are, or else those from `from` on.
 * An answer without any names the newest before the span, if there is one, so that a chart knows where to go on.
 */
export async function historyOf(charted: Charted, query: HistoryQuery): Promise<History> {
  const resolution = query.resolution ?? "";
  const before = momentOf("to", query.to);
  const countback = countOf(query.countback);
  const from = countback === undefined ? momentOf("from", query.from) : 0;
  if (from > before) throw new CallerError("bad_request", "from must not be later than to");
  const count = countback ?? barsMost;
  const bars = count === 0 ? [] : await charted.bars({ resolution, before, from, count });
  if (bars.length > 0) return inColumns(bars);
  const nextTime = await newestBefore(charted, resolution, countback === undefined ? from : before);
  return nextTime === undefined ? { s: "no_data" } : { s: "no_data", nextTime };
}

function inColumns(bars: readonly Bar[]): History {
  return {
    s: "ok",
    t: bars.map(({ time }) => time),
    o: bars.map(({ open }) => open),
    h: bars.map(({ high }) => high),
    l: bars.map(({ low }) => low),
    c: bars.map(({ close }) => close),
    v: bars.map(({ volume }) => volume),
  };
}

function momentOf(name: string, text: string | undefined): number {
  const rule = `${name} must be a time in Unix seconds`;
  if (text === undefined)
    throw new CallerError("bad_request", `Required field is missing: ${rule}`);
  // Charts ask for times before 1970 when they look for the beginning.
  if (!/^-?\d{1,15}(\.\d{1,9})?$/.test(text)) throw new CallerError("bad_request", rule);
  return Math.min(Math.max(Math.ceil(Number(text)), 0), latestTime);
}

function countOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (!/^\d{1,9}$/.test(text)) {
    throw new CallerError("bad_request", "countback must be a whole number of bars");
  }
  return Math.min(Number(text), barsMost);
}
