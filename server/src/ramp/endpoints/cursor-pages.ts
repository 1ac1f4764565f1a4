import { Type } from "typebox";
import { asMilliseconds } from "../../http/list.ts";
import { CallerError } from "../../lib/errors.ts";

/** Where a page begins: after one item, or before one. */
export type Cursors = { after?: string | undefined; before?: string | undefined };

const limitMost = 1_000;
const skipMost = 1_000_000_000;

/** The end of the year 9999: until then a date has four digits for its year. */
const lastMoment = 253_402_300_799_999;

/** How many items a page has. */
export const limitField = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: limitMost,
    description: `must be a whole number from 1 to ${limitMost}`,
  }),
);

/** How many items are left out before the first. */
export const skipField = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: skipMost,
    description: `must be a whole number from 0 to ${skipMost}`,
  }),
);

/** A query parameter that is the id of something. */
export function idField(prefix: string) {
  return Type.Optional(
    Type.String({
      pattern: `^${prefix}-[0-9]{1,20}$`,
      description: `must be an id such as ${prefix}-123`,
    }),
  );
}

/** The moments between which a query looks. */
export function momentsOf({ from, to }: { from?: number; to?: number }): {
  from: Date | undefined;
  to: Date | undefined;
} {
  const [start, end] = [momentOf(from), momentOf(to)];
  if (start && end && start > end) {
    throw new CallerError("bad_request", "from must not be later than to");
  }
  return { from: start, to: end };
}

/** Both cursors at once would say two things. */
export function refuseTwoCursors({ before, after }: Cursors): void {
  if (before !== undefined && after !== undefined) {
    throw new CallerError("bad_request", "before and after must not be given together");
  }
}

type List = {
  path: string;
  /** What the links keep of the query; never a key. */
  query: Record<string, string | number | boolean | undefined>;
};

/** The headers that lead from one page of a list to those around it, where there are any. */
export function pageHeaders(
  { path, query }: List,
  { before, after }: Cursors,
): Record<string, string> {
  const headers: Record<string, string> = {};
  const links: string[] = [];
  const add = (parameter: "before" | "after", cursor: string | undefined, relation: string) => {
    if (cursor === undefined) return;
    headers[`cb-${parameter}`] = cursor;
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, [parameter]: cursor })) {
      if (value !== undefined) search.set(name, String(value));
    }
    links.push(`<${path}?${search}>; rel="${relation}"`);
  };
  add("before", before, "prev");
  add("after", after, "next");
  if (links.length > 0) headers.link = links.join(", ");
  return headers;
}

function momentOf(time: number | undefined): Date | undefined {
  return time === undefined ? undefined : new Date(Math.min(asMilliseconds(time), lastMoment));
}
