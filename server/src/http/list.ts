import { Type } from "typebox";
import { CallerError } from "../lib/errors.ts";

/** Which part of a list is wanted, and in which order. */
export type Page<Field extends string> = {
  limit: number;
  skip: number;
  orderBy: Field;
  direction: Direction;
};

/** Least or oldest first, or most or newest first. */
export type Direction = "asc" | "desc";

/** A span of time in Unix seconds, both ends included; an end that is left out is open. */
export type TimeWindow = { from: number | undefined; to: number | undefined };

const limitMost = 10_000;
const limitUsual = 100;
const skipMost = 1_000_000_000;

/** Below this a time is in seconds: as milliseconds it would be in the early seventies. */
const millisecondsLeast = 100_000_000_000;

/** The query parameter that says which end of a list comes first. */
export const directionField = Type.Optional(
  Type.String({
    pattern: "^([aA][sS][cC]|[dD][eE][sS][cC])$",
    default: "desc",
    description: "must be asc or desc",
  }),
);

/** The query parameters of every list: how much of it, and in the order of which field. */
export function pageFields<const Field extends string>(fields: readonly Field[]) {
  return {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limitMost,
        default: limitUsual,
        description: `must be a whole number from 1 to ${limitMost}`,
      }),
    ),
    skip: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: skipMost,
        default: 0,
        description: `must be a whole number from 0 to ${skipMost}`,
      }),
    ),
    orderBy: Type.Optional(
      Type.Enum([...fields], { description: `must be one of ${fields.join(", ")}` }),
    ),
    orderDirection: directionField,
  };
}

/** A query parameter that is a moment. */
export const timeField = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `must be a Unix time in milliseconds; below ${millisecondsLeast} it is read as seconds`,
  }),
);

/** The query parameters of lists whose items have a time. */
export const timeFields = { from: timeField, to: timeField };

/** The query parameter of what can be told as of an earlier block. */
export const blockField = {
  block: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `must be a block number from 0 to ${Number.MAX_SAFE_INTEGER}`,
    }),
  ),
};

type PageQuery<Field extends string> = {
  limit?: number;
  skip?: number;
  orderBy?: Field;
  orderDirection?: string;
};

/** Fills in what a query leaves out: the first hundred items, those with the most of `usualOrder` first. */
export function pageOf<Field extends string>(
  { limit = limitUsual, skip = 0, orderBy, orderDirection }: PageQuery<Field>,
  usualOrder: Field,
): Page<Field> {
  const direction = directionOf(orderDirection);
  return { limit, skip, orderBy: orderBy ?? usualOrder, direction };
}

/** Most or newest first, unless a query says otherwise. */
export function directionOf(orderDirection: string | undefined): Direction {
  return orderDirection?.toLowerCase() === "asc" ? "asc" : "desc";
}

/** The span of time that a query asks for. */
export function timeWindowOf({ from, to }: { from?: number; to?: number }): TimeWindow {
  if (from !== undefined && to !== undefined && asMilliseconds(from) > asMilliseconds(to)) {
    throw new CallerError("bad_request", "from must not be later than to");
  }
  return {
    from: from === undefined ? undefined : Math.ceil(asMilliseconds(from) / 1_000),
    to: to === undefined ? undefined : Math.floor(asMilliseconds(to) / 1_000),
  };
}

/** A moment in Unix milliseconds, whichever of the two units it was given in. */
export function asMilliseconds(time: number): number {
  return time < millisecondsLeast ? time * 1_000 : time;
}
