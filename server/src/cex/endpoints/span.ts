import { asMilliseconds } from "../../http/list.ts";
import { CallerError } from "../../lib/errors.ts";

type SpanQuery = { from?: number; to?: number; since?: number };

/** A span of time in Unix milliseconds, both ends included; an end that is left out is open. */
export type Span = { from: number | undefined; to: number | undefined };

/** The span of time that a query asks for. `since` is another name for `from`. */
export function spanOf({ from, to, since }: SpanQuery): Span {
  if (from !== undefined && since !== undefined && from !== since) {
    throw new CallerError("bad_request", "from and since must be the same");
  }
  const begin = from ?? since;
  const span = {
    from: begin === undefined ? undefined : asMilliseconds(begin),
    to: to === undefined ? undefined : asMilliseconds(to),
  };
  if (span.from !== undefined && span.to !== undefined && span.from > span.to) {
    throw new CallerError("bad_request", "from must not be later than to");
  }
  return span;
}
