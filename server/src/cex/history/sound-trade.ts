import type { Trade } from "../market.ts";

/** No exchange is older. */
const timeLeast = Date.UTC(2009, 0, 3);
/** How far an exchange's clock may be ahead of ours. */
const aheadMostMs = 3_600_000;
const idLengthMost = 200;
const decimal = /^\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,2})?$/i;
/** Half a character, or the one that no text in the tables may have. */
const unstorable = /[\0\p{Surrogate}]/u;

/** Whether a trade can be stored as it is. Exchanges send all sorts of things. */
export function isSound({ id, time, price, size }: Trade, now: number): boolean {
  return (
    Number.isSafeInteger(time) &&
    time >= timeLeast &&
    time <= now + aheadMostMs &&
    id.length > 0 &&
    id.length <= idLengthMost &&
    !unstorable.test(id) &&
    decimal.test(price) &&
    decimal.test(size)
  );
}
