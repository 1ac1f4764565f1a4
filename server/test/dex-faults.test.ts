import { afterAll, describe, expect, test } from "vitest";
import { openNodes } from "../src/chains/nodes.ts";
import { runIndexer } from "../src/dex/indexer/indexer.ts";
import { systemRandom } from "../src/lib/random.ts";
import { readTables } from "./dex-tables.ts";
import { type FakeChain, fakeChain } from "./fake-chain.ts";
import { startFakeNode } from "./fake-node.ts";
import { type Fault, startFaultyProxy } from "./faulty-proxy.ts";
import { impatientClock } from "./impatient-clock.ts";
import { memoryNodes } from "./memory-nodes.ts";
import { silentLog } from "./silent-log.ts";
import { type SyntheticExchange, syntheticExchange } from "./synthetic-exchange.ts";
import { useDatabase } from "./test-database.ts";

const held = useDatabase();
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const context = { clock: impatientClock, random: systemRandom, log: silentLog };

function market(blocks: number): { chain: FakeChain; exchange: SyntheticExchange } {
  const chain = fakeChain();
  const exchange = syntheticExchange({ pools: 4, seed: 11 });
  chain.append(exchange.founding());
  for (let block = 0; block < blocks; block++) chain.append(exchange.block(block % 5));
  return { chain, exchange };
}

type Target = ReturnType<typeof market> & {
  name: string;
  urls: string[];
  agreeing: number;
  /** The chain grows until this holds; how often a node is asked depends on the machine. */
  until?: () => boolean;
};

/** Indexes to the head through whatever is behind the URLs; without any, from memory. */
async function index({ chain, exchange, name, urls, agreeing, until = () => true }: Target) {
  const deployment = { ...exchange.deployment, blockchain: name };
  const where = {
    id: name,
    name,
    chainId: 1,
    rpcUrls: urls,
    finalityBlocks: 20,
    totalDifficulty: "0",
    agreeing,
  };
  const nodes =
    urls.length > 0
      ? await openNodes({ ...context, chain: where })
      : memoryNodes(chain, exchange.tokens);
  const stopping = new AbortController();
  await runIndexer({
    ...context,
    db: held.db,
    nodes,
    chain: where,
    deployment,
    announce({ indexed }) {
      if (indexed?.block !== chain.head().number) return;
      if (until()) stopping.abort();
      else chain.append(exchange.block(chain.head().number % 5));
    },
    signal: stopping.signal,
    batchLogs: 40,
  });
  await nodes.close();
  return readTables(held.db, deployment, { withHead: true });
}

describe("a node that makes mistakes slows us down and never corrupts us", () => {
  const clumsy: Partial<Record<Fault, number>> = {
    drop: 0.05,
    truncate: 0.05,
    delay: 0.05,
    tooMany: 0.05,
    broken: 0.05,
    html: 0.03,
    repeatLogs: 0.1,
    shuffleLogs: 0.1,
    wrongHash: 0.1,
    nullBlock: 0.05,
    oldHead: 0.5,
  };

  test.each([
    ["drops, delays, repeats, shuffles, truncates and contradicts", clumsy, 1],
    ["also leaves logs out, when two answers must agree", { ...clumsy, cutLogs: 0.15 }, 2],
  ])("%s", async (description, rates, agreeing) => {
    const given = market(160);
    const node = await startFakeNode({ chain: given.chain, tokens: given.exchange.tokens });
    const proxy = await startFaultyProxy(node.url, { seed: 5, rates });
    closing.push(node.close, proxy.close);
    const everyFaultHappened = () =>
      (Object.keys(rates) as Fault[]).every((fault) => proxy.counts[fault] > 0);
    const faulty = await index({
      ...given,
      name: description,
      urls: [proxy.url],
      agreeing,
      until: everyFaultHappened,
    });
    const clean = await index({ ...given, name: `${description} not`, urls: [], agreeing: 1 });
    for (const [table, rows] of Object.entries(clean)) expect(faulty[table], table).toEqual(rows);
    expect(clean.dex_trades?.length).toBeGreaterThan(100);
  });

  test("one that leaves logs out without being noticed at first is found out by the swaps that follow", async () => {
    const given = market(120);
    const node = await startFakeNode({ chain: given.chain, tokens: given.exchange.tokens });
    const proxy = await startFaultyProxy(node.url, { seed: 3, rates: { cutLogs: 0.3 } });
    closing.push(node.close, proxy.close);
    const target = { ...given, name: "forgetful", urls: [proxy.url], agreeing: 1 };
    const stopHealing = given.chain.onHead(() => {
      proxy.rates.cutLogs = 0;
    });
    const following = index(target);
    await expect.poll(() => proxy.counts.cutLogs).toBeGreaterThan(2);
    given.chain.append(given.exchange.swaps(30), given.exchange.swaps(30));
    stopHealing();
    const healed = await following;
    const clean = await index({ ...given, name: "forgetful not", urls: [], agreeing: 1 });
    // Swaps, mints and burns leave marks in the swaps after them; a collect that is left out does not.
    for (const table of ["dex_ticks", "dex_trades"]) {
      expect(new Set(healed[table]).size, table).toBe(clean[table]?.length);
    }
  });
});
