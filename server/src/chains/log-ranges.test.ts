import fc from "fast-check";
import { expect, test } from "vitest";
import type { Log, LogRange } from "./chain.ts";
import type { Endpoint } from "./endpoint.ts";
import { streamRanges } from "./log-ranges.ts";
import type { BlockRange } from "./log-source.ts";
import { firstRangeSize } from "./range-size.ts";
import { RpcFailure } from "./rpc-failure.ts";

const target = { firstBlocks: 50, mostBlocks: 1_000, logs: 100, bytes: 100_000 };
const endpoint = {} as Endpoint;
const never = new AbortController().signal;

const logAt = (block: number, index: number): Log => ({
  block,
  blockHash: "0x",
  time: block,
  transactionHash: "0x",
  index,
  address: "0x",
  topics: [],
  data: "0x",
});

/** Fetches from a chain with so many logs in each block; whatever `before` throws is thrown. */
function source(density: (block: number) => number, before: (range: BlockRange) => Promise<void>) {
  const state = { inFlight: 0, most: 0, fetched: [] as BlockRange[] };
  const fetch = async (range: BlockRange) => {
    state.fetched.push(range);
    state.most = Math.max(state.most, ++state.inFlight);
    try {
      await before(range);
      const logs: Log[] = [];
      for (let block = range.from; block <= range.to; block++)
        for (let index = 0; index < density(block); index++) logs.push(logAt(block, index));
      return { value: { logs, bytes: logs.length * 100 }, endpoint };
    } finally {
      state.inFlight--;
    }
  };
  return { state, fetch };
}

const stream = (
  fetch: Parameters<typeof streamRanges>[0]["fetch"],
  range: BlockRange,
  more: { signal?: AbortSignal; mostBlocks?: number; bufferedLogsMost?: number } = {},
) =>
  streamRanges({
    ...range,
    fetch,
    size: firstRangeSize(target),
    mostBlocks: () => more.mostBlocks ?? Number.POSITIVE_INFINITY,
    handedOn: () => {},
    rangesAtOnce: 6,
    bufferedLogsMost: more.bufferedLogsMost ?? 1_000,
    signal: more.signal ?? never,
  });

const collect = async (ranges: AsyncIterable<LogRange>) => {
  const all: LogRange[] = [];
  for await (const range of ranges) all.push(range);
  return all;
};

const ticks = async (count: number) => {
  for (let tick = 0; tick < count; tick++) await new Promise((resolve) => setImmediate(resolve));
};

test("whatever fails and however long it takes, all logs come once, in order, without gaps", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(1_000),
      fc.integer({ min: 1, max: 600 }),
      fc.array(fc.nat(12), { minLength: 1, maxLength: 50 }),
      fc.infiniteStream(fc.record({ delay: fc.nat(3), fails: fc.nat(4), fits: fc.nat(30) })),
      async (from, blocks, densities, events) => {
        const to = from + blocks - 1;
        const density = (block: number) => densities[Math.floor(block / 7) % densities.length] ?? 0;
        const { fetch, state } = source(density, async (range) => {
          const { value } = events.next();
          await ticks(value.delay);
          if (value.fails > 0 || range.from === range.to) return;
          const advice = value.fits > 0 ? { fittingBlocks: value.fits } : {};
          throw new RpcFailure("wide", "too much", { advice });
        });
        const ranges = await collect(stream(fetch, { from, to }));
        let next = from;
        for (const range of ranges) {
          expect(range.from).toBe(next);
          next = range.to + 1;
        }
        expect(next).toBe(to + 1);
        const got = ranges.flatMap(({ logs }) =>
          logs.map(({ block, index }) => `${block}#${index}`),
        );
        const truth: string[] = [];
        for (let block = from; block <= to; block++)
          for (let index = 0; index < density(block); index++) truth.push(`${block}#${index}`);
        expect(got.join()).toBe(truth.join());
        expect(state.most).toBeLessThanOrEqual(6);
      },
    ),
    { numRuns: 60 },
  );
});

test("ranges are fetched ahead, several at once, but not without end", async () => {
  const { fetch, state } = source(
    () => 2,
    async () => ticks(1),
  );
  const ranges = stream(fetch, { from: 0, to: 100_000 });
  const { value: first } = await ranges.next();
  expect(first?.from).toBe(0);
  await ticks(200);
  const fetchedLogs = state.fetched.reduce((sum, { from, to }) => sum + 2 * (to - from + 1), 0);
  expect(state.most).toBeGreaterThan(1);
  expect(fetchedLogs).toBeLessThan(1_500);
  const fetchedBefore = state.fetched.length;
  await ranges.next();
  await ticks(50);
  expect(state.fetched.length).toBeGreaterThan(fetchedBefore);
  await ranges.return(undefined);
});

test("what fits nowhere still comes, one range at a time", async () => {
  const { fetch, state } = source(
    () => 50,
    async () => ticks(1),
  );
  const ranges = await collect(stream(fetch, { from: 0, to: 400 }, { bufferedLogsMost: 1 }));
  expect(ranges.flatMap(({ logs }) => logs)).toHaveLength(401 * 50);
  expect(state.most).toBe(1);
});

test("a range is never longer than whoever is asked takes", async () => {
  const { fetch, state } = source(
    () => 0,
    async () => {},
  );
  await collect(stream(fetch, { from: 0, to: 999 }, { mostBlocks: 10 }));
  expect(Math.max(...state.fetched.map(({ from, to }) => to - from + 1))).toBe(10);
});

test("a failure that smaller ranges do not help ends the stream, after what was good", async () => {
  const { fetch } = source(
    () => 1,
    async ({ from }) => {
      if (from >= 100) throw new Error("nobody answers");
    },
  );
  const got: LogRange[] = [];
  const reading = (async () => {
    for await (const range of stream(fetch, { from: 0, to: 100_000 })) got.push(range);
  })();
  await expect(reading).rejects.toThrow("nobody answers");
  expect(got.map(({ from }) => from)).toEqual([0, 50]);
});

test("an abort ends it at once, and nothing goes on behind its back", async () => {
  const aborting = new AbortController();
  let aborted = 0;
  const fetch = (_: BlockRange, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) =>
      signal.addEventListener("abort", () => {
        aborted++;
        reject(signal.reason);
      }),
    );
  const reading = collect(stream(fetch, { from: 0, to: 1_000 }, { signal: aborting.signal }));
  await ticks(2);
  aborting.abort(new Error("enough"));
  await expect(reading).rejects.toThrow("enough");
  expect(aborted).toBe(6);
});

test("a reader that leaves early stops what is under way", async () => {
  const { fetch, state } = source(
    () => 1,
    async () => ticks(3),
  );
  for await (const range of stream(fetch, { from: 0, to: 100_000 })) if (range.to > 100) break;
  expect(state.inFlight).toBe(0);
  const fetched = state.fetched.length;
  await ticks(20);
  expect(state.fetched.length).toBe(fetched);
});

test("no blocks, no ranges", async () => {
  const { fetch } = source(
    () => 1,
    async () => {},
  );
  expect(await collect(stream(fetch, { from: 5, to: 4 }))).toEqual([]);
});
