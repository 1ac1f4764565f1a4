import { setImmediate } from "node:timers/promises";
import type { CexOrderBook } from "@slipway/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ready } from "../../http/ready.ts";
import { ServedBook } from "./served-book.ts";

const parse = (ready: Ready) => JSON.parse(String(ready.plain)) as CexOrderBook;
const pairsOf = (levels: readonly number[]) =>
  levels.flatMap((price, at) => (at % 2 === 0 ? [[price, levels[at + 1]]] : []));

const side = (isRising: boolean) =>
  fc
    .uniqueArray(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), { maxLength: 30 })
    .map((prices) => prices.sort((one, other) => (isRising ? one - other : other - one)))
    .map((prices) => prices.flatMap((price) => [price, price / 3]));

test("an answer has every digit of the best levels of both sides", async () => {
  await fc.assert(
    fc.asyncProperty(
      side(false),
      side(true),
      fc.integer({ min: 1, max: 40 }),
      async (bids, asks, limit) => {
        const book = new ServedBook("kraken", 'A"-B', { nonce: 5, bids, asks });
        expect(parse(await book.answer(limit))).toEqual({
          exchange: "kraken",
          market: 'A"-B',
          nonce: 5,
          bids: pairsOf(bids).slice(0, limit),
          asks: pairsOf(asks).slice(0, limit),
        });
      },
    ),
  );
});

test("an answer is written once for all who ask, until the book changes", () => {
  const book = new ServedBook("kraken", "BTC-USD", { nonce: 1, bids: [2, 1, 1, 1], asks: [3, 1] });
  const answer = book.answer(2);
  expect(book.answer(2)).toBe(answer);
  expect(book.answer(50_000)).toBe(answer);
  expect(book.answer(1)).not.toBe(answer);
  book.change({ nonce: 2, bids: [2, 0], asks: [] });
  expect(book.answer(2)).not.toBe(answer);
  expect(book.nonce).toBe(2);
});

test("a long book is written in slices, as it was when it was asked for", async () => {
  const count = 50_000;
  const bids = Array.from({ length: count }, (_, at) => [count - at, 1]).flat();
  const asks = Array.from({ length: count }, (_, at) => [count + 1 + at, 2]).flat();
  const book = new ServedBook("kraken", "BTC-USD", { nonce: 1, bids, asks });
  let isOver = false;
  const asked = Promise.resolve(book.answer(count)).then((ready) => {
    isOver = true;
    return ready;
  });
  expect(book.answer(count)).toBe(book.answer(count));
  book.change({ nonce: 2, bids: [count, 0], asks: [] });
  await setImmediate();
  expect(isOver).toBe(false);
  const answer = parse(await asked);
  expect(answer.nonce).toBe(1);
  expect(answer.bids).toEqual(pairsOf(bids));
  expect(answer.asks).toEqual(pairsOf(asks));
  expect(parse(await book.answer(count)).nonce).toBe(2);
}, 30_000);
