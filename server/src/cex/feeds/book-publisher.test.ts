import fc from "fast-check";
import { expect, test } from "vitest";
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../lib/clock.ts";
import type { BookMessage } from "../messages.ts";
import { openNonces } from "../nonces.ts";
import { flatLevels, OrderBook } from "../order-book.ts";
import { openBookPublisher } from "./book-publisher.ts";

/** A bus that only remembers, and a clock whose sleepers wake when told to. */
function stage() {
  const messages: BookMessage[] = [];
  const bundles: number[] = [];
  const bus: Bus = {
    publish(_, message) {
      const bundle = message as BookMessage[];
      bundles.push(bundle.length);
      messages.push(...structuredClone(bundle));
    },
    subscribe: () => () => {},
    close: async () => {},
  };
  const sleepers: (() => void)[] = [];
  const clock: Clock = {
    now: () => 1_800_000_000_000,
    sleep: () => new Promise((resolve) => sleepers.push(resolve)),
  };
  const wake = async () => {
    for (const resolve of sleepers.splice(0)) resolve();
    await Promise.resolve();
  };
  const nonces = openNonces(clock);
  const publisher = openBookPublisher({ exchange: "kraken", bus, clock, nonces });
  return { publisher, nonces, messages, bundles, wake };
}

const level = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 5 }));
const levels = fc.array(level, { maxLength: 4 }).map((pairs) => pairs.flat());
const step = fc.oneof(
  fc.record({ kind: fc.constant("change" as const), bids: levels, asks: levels }),
  fc.record({ kind: fc.constant("whole" as const), bids: levels, asks: levels }),
  fc.record({ kind: fc.constant("repeat" as const) }),
  fc.record({ kind: fc.constant("asked over REST" as const) }),
  fc.record({ kind: fc.constant("wake" as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Stage = ReturnType<typeof stage>;

async function take(each: Step, source: OrderBook, { publisher, nonces, wake }: Stage) {
  if (each.kind === "wake") return wake();
  if (each.kind === "repeat") return void publisher.repeat("A", source);
  if (each.kind === "asked over REST") return void nonces.next("A", "whole", undefined);
  if (each.kind === "whole") source.reset(each.bids, each.asks);
  else source.apply(each.bids, each.asks);
  publisher.update("A", { ...each, nonce: undefined });
}

/** The book of somebody who hears every message. */
function follow(messages: readonly BookMessage[]): OrderBook {
  const replica = new OrderBook();
  let nonce = 0;
  for (const message of messages) {
    if (message.kind === "lost") throw new Error("nothing was lost");
    expect(message.nonce).toBeGreaterThanOrEqual(nonce);
    if (message.kind === "change") {
      expect(message.after).toBe(nonce);
      replica.apply(message.bids, message.asks);
    } else replica.reset(message.bids, message.asks);
    nonce = message.nonce;
  }
  return replica;
}

test("whoever follows the numbers has the book, however changes are bundled", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const here = stage();
      const source = new OrderBook();
      here.publisher.update("A", { kind: "whole", bids: [], asks: [], nonce: undefined });
      for (const each of steps) await take(each, source, here);
      await here.wake();
      const replica = follow(here.messages);
      expect(flatLevels(replica.bids)).toEqual(flatLevels(source.bids));
      expect(flatLevels(replica.asks)).toEqual(flatLevels(source.asks));
    }),
  );
});

test("changes that come together leave in one message", async () => {
  const { publisher, messages, bundles, wake } = stage();
  publisher.update("A", { kind: "whole", bids: [1, 1], asks: [], nonce: 7 });
  for (let size = 2; size < 100; size++) {
    publisher.update("A", { kind: "change", bids: [1, size], asks: [], nonce: 7 + size });
    publisher.update("B", { kind: "change", bids: [1, size], asks: [], nonce: 7 + size });
  }
  await wake();
  expect(bundles).toEqual([3]);
  expect(messages.map(({ market, kind }) => `${kind} ${market}`)).toEqual([
    "whole A",
    "change A",
    "change B",
  ]);
});

test("a book that somebody got over REST in between is told under a newer number", async () => {
  const { publisher, nonces, wake } = stage();
  publisher.update("A", { kind: "whole", bids: [1, 1], asks: [], nonce: undefined });
  const overRest = nonces.next("A", "whole", undefined);
  expect(publisher.repeat("A", new OrderBook()).nonce).toBeGreaterThan(overRest);
  await wake();
});
