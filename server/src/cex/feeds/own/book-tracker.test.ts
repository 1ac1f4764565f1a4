import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bookStory, sidesOf } from "../../../../test/book-story.ts";
import { OrderBook } from "../../order-book.ts";
import { BookTracker, type Verdict } from "./book-tracker.ts";
import type { Change } from "./protocol.ts";

const none = { nonce: undefined, first: undefined, checksum: undefined };
const open = (levelsMost = Number.POSITIVE_INFINITY) =>
  new BookTracker({ levelsMost, check: undefined });

function change(first: number | undefined, nonce: number | undefined, bids: number[]): Change {
  return { kind: "change", bids, asks: [], nonce, first, checksum: undefined };
}

/** Does to a replica what a verdict says. */
function tell(replica: OrderBook, verdict: Verdict): void {
  if (verdict.kind !== "told" || verdict.update.kind === "lost") return;
  const { kind, bids, asks } = verdict.update;
  if (kind === "whole") replica.reset(bids, asks);
  else replica.apply(bids, asks);
}

test("whoever only hears the changes has the same levels, also where deep ones are forgotten", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 25 }), (seed, levelsMost) => {
      const { start, changes } = bookStory({ seed, levels: 20, changes: 60, levelsKept: 0 });
      const [tracker, replica] = [open(levelsMost), new OrderBook()];
      tell(replica, tracker.whole(start.bids, start.asks, undefined));
      for (const each of changes) {
        tell(replica, tracker.change({ kind: "change", ...each, ...none }));
        expect(tracker.book && sidesOf(tracker.book)).toEqual(sidesOf(replica));
        expect(replica.bids.count).toBeLessThanOrEqual(levelsMost);
      }
    }),
    { numRuns: 50 },
  );
});

describe("changes before the whole book", () => {
  test("are applied to a snapshot if they are newer, and left out if they are not", () => {
    const tracker = open();
    tracker.change(change(1, 3, [10, 1]));
    tracker.change(change(4, 6, [10, 2]));
    tracker.change(change(7, 9, [11, 3]));
    expect(tracker.book).toBeUndefined();
    const verdict = tracker.snapshot({ bids: [9, 1], asks: [], nonce: 3 });
    const update = { kind: "whole", bids: [11, 3, 10, 2, 9, 1], asks: [], nonce: 9 };
    expect(verdict).toEqual({ kind: "told", update });
  });

  test("may reach into a snapshot, but must not begin after it", () => {
    const straddling = open();
    straddling.change(change(3, 6, [10, 1]));
    expect(straddling.snapshot({ bids: [], asks: [], nonce: 4 })).toMatchObject({ kind: "told" });
    const late = open();
    late.change(change(6, 8, [10, 1]));
    expect(late.snapshot({ bids: [], asks: [], nonce: 4 })).toEqual({ kind: "stale" });
    expect(late.snapshot({ bids: [], asks: [], nonce: 5 })).toMatchObject({ kind: "told" });
  });

  test("make a snapshot without a number useless", () => {
    expect(open().snapshot({ bids: [], asks: [], nonce: undefined })).toEqual({ kind: "stale" });
  });

  test("that are missing among themselves are missed", () => {
    const tracker = open();
    tracker.change(change(1, 3, []));
    tracker.change(change(7, 9, []));
    expect(tracker.snapshot({ bids: [], asks: [], nonce: 3 })).toMatchObject({ fault: "sequence" });
  });

  test("are forgotten where a stream has no numbers", () => {
    const tracker = open();
    expect(tracker.change(change(undefined, undefined, [10, 1]))).toEqual({ kind: "nothing" });
    expect(tracker.whole([9, 1], [], undefined)).toMatchObject({ update: { bids: [9, 1] } });
  });

  test("never pile up without end, and a snapshot that lacks forgotten ones is found stale", () => {
    const tracker = open();
    for (let at = 1; at <= 20_001; at++) tracker.change(change(at, at, []));
    expect(tracker.snapshot({ bids: [], asks: [], nonce: 5 })).toEqual({ kind: "stale" });
    expect(tracker.snapshot({ bids: [], asks: [], nonce: 20_000 })).toMatchObject({ kind: "told" });
  });
});

test("times may stand still but not go back", () => {
  const tracker = open();
  tracker.snapshot({ bids: [], asks: [], nonce: 100 });
  expect(tracker.change(change(undefined, 101, [10, 1]))).toMatchObject({ kind: "told" });
  expect(tracker.change(change(undefined, 101, [11, 1]))).toMatchObject({ kind: "told" });
  expect(tracker.change(change(undefined, 100, [10, 0]))).toMatchObject({ fault: "sequence" });
  expect(tracker.book).toBeUndefined();
});

test("a whole book that is crossed is none", () => {
  const tracker = open();
  expect(tracker.whole([11, 1], [10, 1], undefined)).toMatchObject({ fault: "crossed" });
  expect(tracker.book).toBeUndefined();
});
