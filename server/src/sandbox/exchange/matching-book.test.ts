import fc from "fast-check";
import { expect, test } from "vitest";
import { MatchingBook, type Order } from "./matching-book.ts";

const someOrder = fc.record({
  side: fc.constantFrom<Order["side"]>("buy", "sell"),
  price: fc.integer({ min: 90, max: 110 }),
  size: fc.integer({ min: 1, max: 50 }),
});
const someOrders = fc.array(someOrder, { maxLength: 80 });

/** The plainest exchange there is: it looks through all orders for the next one to fill. */
function plainExchange(orders: readonly Omit<Order, "time">[]) {
  let waiting: Order[] = [];
  const fills = orders.map((order, time) => {
    const taker = { ...order, time };
    const sign = order.side === "buy" ? 1 : -1;
    const made: { price: number; size: number }[] = [];
    while (taker.size > 0) {
      const [maker] = waiting
        .filter(({ side, price }) => side !== order.side && sign * price <= sign * order.price)
        .sort((one, other) => sign * (one.price - other.price) || one.time - other.time);
      if (!maker) break;
      const size = Math.min(maker.size, taker.size);
      made.push({ price: maker.price, size });
      maker.size -= size;
      taker.size -= size;
      waiting = waiting.filter((one) => one.size > 0);
    }
    if (taker.size > 0) waiting.push(taker);
    return made;
  });
  return { fills, waiting };
}

const waitingIn = (book: MatchingBook) =>
  [...book.bids.levels, ...book.asks.levels].flatMap(({ orders }) => orders);
const byTime = (one: Order, other: Order) => one.time - other.time;

test("orders are filled at the best price first, and at one price the oldest first", () => {
  fc.assert(
    fc.property(someOrders, (orders) => {
      const book = new MatchingBook();
      const fills = orders.map((order, time) => book.submit({ ...order, time }));
      const plain = plainExchange(orders);
      expect(fills).toEqual(plain.fills);
      expect(waitingIn(book).sort(byTime)).toEqual(plain.waiting.sort(byTime));
    }),
  );
});

test("a book is never crossed, sorted, and its levels are the sums of their orders", () => {
  fc.assert(
    fc.property(someOrders, (orders) => {
      const book = new MatchingBook();
      for (const [time, order] of orders.entries()) {
        book.submit({ ...order, time });
        const bids = book.bids.levels.map(({ price }) => price);
        const asks = book.asks.levels.map(({ price }) => price);
        expect(bids).toEqual([...new Set(bids)].sort((one, other) => one - other));
        expect(asks).toEqual([...new Set(asks)].sort((one, other) => other - one));
        expect(bids.at(-1) ?? 0).toBeLessThan(asks.at(-1) ?? Number.POSITIVE_INFINITY);
      }
      for (const { size, orders } of [...book.bids.levels, ...book.asks.levels]) {
        expect(size).toBe(orders.reduce((sum, order) => sum + order.size, 0));
      }
    }),
  );
});

test("what is filled and what is left is what was ordered", () => {
  fc.assert(
    fc.property(someOrders, someOrder, (orders, taker) => {
      const book = new MatchingBook();
      for (const [time, order] of orders.entries()) book.submit({ ...order, time });
      const before = waitingIn(book).reduce((sum, { size }) => sum + size, 0);
      const preview = book.preview(taker);
      const fills = book.submit({ ...taker, time: 100 }, "is dropped");
      const filled = fills.reduce((sum, { size }) => sum + size, 0);
      expect(fills).toEqual(preview);
      expect(filled).toBeLessThanOrEqual(taker.size);
      expect(waitingIn(book).reduce((sum, { size }) => sum + size, 0)).toBe(before - filled);
    }),
  );
});

test("orders that are withdrawn are gone, and only those", () => {
  fc.assert(
    fc.property(someOrders, fc.nat(100), (orders, which) => {
      const book = new MatchingBook();
      for (const [time, order] of orders.entries()) book.submit({ ...order, time });
      const waiting = waitingIn(book);
      const chosen = waiting[which % Math.max(1, waiting.length)];
      if (!chosen) return;
      const { version } = book;
      book.cancel(chosen);
      book.cancel(chosen);
      expect(book.version).toBeGreaterThan(version);
      expect(waitingIn(book)).toEqual(waiting.filter((order) => order !== chosen));
    }),
  );
});

test("all orders up to a price can be withdrawn at once", () => {
  const book = new MatchingBook();
  for (const price of [100, 101, 102, 103]) book.submit({ side: "sell", price, size: 1, time: 0 });
  book.cancelUpTo("sell", 102);
  expect(book.asks.levels.map(({ price }) => price)).toEqual([103]);
});
