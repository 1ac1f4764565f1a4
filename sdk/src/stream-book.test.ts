import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CexLevel, StreamMessage } from "./slipway.ts";
import { StreamBook } from "./slipway.ts";

const channel = "cex.book:kraken:BTC-USD";

function whole(nonce: number, bids: CexLevel[], asks: CexLevel[]): StreamMessage {
  return { type: "book", channel, nonce, bids, asks };
}

function change(after: number, nonce: number, bids: CexLevel[], asks: CexLevel[]): StreamMessage {
  return { type: "bookChange", channel, after, nonce, bids, asks };
}

const price = fc.integer({ min: 1, max: 30 }).map((cents) => cents / 100);
const size = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }));
const side = fc.array(fc.tuple(price, size), { maxLength: 12 });

/** The same in the plainest way. */
function sorted(levels: Map<number, number>, direction: 1 | -1): CexLevel[] {
  return [...levels].filter(([, size]) => size > 0).sort(([a], [b]) => (a - b) * direction);
}

describe("a book that follows a stream", () => {
  test("has the levels that the changes leave, best first", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(side, side), { minLength: 1 }), (changes) => {
        const book = new StreamBook(channel);
        const plain = { bids: new Map<number, number>(), asks: new Map<number, number>() };
        book.apply(whole(0, [], []));
        changes.forEach(([bids, asks], index) => {
          for (const [price, size] of bids) plain.bids.set(price, size);
          for (const [price, size] of asks) plain.asks.set(price, size);
          expect(book.apply(change(index, index + 1, bids, asks))).toBe("changed");
        });
        expect(book.bids).toEqual(sorted(plain.bids, -1));
        expect(book.asks).toEqual(sorted(plain.asks, 1));
        expect(book.nonce).toBe(changes.length);
      }),
    );
  });

  test("leaves the messages that it is given, and levels that somebody kept, as they are", () => {
    const message = whole(1, [[9, 1]], [[10, 1]]);
    const before = structuredClone(message);
    const book = new StreamBook(channel);
    book.apply(message);
    const kept = [...book.bids];
    book.apply(change(1, 2, [[9, 5]], [[10, 0]]));
    expect(message).toEqual(before);
    expect(kept).toEqual([[9, 1]]);
    expect([book.bids, book.asks]).toEqual([[[9, 5]], []]);
  });

  test("is empty after a change was missed, until a whole one comes", () => {
    const book = new StreamBook(channel);
    expect(book.apply(change(1, 2, [[9, 1]], []))).toBe("ignored");
    book.apply(whole(5, [[9, 1]], [[10, 1]]));
    expect(book.apply(change(6, 7, [[8, 1]], []))).toBe("broken");
    expect([book.nonce, book.bids, book.asks]).toEqual([undefined, [], []]);
    expect(book.apply(change(7, 8, [[8, 1]], []))).toBe("ignored");
    expect(book.apply(whole(9, [[7, 1]], []))).toBe("changed");
    expect([book.nonce, book.bids]).toEqual([9, [[7, 1]]]);
  });

  test("does not mind what else is said on the stream", () => {
    const book = new StreamBook(channel);
    book.apply(whole(1, [[9, 1]], []));
    const other = { ...whole(7, [], []), channel: "cex.book:kraken:ETH-USD" } as StreamMessage;
    expect(book.apply(other)).toBe("ignored");
    expect(book.apply({ type: "ping", at: 1 })).toBe("ignored");
    expect(book.nonce).toBe(1);
  });
});
