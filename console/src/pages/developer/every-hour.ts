import type { RequestSummary } from "@slipway/sdk";
import { millisecondsOf } from "../../lib/times.ts";

const hourMs = 3_600_000;

type Hour = RequestSummary["hours"][number];

/** The hours of a summary up to now, those in which nothing was asked too: a line needs them. */
export function everyHour({ from, hours }: RequestSummary, now: number): Hour[] {
  const known = new Map(hours.map((hour) => [millisecondsOf(hour.from), hour]));
  const all: Hour[] = [];
  for (let at = millisecondsOf(from); at <= now; at += hourMs) {
    const { requests = 0, errors = 0 } = known.get(at) ?? {};
    all.push({ from: new Date(at).toISOString(), requests, errors });
  }
  return all;
}
