import { Type } from "typebox";

const limitUsual = 100;
const limitMost = 1_000;

/** The query parameters of an operator's lists: how much of it, and from where on. */
export const cursorFields = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limitMost,
      default: limitUsual,
      description: `must be a whole number from 1 to ${limitMost}`,
    }),
  ),
  after: Type.Optional(
    Type.String({
      pattern: "^(usr-)?[0-9]{1,18}$",
      description: "must be what `CB-After` of the page before says",
    }),
  ),
};

/** How many items a page has. */
export function pageLimit({ limit = limitUsual }: { limit?: number }): number {
  return limit;
}

/** Says where the next page starts; nothing when a page was not full and so is the last. */
export function cursorHeaders(
  last: string | undefined,
  items: readonly unknown[],
  limit: number,
): Record<string, string> {
  return last !== undefined && items.length === limit ? { "cb-after": last } : {};
}
