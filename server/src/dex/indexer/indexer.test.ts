import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTables } from "../../../test/dex-tables.ts";
import { addressOf, type FakeChain, fakeChain } from "../../../test/fake-chain.ts";
import { impatientClock } from "../../../test/impatient-clock.ts";
import { type MemoryNodes, memoryNodes } from "../../../test/memory-nodes.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { type SyntheticExchange, syntheticExchange } from "../../../test/synthetic-exchange.ts";
import { useDatabase } from "../../../test/test-database.ts";
import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import type { Database } from "../../database/database.ts";
import { systemClock } from "../../lib/clock.ts";
import { systemRandom } from "../../lib/random.ts";
import type { Deployment } from "../deployment.ts";
import { runIndexer } from "./indexer.ts";
import { reindex } from "./reindex.ts";
import type { IndexStatus } from "./status.ts";

/** `INDEX_RUNS=20 npx vitest run server/src/dex/indexer/indexer.test.ts` is the long version. */
const runs = Number(process.env.INDEX_RUNS ?? 1);

const held = useDatabase();
const finalityBlocks = 16;

let names = 0;
/** Each index of a test is a blockchain of its own, so that none sees another's rows. */
const newName = () => `chain-${++names}`;

type Market = { chain: FakeChain; exchange: SyntheticExchange };

function market(seed: number, blocks: number): Market {
  const chain = fakeChain();
  const exchange = syntheticExchange({ pools: 3, seed });
  chain.append(exchange.founding());
  for (let block = 0; block < blocks; block++) chain.append(exchange.block(block % 4));
  return { chain, exchange };
}

type IndexOptions = {
  db?: Database;
  name?: string;
  nodes?: MemoryNodes;
  batchLogs?: number;
  finality?: number;
  /** Stops when this is true; by default at the chain's head. */
  until?: (status: IndexStatus) => boolean;
  change?: Partial<Deployment>;
};

/** Indexes until the head is in the tables, then stops. Returns what they are filed under. */
async function index({ chain, exchange }: Market, options: IndexOptions = {}) {
  const { db = held.db, batchLogs = 10, finality = finalityBlocks } = options;
  const blockchain = options.name ?? newName();
  const nodes = options.nodes ?? memoryNodes(chain, exchange.tokens);
  const isDone =
    options.until ?? (({ indexed }: IndexStatus) => indexed?.block === chain.head().number);
  const stopping = new AbortController();
  const deployment = { ...exchange.deployment, blockchain, ...options.change };
  const where: Chain = {
    id: blockchain,
    name: blockchain,
    chainId: 1,
    rpcUrls: [],
    finalityBlocks: finality,
    totalDifficulty: "0",
    agreeing: 1,
  };
  const statuses: IndexStatus[] = [];
  await runIndexer({
    db,
    nodes,
    chain: where,
    deployment,
    clock: impatientClock,
    random: systemRandom,
    log: silentLog,
    announce(status) {
      statuses.push(status);
      if (isDone(status)) stopping.abort();
    },
    signal: stopping.signal,
    batchLogs,
  });
  return { ...deployment, statuses };
}

async function expectSameTables(one: Deployment, other: Deployment, withHead = false) {
  const [ours, theirs] = [
    await readTables(held.db, one, { withHead }),
    await readTables(held.db, other, { withHead }),
  ];
  for (const name of Object.keys(theirs)) expect(ours[name], name).toEqual(theirs[name]);
  expect(ours.dex_trades?.length).toBeGreaterThan(0);
}

describe("the tables follow from the chain alone", () => {
  test("however the logs are cut into ranges and batches", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 100 }),
        fc.integer(),
        async (rangeBlocks, batchLogs, finality, seed) => {
          const given = market(seed, 60);
          const nodes = memoryNodes(given.chain, given.exchange.tokens, { rangeBlocks });
          const pieces = await index(given, { nodes, batchLogs, finality });
          await expectSameTables(pieces, await index(given, { batchLogs: 1_000_000 }));
        },
      ),
      { numRuns: 5 * runs },
    );
  });

  test("wherever the indexer is stopped and started again", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
        fc.integer(),
        async (stops, seed) => {
          const given = market(seed, 60);
          const name = newName();
          for (const stop of stops.sort((one, other) => one - other)) {
            const until = ({ indexed }: IndexStatus) => (indexed?.block ?? 0) >= stop;
            await index(given, { name, until });
          }
          await expectSameTables(await index(given, { name }), await index(given), true);
        },
      ),
      { numRuns: 4 * runs },
    );
  });

  test("also when it is stopped before the first log has come", async () => {
    const given = market(12, 60);
    const name = newName();
    await index(given, { name, until: ({ head }) => head !== null });
    await expectSameTables(await index(given, { name }), await index(given), true);
  });

  test("whatever statement fails on the way", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.integer(), async (every, seed) => {
        const given = market(seed, 40);
        const failing = failingDatabase(held.db, every);
        const survivor = await index(given, { db: failing.db });
        expect(failing.failures()).toBeGreaterThan(0);
        await expectSameTables(survivor, await index(given), true);
      }),
      { numRuns: 3 * runs },
    );
  });

  /** Fails every so many writing statements, each time one statement later, as a server that is killed does. */
  function failingDatabase(db: Database, every: number) {
    let countdown = every;
    let failures = 0;
    const mayFail = () => {
      if (--countdown > 0) return;
      failures++;
      countdown = every + failures * 7;
      throw new Error("the connection was lost");
    };
    const failing: Database = {
      ...db,
      transact: (work) =>
        db.transact((tx) =>
          work({
            ...tx,
            query: (statement) => {
              mayFail();
              return tx.query(statement);
            },
            copy: (rows) => {
              mayFail();
              return tx.copy(rows);
            },
          }),
        ),
    };
    return { db: failing, failures: () => failures };
  }
});

describe("a reorganisation leaves what a fresh index of the new chain holds", () => {
  /** Follows a chain, replaces its end, follows on, and compares. */
  async function reorganise(depth: number, seed: number, finality = finalityBlocks) {
    const given = market(seed, 80);
    const name = newName();
    const fork = market(seed, 80 - depth).exchange.fork(seed + 1);
    await index(given, { name, finality });
    const blocks = Array.from({ length: depth + 3 }, (_, block) => fork.block(1 + (block % 3)));
    given.chain.reorg(depth, ...blocks);
    const followed = await index(given, { name, finality });
    const fresh = await index(given, { finality });
    await expectSameTables(followed, fresh, true);
    return followed.statuses.at(-1)?.lastReorg;
  }

  test.each([1, 2, 15, 16, 17, 40])("of %i blocks", async (depth) => {
    expect(await reorganise(depth, depth)).toMatchObject({ depth: expect.any(Number) });
  });

  test("of any depth up to 64, with finality beyond and before", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 64 }),
        fc.constantFrom(5, 30, 100),
        fc.integer({ min: 1, max: 1_000_000 }),
        async (depth, finality, seed) => {
          expect(await reorganise(depth, seed, finality)).not.toBeNull();
        },
      ),
      { numRuns: 4 * runs },
    );
  });

  test("of every block there is, the pools included", async () => {
    const given = market(3, 40);
    const name = newName();
    await index(given, { name });
    const other = syntheticExchange({ pools: 3, seed: 4 });
    const blocks = Array.from({ length: 50 }, (_, block) => other.block(block % 3));
    given.chain.reorg(41, {}, {}, other.founding(), ...blocks);
    await expectSameTables(await index(given, { name }), await index(given), true);
  });

  test("again and again while it follows the chain", async () => {
    const given = market(5, 30);
    let exchange = given.exchange;
    let turns = 0;
    /** Adds a block, and every third time replaces it by two others. */
    const goOn = () => {
      const before = exchange.fork(turns);
      given.chain.append(exchange.fork(turns + 100).block(2));
      exchange = before;
      given.chain.reorg(1, exchange.block(1), exchange.block(3));
    };
    const followed = await index(given, {
      until: ({ indexed }) => {
        if (indexed?.block !== given.chain.head().number) return false;
        if (++turns > 12) return true;
        queueMicrotask(goOn);
        return false;
      },
    });
    await expectSameTables(followed, await index(given));
  });
});

test("pools that are older than the chain's logs are found, stored, and derived from", async () => {
  const given = market(9, 40);
  const { wrappedNative, stablecoins } = given.exchange.deployment;
  const [stablecoin = wrappedNative] = stablecoins;
  const old = { pool: addressOf("an old pool"), token0: stablecoin, token1: wrappedNative };
  const onCall = (to: Hex): Hex =>
    `0x${(to === old.pool ? 500 : 7_000_000).toString(16).padStart(64, "0")}`;
  const nodes = memoryNodes(given.chain, given.exchange.tokens, { onCall });
  const change = { preexistingPools: [old] };
  const name = newName();
  const first = await index(given, { name, nodes, change });
  const { dex_pools: pools = [] } = await readTables(held.db, first);
  expect(pools).toHaveLength(4);
  expect(
    JSON.parse(String(pools.find((row) => String(row).includes(old.pool.slice(2))))),
  ).toMatchObject({
    pool: 0,
    fee: 500,
    total_value_locked0: 7,
    is_tolerated: true,
  });
  const whitelist = [wrappedNative];
  const again = await index(given, { name, change: { ...change, whitelist } });
  expect((await readTables(held.db, again)).dex_pools).toHaveLength(4);
});

describe("stored logs", () => {
  test("give the same tables without asking the node for a single range", async () => {
    const given = market(7, 60);
    const name = newName();
    await index(given, { name });
    const nodes = memoryNodes(given.chain, given.exchange.tokens);
    const whitelist = [given.exchange.deployment.wrappedNative];
    const derived = await index(given, { name, nodes, change: { whitelist } });
    expect(nodes.asked.ranges).toBe(0);
    await expectSameTables(derived, await index(given, { change: { whitelist } }), false);
  });

  test("are fetched anew when other pools are wanted", async () => {
    const given = market(8, 40);
    const name = newName();
    await index(given, { name });
    const pools = [given.exchange.deployment.stablePool];
    const fewer = await index(given, { name, change: { pools } });
    await expectSameTables(fewer, await index(given, { change: { pools } }), true);
    const tables = await readTables(held.db, fewer);
    expect(tables.dex_pools).toHaveLength(1);
  });
});

describe("deriving anew by hand", () => {
  const reindexIn = (
    given: Market,
    { blockchain }: { blockchain: string },
    db = held.db,
    finality = finalityBlocks,
  ) =>
    reindex({
      db,
      deployment: { ...given.exchange.deployment, blockchain },
      finalityBlocks: finality,
      clock: impatientClock,
      progressed() {},
    });

  test("gives the same tables", async () => {
    const given = market(13, 60);
    const first = await index(given);
    const before = await readTables(held.db, first);
    expect(await reindexIn(given, first)).toBe(before.logs?.length);
    expect(await readTables(held.db, first)).toEqual(before);
  });

  test("goes on in the middle of a stored range when it was interrupted there", async () => {
    const given = market(23, 60);
    const wanted = await index(given);
    for (const writes of [2, 5, 20, 40]) {
      const { blockchain } = await index(given, { finality: 1, batchLogs: 1_000_000 });
      // Blocks that were stored as one range may be replaced by now, so they are derived one by one.
      const interrupted = reindexIn(given, { blockchain }, brokenAfter(writes), 1_000);
      await expect(interrupted).rejects.toThrow("interrupted");
      await expectSameTables(await index(given, { name: blockchain, finality: 1_000 }), wanted);
    }
  });

  /** A database that takes so many transactions. */
  function brokenAfter(writes: number): Database {
    let count = 0;
    return {
      ...held.db,
      transact: async (work) => {
        if (++count > writes) throw new Error("interrupted");
        return held.db.transact(work);
      },
    };
  }

  test("while the indexer runs, again and again, at any moment", async () => {
    const given = market(14, 60);
    const name = newName();
    let isDone = false;
    const running = index(given, {
      name,
      batchLogs: 3,
      until: ({ indexed }) => isDone && indexed?.block === given.chain.head().number,
    });
    for (let round = 0; round < 15; round++) {
      await systemClock.sleep(7 * round);
      await reindexIn(given, { blockchain: name });
      if (round % 3 === 0) given.chain.append(given.exchange.block(3));
    }
    isDone = true;
    given.chain.append(given.exchange.block(2));
    await expectSameTables(await running, await index(given));
  });
});
