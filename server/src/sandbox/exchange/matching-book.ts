/** An order that waits in the book. Prices are in ticks, sizes in lots. */
export type Order = {
  side: "buy" | "sell";
  price: number;
  /** What is left of it. */
  size: number;
  /** When it was placed, in Unix microseconds. */
  time: number;
};

/** One waiting order was taken, wholly or in part. */
export type Fill = { price: number; size: number };

/** All orders at one price, the oldest first. */
export type Level = { price: number; size: number; orders: Order[] };

/** One side of the book: levels from the worst price to the best. */
class Queue {
  readonly levels: Level[] = [];
  readonly #sign: 1 | -1;

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  get best(): Level | undefined {
    return this.levels.at(-1);
  }

  /** Whether an order at `price` would be taken before or together with those at `other`. */
  isAsGood(price: number, other: number): boolean {
    return this.#sign * price >= this.#sign * other;
  }

  add(order: Order): void {
    const at = this.#find(order.price);
    const level = this.levels[at];
    if (level?.price === order.price) {
      level.size += order.size;
      level.orders.push(order);
    } else {
      this.levels.splice(at, 0, { price: order.price, size: order.size, orders: [order] });
    }
  }

  remove(order: Order): void {
    const at = this.#find(order.price);
    const level = this.levels[at];
    const place = level?.price === order.price ? level.orders.indexOf(order) : -1;
    if (!level || place < 0) return;
    level.orders.splice(place, 1);
    level.size -= order.size;
    if (level.orders.length === 0) this.levels.splice(at, 1);
  }

  #find(price: number): number {
    let low = 0;
    let high = this.levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sign * (this.levels[middle]?.price ?? 0) < this.#sign * price) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** One side of a book. */
export type OrderQueue = InstanceType<typeof Queue>;

/** Where orders meet: the best price first, and at one price whoever came first. */
export class MatchingBook {
  readonly bids = new Queue(1);
  readonly asks = new Queue(-1);
  /** Grows with every change. */
  version = 0;

  /** Fills an order from the other side as far as its price allows; the rest waits, unless it is not to. */
  submit(order: Order, rest: "waits" | "is dropped" = "waits"): Fill[] {
    this.version++;
    const fills: Fill[] = [];
    const taken = { ...order };
    const others = this.#against(order.side);
    while (taken.size > 0 && others.best && others.isAsGood(others.best.price, order.price)) {
      fills.push(fillFirst(others, others.best, taken));
    }
    if (taken.size > 0 && rest === "waits") this.side(order.side).add(taken);
    return fills;
  }

  cancel(order: Order): void {
    this.version++;
    this.side(order.side).remove(order);
  }

  /** Cancels all orders of a side whose price is this or better. */
  cancelUpTo(side: Order["side"], price: number): void {
    const queue = this.side(side);
    while (queue.best && queue.isAsGood(queue.best.price, price)) {
      queue.levels.pop();
      this.version++;
    }
  }

  /** What `submit` would fill, without doing it. */
  preview({ side, price, size }: Omit<Order, "time">): Fill[] {
    const fills: Fill[] = [];
    const queue = this.#against(side);
    let left = size;
    for (let at = queue.levels.length - 1; at >= 0 && left > 0; at--) {
      const level = queue.levels[at];
      if (!level || !queue.isAsGood(level.price, price)) break;
      for (const order of level.orders) {
        if (left === 0) break;
        const filled = Math.min(left, order.size);
        fills.push({ price: level.price, size: filled });
        left -= filled;
      }
    }
    return fills;
  }

  side(side: Order["side"]): OrderQueue {
    return side === "buy" ? this.bids : this.asks;
  }

  #against(side: Order["side"]): OrderQueue {
    return this.side(side === "buy" ? "sell" : "buy");
  }
}

/** Takes as much as it can of the order that is first in line. */
function fillFirst(queue: OrderQueue, level: Level, taken: Order): Fill {
  const [first] = level.orders;
  const size = Math.min(taken.size, first?.size ?? 0);
  taken.size -= size;
  level.size -= size;
  if (first) first.size -= size;
  if (first?.size === 0) level.orders.shift();
  if (level.orders.length === 0) queue.levels.pop();
  return { price: level.price, size };
}
