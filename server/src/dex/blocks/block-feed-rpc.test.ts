import { expect, test } from "vitest";
import { fakeChain } from "../../../test/fake-chain.ts";
import { startFakeNode } from "../../../test/fake-node.ts";
import { startFaultyProxy } from "../../../test/faulty-proxy.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { openTestNodes, testChain } from "../../../test/test-nodes.ts";
import { sql } from "../../database/sql.ts";
import { systemClock } from "../../lib/clock.ts";
import { followBlocks } from "./block-feed.ts";

const held = useDatabase();
const empty = (count: number) => Array.from({ length: count }, () => ({}));

async function storedHashes(): Promise<string[]> {
  const rows = await held.db.query<{ hash: string }>(
    sql`select '0x' || encode(hash, 'hex') as hash from blocks order by number`,
  );
  return rows.map(({ hash }) => hash);
}

test("blocks come whole through a connection that makes every mistake", async () => {
  const source = fakeChain();
  source.append(...empty(1_100));
  const node = await startFakeNode({ chain: source });
  const often = 0.01;
  const rates = {
    drop: often,
    truncate: often,
    tooMany: often,
    broken: often,
    html: often,
    nullBlock: often,
    oldHead: often,
  };
  const proxy = await startFaultyProxy(node.url, { seed: 7, rates });
  const limits = { pollMs: 5, restFirstMs: 1, restMostMs: 5, waitMostMs: 5 };
  const nodes = await openTestNodes([proxy.url], { limits, clock: systemClock });
  const stopping = new AbortController();
  const following = followBlocks({
    nodes,
    chain: testChain([proxy.url]),
    keep: "all",
    db: held.db,
    clock: { ...systemClock, sleep: () => systemClock.sleep(1) },
    log: silentLog,
    signal: stopping.signal,
  });

  for (const depth of [0, 1, 5, 64, 100]) {
    source.reorg(depth, ...empty(depth + 7));
    await expect.poll(storedHashes).toEqual(source.blocks.map(({ hash }) => hash));
  }
  expect(Object.values(proxy.counts).reduce((sum, count) => sum + count)).toBeGreaterThan(0);

  stopping.abort();
  await nodes.close();
  await following;
  await proxy.close();
  await node.close();
});
