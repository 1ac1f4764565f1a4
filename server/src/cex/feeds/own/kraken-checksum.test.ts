import { expect, test } from "vitest";
import { krakenChecksum } from "../../../../test/book-frames.ts";
import { bookStory } from "../../../../test/book-story.ts";
import { listedMarket } from "../../../../test/listed-market.ts";
import { OrderBook } from "../../order-book.ts";
import { openKrakenCheck } from "./kraken-checksum.ts";

/** The example of Kraken's documentation. */
const documented = {
  bids: [
    ...[45283.5, 0.1, 45283.4, 1.54582015, 45282.1, 0.1, 45281.0, 0.1, 45280.3, 1.54592586],
    ...[45279.0, 0.0799, 45277.6, 0.03310103, 45277.5, 0.3, 45277.3, 1.54602737],
    ...[45276.6, 0.15445238],
  ],
  asks: [
    ...[45285.2, 0.001, 45286.4, 1.54571953, 45286.6, 1.54571109, 45289.6, 1.54560911],
    ...[45290.2, 0.1589066, 45291.8, 1.54553491, 45294.7, 0.04454749, 45296.1, 0.3538],
    ...[45297.5, 0.09945542, 45299.5, 0.18772827],
  ],
  checksum: 3_310_070_434,
};

function bookWith({ bids, asks }: { bids: number[]; asks: number[] }): OrderBook {
  const book = new OrderBook();
  book.reset(bids, asks);
  return book;
}

test("the documented book has the documented checksum", () => {
  const check = openKrakenCheck(listedMarket("BTC/USD", { priceDecimals: 1, sizeDecimals: 8 }));
  expect(check.whole(bookWith(documented), documented.checksum)).toBe(true);
  expect(check.whole(bookWith(documented), documented.checksum + 1)).toBe(false);
});

test.each([
  ["are not listed", { priceDecimals: null, sizeDecimals: null }],
  ["are listed wrongly", { priceDecimals: 2, sizeDecimals: 5 }],
])("decimals that %s are found out from a whole book", (_, decimals) => {
  const check = openKrakenCheck(listedMarket("BTC/USD", decimals));
  expect(check.whole(bookWith(documented), documented.checksum)).toBe(true);
  const book = bookWith(documented);
  const change = { kind: "change", bids: [], asks: [45284.9, 0.5] } as const;
  book.apply(change.bids, change.asks);
  const asks = [45284.9, 0.5, ...documented.asks];
  const checksum = krakenChecksum({ bids: documented.bids, asks });
  const unnumbered = { nonce: undefined, first: undefined, checksum };
  expect(
    check.change(book, { ...change, bids: [], asks: [...change.asks], ...unnumbered }, checksum),
  ).toBe(true);
});

test("books of fewer than ten levels, down to none, have a checksum too", () => {
  const check = openKrakenCheck(listedMarket("BTC/USD"));
  for (const levels of [0, 1, 3, 9]) {
    const some = { bids: documented.bids.slice(0, 2 * levels), asks: [] };
    expect(check.whole(bookWith(some), krakenChecksum(some))).toBe(true);
  }
});

test("sizes with more digits than a product can hold are written out exactly", () => {
  const sizes = { bids: [45283.5, 90_071_992.54740991], asks: [45285.2, 12_345_678.12345678] };
  const check = openKrakenCheck(listedMarket("BTC/USD"));
  expect(check.whole(bookWith(sizes), krakenChecksum(sizes))).toBe(true);
});

test("what is kept of a side is right after every change, near the best price and far from it", () => {
  const { market, start, changes, books } = bookStory({ seed: 21, levels: 60, changes: 2_000 });
  const check = openKrakenCheck(market);
  const book = bookWith(start);
  expect(check.whole(book, krakenChecksum(start))).toBe(true);
  const unnumbered = { nonce: undefined, first: undefined, checksum: undefined };
  const wrong = changes.filter((change, at) => {
    book.apply(change.bids, change.asks);
    const checksum = krakenChecksum(books[at] ?? start);
    return !check.change(book, { kind: "change", ...change, ...unnumbered }, checksum);
  });
  expect(wrong).toEqual([]);
});
