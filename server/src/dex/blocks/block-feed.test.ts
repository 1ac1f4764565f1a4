import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { type FakeBlock, type FakeChain, fakeChain } from "../../../test/fake-chain.ts";
import { recordingLog, silentLog } from "../../../test/silent-log.ts";
import { useDatabase } from "../../../test/test-database.ts";
import type { Chain, Header } from "../../chains/chain.ts";
import { sql } from "../../database/sql.ts";
import { systemClock } from "../../lib/clock.ts";
import { UnavailableError } from "../../lib/errors.ts";
import { type BlockFeed, followBlocks } from "./block-feed.ts";

const held = useDatabase();
const empty = (count: number) => Array.from({ length: count }, () => ({}));

let laterSeconds = 0;
let chains = 0;

/** A chain of `count` blocks under an id that no other test has. */
function newChain(count: number) {
  const source = fakeChain();
  if (count > 1) source.append(...empty(count - 1));
  const chain: Chain = {
    id: `chain-${++chains}`,
    name: "A chain",
    chainId: 1,
    rpcUrls: [],
    finalityBlocks: 64,
    totalDifficulty: "17",
    agreeing: 1,
  };
  return { source, chain };
}

const headerOf = (block: FakeBlock): Header => ({
  ...block,
  author: `0x${"c0".repeat(20)}`,
  size: 600,
  gasLimit: 30_000_000n,
  gasUsed: BigInt(block.number),
  totalDifficulty: undefined,
});

/** Nodes that serve the chain; `lag` blocks behind, and failing whenever `fails` says so. */
function nodesOf(source: FakeChain, options: { lag?: () => number; fails?: () => boolean } = {}) {
  const { lag = () => 0, fails = () => false } = options;
  const asked: number[] = [];
  const head = () => source.byNumber(source.head().number - lag()) ?? source.head();
  return {
    asked,
    async headers(numbers: readonly number[]): Promise<Header[]> {
      if (fails()) throw new UnavailableError("The node is down.");
      asked.push(numbers.length);
      return numbers.map((number) => {
        const block = number > head().number ? undefined : source.byNumber(number);
        if (!block) throw new UnavailableError(`There is no block ${number}.`);
        return headerOf(block);
      });
    },
    async *heads(signal: AbortSignal): AsyncGenerator<Header> {
      let last = "";
      while (!signal.aborted) {
        const newest = head();
        if (newest.hash === last) await nextHead(source, signal);
        else yield headerOf(newest);
        last = newest.hash;
      }
    },
  };
}

function nextHead(source: FakeChain, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener("abort", done);
      stopListening();
      resolve();
    };
    const stopListening = source.onHead(done);
    signal.addEventListener("abort", done);
  });
}

/** A reorganisation: how deep, and by how many blocks the new branch is longer. */
type Happening = { depth: number; growth: number; isRestarted: boolean; isAwaited: boolean };

const running: { stop: AbortController; done: Promise<void> }[] = [];

function follow(chain: Chain, options: Pick<BlockFeed, "nodes" | "keep"> & Partial<BlockFeed>) {
  const stop = new AbortController();
  const { signal } = stop;
  const clock = { ...systemClock, sleep: () => systemClock.sleep(1) };
  const done = followBlocks({ chain, db: held.db, clock, log: silentLog, signal, ...options });
  running.push({ stop, done });
  return async () => {
    stop.abort();
    await done;
  };
}

afterEach(async () => {
  for (const { stop } of running) stop.abort();
  await Promise.all(running.splice(0).map(({ done }) => done));
});

async function storedBlocks(chain: Chain) {
  const rows = await held.db.query<{ number: number; hash: string; parent: string; time: number }>(
    sql`select number::float8 as number, '0x' || encode(hash, 'hex') as hash,
      '0x' || encode(parent_hash, 'hex') as parent, time::float8 as time
      from blocks where blockchain = ${chain.id} order by blocks.number`,
  );
  return rows.map(({ number, hash, parent, time }) => [number, hash, parent, time]);
}

const rowOf = ({ number, hash, parentHash, time }: FakeBlock) => [number, hash, parentHash, time];
const newest = (source: FakeChain, keep: number | "all") =>
  (keep === "all" ? source.blocks : source.blocks.slice(-keep)).map(rowOf);

/** Waits until the table holds exactly what a fresh run would put there, spare old blocks aside. */
async function expectEqual(chain: Chain, source: FakeChain, keep: number | "all") {
  await expect
    .poll(async () => {
      const rows = await storedBlocks(chain);
      return keep === "all" ? rows : rows.slice(-keep);
    })
    .toEqual(newest(source, keep));
}

/** Follows a chain that lives through all that, and holds that the table is right at the end of it. */
async function live(keep: number | "all", happenings: readonly Happening[]) {
  const { source, chain } = newChain(150);
  const start = () => follow(chain, { nodes: nodesOf(source), keep });
  let stop = start();
  for (const { depth, growth, isRestarted, isAwaited } of happenings) {
    if (isRestarted) await stop();
    source.reorg(depth, ...empty(Math.max(1, depth + growth)));
    if (isRestarted) stop = start();
    if (isAwaited) await expectEqual(chain, source, keep);
  }
  await expectEqual(chain, source, keep);
  await stop();
}

describe("following blocks", () => {
  test.each([
    [1, 10],
    [10, 10],
    [700, 10],
    [1_700, 1_200],
    [1_200, "all" as const],
  ])("fills an empty table from a chain of %i blocks, keeping %s", async (count, keep) => {
    const { source, chain } = newChain(count);
    follow(chain, { nodes: nodesOf(source), keep });
    await expect.poll(() => storedBlocks(chain)).toEqual(newest(source, keep));
  });

  test("writes every field, and the chain's total difficulty when the node tells none", async () => {
    const { source, chain } = newChain(3);
    const nodes = nodesOf(source);
    const told = async (numbers: readonly number[]) =>
      (await nodes.headers(numbers)).map((header) => ({ ...header, totalDifficulty: 2n ** 80n }));
    follow(chain, { nodes: { ...nodes, headers: told }, keep: 10 });
    await expectEqual(chain, source, 10);
    const rows = await held.db.query(sql`
      select number, size, gas_limit, gas_used, total_difficulty, encode(author, 'hex') as author
      from blocks where blockchain = ${chain.id} and number in (1, 2) order by number`);
    const common = { size: 600n, gas_limit: "30000000", author: "c0".repeat(20) };
    expect(rows).toEqual([
      { ...common, number: 1n, gas_used: "1", total_difficulty: String(2n ** 80n) },
      { ...common, number: 2n, gas_used: "2", total_difficulty: "17" },
    ]);
  });

  test("goes on with new blocks, and tells of them", async () => {
    const { source, chain } = newChain(5);
    const told: number[] = [];
    const nodes = nodesOf(source);
    follow(chain, { nodes, keep: 100, stored: ({ number }) => told.push(number) });
    await expectEqual(chain, source, 100);
    const already = nodes.asked.flat().length;
    source.append({});
    await expectEqual(chain, source, 100);
    expect(told).toEqual([4, 5]);
    // The head itself came with the news: only numbers that we did not have are asked for.
    expect(nodes.asked.slice(already)).toEqual([0]);
    source.append(...empty(1_300));
    await expectEqual(chain, source, 100);
    expect(told.at(-1)).toBe(1_305);
  });

  test.each([1, 5, 64, 200, 299])(
    "a reorganisation of %i blocks leaves nothing behind",
    async (depth) => {
      const { source, chain } = newChain(300);
      follow(chain, { nodes: nodesOf(source), keep: 250 });
      await expectEqual(chain, source, 250);
      source.reorg(depth, ...empty(depth + 1));
      await expectEqual(chain, source, 250);
    },
  );

  test("a chain that becomes shorter is believed, and older blocks come back", async () => {
    const { source, chain } = newChain(300);
    follow(chain, { nodes: nodesOf(source), keep: 50 });
    await expectEqual(chain, source, 50);
    source.reorg(40, ...empty(3));
    await expectEqual(chain, source, 50);
  });

  test("a reorganisation of more blocks than are deleted at once", async () => {
    const { source, chain } = newChain(5_700);
    follow(chain, { nodes: nodesOf(source), keep: "all" });
    await expectEqual(chain, source, "all");
    source.reorg(5_600, ...empty(20));
    await expectEqual(chain, source, "all");
  });

  test("whatever happens to the chain, the table equals what a fresh run would hold", async () => {
    const happening = fc.record({
      depth: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 120 })),
      growth: fc.integer({ min: -3, max: 40 }),
      isRestarted: fc.boolean(),
      isAwaited: fc.boolean(),
    });
    const keeps = fc.constantFrom(20, 100, "all" as const);
    const happenings = fc.array(happening, { minLength: 1, maxLength: 6 });
    await fc.assert(fc.asyncProperty(keeps, happenings, live), { numRuns: 25 });
  });

  test("a node that is behind is waited for", async () => {
    const { source, chain } = newChain(100);
    let lag = 0;
    const nodes = nodesOf(source, { lag: () => lag });
    const told: number[] = [];
    follow(chain, { nodes, keep: 50, stored: ({ number }) => told.push(number) });
    await expectEqual(chain, source, 50);
    const complete = await storedBlocks(chain);
    lag = 11;
    source.append({});
    lag = 70;
    source.append({});
    expect(await storedBlocks(chain)).toEqual(complete);
    lag = 0;
    source.append({});
    await expectEqual(chain, source, 50);
    expect(told).toEqual([99, 102]);
  });

  test("another chain under the same name takes over, wherever its numbers are", async () => {
    const { source, chain } = newChain(300);
    for (const keep of [50, "all"] as const) {
      for (const [count, startTime] of [
        [20, 1_800_000_000],
        [400, 1_600_000_000],
      ] as const) {
        const other = fakeChain({ startTime });
        other.append(...empty(count));
        for (const now of [source, other]) {
          const stop = follow(chain, { nodes: nodesOf(now), keep });
          now.append({ time: 1_900_000_000 + ++laterSeconds });
          await expectEqual(chain, now, keep);
          await stop();
        }
      }
    }
  });

  test("continues where it stopped, or starts anew when that is too far back", async () => {
    const { source, chain } = newChain(100);
    const stop = follow(chain, { nodes: nodesOf(source), keep: 60 });
    await expectEqual(chain, source, 60);
    await stop();
    source.append(...empty(20));
    const near = nodesOf(source);
    const stopAgain = follow(chain, { nodes: near, keep: 60 });
    await expectEqual(chain, source, 60);
    await stopAgain();
    expect(near.asked.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(20);
    source.append(...empty(200));
    follow(chain, { nodes: nodesOf(source), keep: 60 });
    await expect.poll(() => storedBlocks(chain)).toEqual(newest(source, 60));
  });

  test("a backfill that was interrupted is resumed", async () => {
    const { source, chain } = newChain(2_600);
    let calls = 0;
    const fails = () => ++calls > 3;
    const stop = follow(chain, { nodes: nodesOf(source, { fails }), keep: "all" });
    await expect.poll(() => calls).toBeGreaterThan(4);
    await stop();
    const rows = await storedBlocks(chain);
    expect(rows).toEqual(newest(source, 1_500));
    follow(chain, { nodes: nodesOf(source), keep: "all" });
    await expectEqual(chain, source, "all");
  });

  test("keeping more or fewer blocks than before takes effect", async () => {
    const { source, chain } = newChain(900);
    for (const keep of [20, 800, 30, "all", 700] as const) {
      const stop = follow(chain, { nodes: nodesOf(source), keep });
      await expect.poll(() => storedBlocks(chain)).toEqual(newest(source, keep));
      await stop();
    }
  });

  test("deletes old blocks once a tenth too many are there", async () => {
    const { source, chain } = newChain(100);
    follow(chain, { nodes: nodesOf(source), keep: 50 });
    await expectEqual(chain, source, 50);
    for (let count = 51; count <= 55; count++) {
      source.append({});
      await expect.poll(() => storedBlocks(chain)).toEqual(newest(source, count));
    }
    source.append({});
    await expect.poll(() => storedBlocks(chain)).toEqual(newest(source, 50));
  });

  test("survives nodes that fail, and blocks that do not fit together", async () => {
    const { source, chain } = newChain(1_200);
    const { lines, log } = recordingLog();
    let calls = 0;
    const nodes = nodesOf(source, { fails: () => ++calls % 3 === 1 });
    const headers = async (numbers: readonly number[]) => {
      const right = await nodes.headers(numbers);
      const wrong = (header: Header) => ({ ...header, parentHash: header.hash });
      return calls % 5 === 0 ? right.map(wrong) : right;
    };
    follow(chain, { nodes: { ...nodes, headers }, keep: "all", log });
    for (let round = 0; round < 8; round++) {
      source.reorg(round, ...empty(round + 1));
      await expect
        .poll(async () => (await storedBlocks(chain)).at(-1))
        .toEqual(rowOf(source.head()));
    }
    await expect
      .poll(() => {
        source.append({});
        return storedBlocks(chain);
      })
      .toEqual(expect.arrayContaining(newest(source, "all")));
    expect(lines.join()).toContain("The node is down.");
    expect(lines.join()).toContain("do not follow each other");
  });

  test("two that follow the same chain take turns", async () => {
    const { source, chain } = newChain(1_300);
    follow(chain, { nodes: nodesOf(source), keep: "all" });
    follow(chain, { nodes: nodesOf(source), keep: "all" });
    await expectEqual(chain, source, "all");
    for (const depth of [0, 3, 0, 40]) {
      source.reorg(depth, ...empty(depth + 2));
      await expectEqual(chain, source, "all");
    }
  });
});
