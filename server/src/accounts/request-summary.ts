import type { RequestSummary, RouteSummary } from "@slipway/sdk";
import { timestamp } from "../lib/timestamp.ts";
import type { HourCount } from "./store/requests.ts";

const hourMs = 3_600_000;
const hoursShown = 24;

/** What the counts of the hours from one on come to, by path and by hour. */
export function summaryOf(from: Date, counts: readonly HourCount[]): RequestSummary {
  const byRoute = groups(counts, ({ method, route }) => `${method} ${route}`);
  const byHour = groups(counts, ({ hour }) => timestamp(hour));
  return {
    from: timestamp(from),
    ...sumOf(counts),
    routes: [...byRoute.values()]
      .map(routeOf)
      .sort((one, other) => other.errors - one.errors || other.requests - one.requests),
    hours: [...byHour].map(([hour, own]) => {
      const { requests, errors } = sumOf(own);
      return { from: hour, requests, errors };
    }),
  };
}

/** The full hour from which the requests of the last day are counted. */
export function summaryStart(now: number): Date {
  return new Date(now - (now % hourMs) - hoursShown * hourMs);
}

function routeOf(counts: readonly HourCount[]): RouteSummary {
  const [{ method, route } = { method: "", route: "" }] = counts;
  const byStatus = groups(counts, ({ status }) => String(status));
  return {
    method,
    route,
    ...sumOf(counts),
    byStatus: Object.fromEntries(
      [...byStatus].map(([status, own]) => [status, sumOf(own).requests]),
    ),
  };
}

function sumOf(
  counts: readonly HourCount[],
): Pick<RequestSummary, "requests" | "errors" | "notListed"> {
  const sum = { requests: 0, errors: 0, notListed: 0 };
  for (const { requests, notListed, status } of counts) {
    sum.requests += requests;
    sum.notListed += notListed;
    if (status >= 400) sum.errors += requests;
  }
  return sum;
}

/** In the order in which they first appear. */
function groups(
  counts: readonly HourCount[],
  nameOf: (count: HourCount) => string,
): Map<string, HourCount[]> {
  const found = new Map<string, HourCount[]>();
  for (const count of counts) {
    const name = nameOf(count);
    const group = found.get(name);
    if (group) group.push(count);
    else found.set(name, [count]);
  }
  return found;
}
