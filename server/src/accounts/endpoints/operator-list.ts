import { Type } from "typebox";
import { WithHeaders } from "../../http/answer.ts";

/** How the id of an account looks. */
export const userIdForm = "usr-[0-9]{1,20}";

const limitUsual = 100;
const limitMost = 1_000;

/** The query parameters of an operator's lists: how much of it, and after which item, whose name has this form. */
export function cursorFields(form: string) {
  return {
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
        pattern: `^${form}$`,
        description: "must be what CB-After of the page before says",
      }),
    ),
  };
}

/** How many items a page has. */
export function pageLimit({ limit = limitUsual }: { limit?: number }): number {
  return limit;
}

/** A page, and where the next one starts; a page that is not full is the last. */
export function pageOf<Item>(
  items: Item[],
  limit: number,
  nameOf: (item: Item) => string,
): WithHeaders<Item[]> {
  const last = items.length === limit ? items.at(-1) : undefined;
  return new WithHeaders(items, last === undefined ? {} : { "cb-after": nameOf(last) });
}
