import fc from "fast-check";
import { expect, test } from "vitest";
import {
  afterAnswer,
  afterRefusal,
  firstRangeSize,
  nextBlocks,
  type RangeSize,
  splitRange,
} from "./range-size.ts";

const target = { firstBlocks: 250, mostBlocks: 100_000, logs: 7_500, bytes: 8_000_000 };

/** What happens when every block holds `density` logs of `bytesPerLog` bytes, for some rounds. */
function run(size: RangeSize, density: number, bytesPerLog = 900, rounds = 20): RangeSize {
  let now = size;
  for (let round = 0; round < rounds; round++) {
    const blocks = nextBlocks(now);
    const logs = Math.round(blocks * density);
    now = afterAnswer(now, { blocks, logs, bytes: logs * bytesPerLog });
  }
  return now;
}

test("ranges become as long as the target, whatever the density", () => {
  for (const density of [0.1, 1, 20, 300])
    expect(nextBlocks(run(firstRangeSize(target), density)) * density).toBeCloseTo(7_500, -3);
});

test("long logs make shorter ranges", () => {
  expect(nextBlocks(run(firstRangeSize(target), 20, 8_000))).toBe(50);
});

test("nothing found makes ranges long, in steps", () => {
  let size = firstRangeSize(target);
  const lengths = Array.from({ length: 6 }, () => {
    const blocks = nextBlocks(size);
    size = afterAnswer(size, { blocks, logs: 0, bytes: 40 });
    return blocks;
  });
  expect(lengths).toEqual([250, 1_000, 4_000, 16_000, 64_000, 100_000]);
});

test("a refused length is not asked for again soon, but is at last", () => {
  const refused = afterRefusal(run(firstRangeSize(target), 0.1), { blocks: 50_000, advice: {} });
  expect(nextBlocks(refused)).toBe(25_000);
  const soon = run(refused, 0.1, 900, 2);
  expect(nextBlocks(soon)).toBeLessThan(50_000);
  expect(nextBlocks(run(refused, 0.1, 900, 20))).toBeGreaterThan(50_000);
});

test("a provider that gives few logs is asked for fewer", () => {
  const refused = afterRefusal(firstRangeSize(target), {
    blocks: 250,
    advice: { mostLogs: 1_000 },
  });
  expect(nextBlocks(run(refused, 10))).toBe(70);
});

test("a limit that an endpoint named does not hold for others", () => {
  const long = run(firstRangeSize(target), 0);
  const advice = { mostBlocks: 10 };
  expect(nextBlocks(afterRefusal(long, { blocks: 100_000, advice }))).toBe(100_000);
});

test("whatever happens, there is at least one block to ask for, and never too many", () => {
  const event = fc.oneof(
    fc.record({ logs: fc.nat(1_000_000), bytes: fc.nat(1_000_000_000) }),
    fc.record({
      advice: fc.record(
        {
          mostBlocks: fc.integer({ min: 1, max: 10_000 }),
          mostLogs: fc.integer({ min: 1, max: 10_000 }),
          fittingBlocks: fc.integer({ min: 1, max: 10_000 }),
        },
        { requiredKeys: [] },
      ),
    }),
  );
  fc.assert(
    fc.property(fc.array(event), (events) => {
      let size = firstRangeSize(target);
      for (const happened of events) {
        const blocks = nextBlocks(size);
        expect(blocks).toBeGreaterThanOrEqual(1);
        expect(blocks).toBeLessThanOrEqual(target.mostBlocks);
        expect(Number.isInteger(blocks)).toBe(true);
        size =
          "advice" in happened
            ? afterRefusal(size, { blocks, advice: happened.advice })
            : afterAnswer(size, { blocks, ...happened });
      }
    }),
  );
});

test("a refused range is split without gaps, into parts that are shorter", () => {
  const advice = fc.record(
    {
      mostBlocks: fc.integer({ min: 1, max: 5_000 }),
      fittingBlocks: fc.integer({ min: 1, max: 5_000 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.nat(1e9), fc.integer({ min: 2, max: 3_000 }), advice, (from, blocks, said) => {
      const to = from + blocks - 1;
      const parts = splitRange({ from, to }, said);
      expect(parts.length).toBeGreaterThan(1);
      expect(parts[0]?.from).toBe(from);
      expect(parts.at(-1)?.to).toBe(to);
      parts.forEach((part, at) => {
        expect(part.to).toBeGreaterThanOrEqual(part.from);
        if (at > 0) expect(part.from).toBe((parts[at - 1]?.to ?? 0) + 1);
      });
    }),
  );
});
