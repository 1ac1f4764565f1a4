import fc from "fast-check";
import { expect, test } from "vitest";
import { addressOf, fakeChain, hashOf, type NewBlock } from "../../test/fake-chain.ts";
import { startFakeNode } from "../../test/fake-node.ts";
import { type Fault, startFaultyProxy } from "../../test/faulty-proxy.ts";
import { openTestNodes } from "../../test/test-nodes.ts";

const topics = [hashOf("Swap")];
const blockCount = 120;
const never = new AbortController().signal;

/** Everything that can be noticed by looking at one answer. */
const visible: Partial<Record<Fault, number>> = {
  drop: 0.03,
  truncate: 0.03,
  delay: 0.1,
  tooMany: 0.03,
  broken: 0.03,
  html: 0.03,
  repeatLogs: 0.2,
  shuffleLogs: 0.2,
  wrongHash: 0.1,
  nullBlock: 0.05,
  oldHead: 0.05,
};

const blocks = fc.array(
  fc.array(fc.nat(3), { maxLength: 6 }).map(
    (pools): NewBlock => ({
      logs: pools.map((pool) => ({ address: addressOf(`pool ${pool}`), topics })),
    }),
  ),
  { minLength: blockCount, maxLength: blockCount },
);

/** Reads a chain through proxies that make mistakes; returns what was read and what is true. */
async function readThrough(
  added: readonly NewBlock[],
  proxied: readonly { seed: number; rates: Partial<Record<Fault, number>> }[],
  agreeing: number,
) {
  const chain = fakeChain();
  chain.append(...added);
  // Without times in the logs, every block's hash is held against its header.
  const node = await startFakeNode({ chain, blockTimestamp: false });
  const proxies = await Promise.all(proxied.map((options) => startFaultyProxy(node.url, options)));
  const nodes = await openTestNodes(
    proxies.map(({ url }) => url),
    { chain: { agreeing }, limits: { rangeFirstBlocks: 20, rangeTargetLogs: 200 } },
  );
  const got: string[] = [];
  for await (const { logs } of nodes.streamLogs({ topics }, 0, blockCount, never))
    got.push(...logs.map(({ blockHash, index, time }) => `${blockHash}#${index}@${time}`));
  const headers = await nodes.headers(chain.blocks.map(({ number }) => number));
  await nodes.close();
  await Promise.all([...proxies, node].map(({ close }) => close()));
  const truth = chain.blocks.flatMap(({ hash, time, logs }) =>
    logs.map((_, index) => `${hash}#${index}@${time}`),
  );
  return { got, truth, headers, chain };
}

test("whatever mistakes nodes make, what is read is the chain", async () => {
  await fc.assert(
    fc.asyncProperty(blocks, fc.nat(), fc.nat(), async (added, one, two) => {
      const proxied = [one, two].map((seed) => ({ seed, rates: visible }));
      const { got, truth, headers, chain } = await readThrough(added, proxied, 1);
      expect(got).toEqual(truth);
      expect(headers.map(({ hash }) => hash)).toEqual(chain.blocks.map(({ hash }) => hash));
    }),
    { numRuns: 5 },
  );
});

test("logs that one node leaves out silently are found when two must agree", async () => {
  await fc.assert(
    fc.asyncProperty(blocks, fc.nat(), async (added, seed) => {
      const disorder = { repeatLogs: 0.2, shuffleLogs: 0.2 };
      const proxied = [
        { seed, rates: { ...disorder, cutLogs: 0.4 } },
        { seed: seed + 1, rates: disorder },
        { seed: seed + 2, rates: disorder },
      ];
      const { got, truth } = await readThrough(added, proxied, 2);
      expect(got).toEqual(truth);
    }),
    { numRuns: 5 },
  );
});
