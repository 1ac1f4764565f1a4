import type { StreamSwap } from "@slipway/sdk";
import fc from "fast-check";
import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  bytes,
  hex,
  insertBars,
  insertDeployment,
  insertOrigins,
  insertPools,
  insertTokens,
  insertTrades,
  timeOf,
} from "../../test/dex-fixture.ts";
import { listen, type StreamClient } from "../../test/stream-client.ts";
import { type StreamService, startStreams } from "../../test/stream-service.ts";
import { useDatabase } from "../../test/test-database.ts";
import { openThreadBus } from "../bus/thread-bus.ts";
import { sql } from "../database/sql.ts";
import { indexStatuses } from "../dex/indexer/status.ts";

const held = useDatabase();
const bus = openThreadBus("swaps");
const key = "usr-1";
const channel = `dex.swaps:uniswap-v3:ethereum:${hex(7).toUpperCase().replace("X", "x")}`;
const barChannel = `dex.bars:uniswap-v3:ethereum:${hex(7)}:hour`;
let service: StreamService;
let deployment: number;
let head = 1_000;
/** Makes every hash another. */
let salt = 0;

beforeAll(async () => {
  const { db } = held;
  deployment = await insertDeployment(db);
  await insertTokens(db, [
    { deployment, token: 0, address: bytes(1) },
    { deployment, token: 1, address: bytes(2) },
  ]);
  await insertPools(db, [{ deployment, pool: 0, address: bytes(7), token0: 0, token1: 1 }]);
  service = await startStreams({ db, bus });
});

beforeEach(tellStatus);

function tellStatus(): void {
  bus.publish(indexStatuses, {
    ...{ exchange: "uniswap-v3", blockchain: "ethereum", head: null, startBlock: 0 },
    ...{ indexed: { block: head, time: timeOf(head) }, lastReorg: null, trouble: null },
  });
}

/** What the indexer does: everything about a block in one transaction, and then word of it. */
async function addBlock(swaps: number): Promise<void> {
  const block = ++head;
  const hash = Buffer.alloc(32);
  hash.writeUInt32BE(++salt);
  const rows = Array.from({ length: swaps }, (_, index) => {
    const transaction = Buffer.alloc(32, index);
    transaction.writeUInt32BE(salt);
    return { deployment, pool: 0, kind: "swap", block, log_index: index, transaction };
  });
  if (swaps > 0) {
    await insertOrigins(
      held.db,
      rows.map(({ transaction }) => ({ transaction_hash: transaction, origin: bytes(3) })),
    );
    await held.db.query(sql`
      insert into dex_raw_logs (deployment, from_block, to_block, to_hash, to_time, count, logs)
      values (${deployment}, ${block}, ${block}, ${hash}, ${timeOf(block)}, ${swaps}, '')`);
    const trades = rows.map(({ transaction, ...row }) => ({
      ...row,
      transaction_hash: transaction,
    }));
    await insertTrades(held.db, trades);
  }
  await moveTo(block);
}

async function moveTo(block: number): Promise<void> {
  await held.db.query(sql`
    update dex_deployments set block = ${block}, block_time = ${timeOf(block)}, version = version + 1
    where id = ${deployment}`);
  tellStatus();
}

async function takeBack(depth: number): Promise<void> {
  head -= depth;
  await held.db.transact(async (tx) => {
    await tx.query(sql`delete from dex_trades where block > ${head}`);
    await tx.query(sql`delete from dex_raw_logs where to_block > ${head}`);
    await tx.query(sql`
      update dex_deployments set block = ${head}, block_time = ${timeOf(head)}, version = version + 1
      where id = ${deployment}`);
  });
  tellStatus();
}

/** The swaps that are left when rollbacks are heeded. */
function resultOf(swaps: readonly StreamSwap[], client: StreamClient): StreamSwap[] {
  let result = [...swaps];
  for (const message of client.of("swaps", "rollback")) {
    if (message.type === "swaps") result.push(...message.swaps);
    else result = result.filter(({ block }) => block < message.fromBlock);
  }
  return result;
}

async function storedIds(from: number): Promise<string[]> {
  const rows = await held.db.query<{ id: string }>(sql`
    select '0x' || encode(transaction_hash, 'hex') || '#' || log_index as id from dex_trades
    where kind = 'swap' and block > ${from} order by block, log_index`);
  return rows.map(({ id }) => id);
}

test("swaps come when their block has been indexed, as the API has them, with the block", async () => {
  const client = await listen(service.url, [channel], { key });
  await client.untilCount("subscribed", 1);
  await addBlock(2);
  await client.untilCount("swaps", 1);
  const [message] = client.of("swaps");
  expect(message?.channel).toBe(channel);
  expect(message?.swaps).toHaveLength(2);
  expect(message?.swaps[1]).toMatchObject({
    block: head,
    logIndex: "1",
    timestamp: String(timeOf(head)),
    origin: hex(3),
    sender: hex(0x51),
    recipient: hex(0x52),
    sqrtPriceX96: "79228162514264337593543950336",
  });
  client.leave();
});

test("blocks that were replaced are taken back, no further than they have to be", async () => {
  await addBlock(1);
  const client = await listen(service.url, [channel], { key });
  await client.untilCount("subscribed", 1);
  await addBlock(1);
  await client.untilCount("swaps", 1);
  await addBlock(2);
  await client.untilCount("swaps", 2);
  const replaced = head;
  await takeBack(1);
  await client.untilCount("rollback", 1);
  await addBlock(1);
  await client.untilCount("swaps", 3);
  expect(client.of("rollback")).toEqual([{ type: "rollback", channel, fromBlock: replaced }]);
  expect(resultOf([], client).map(({ block }) => block)).toEqual([replaced - 1, replaced]);
  client.leave();
});

type Action = { kind: "block" | "back" | "away"; count: number };
const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom("block", "block", "block", "back", "away"),
  count: fc.integer({ min: 0, max: 3 }),
});

test("whoever comes back ends up with the swaps that are on the chain, whatever was replaced meanwhile", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 14 }), async (actions) => {
      // Nobody knows what came before; what is taken back must not reach there.
      for (let block = 0; block < 70; block++) head++;
      await addBlock(1);
      const from = head;
      let client = await listen(service.url, [channel], { key });
      await client.untilCount("subscribed", 1);
      let swaps: StreamSwap[] = [];
      let lastEventId: string | undefined;
      const leave = async () => {
        client.leave();
        await client.ended;
        swaps = resultOf(swaps, client);
        lastEventId = client.lastEventId ?? lastEventId;
      };
      const perform: Record<Action["kind"], (count: number) => Promise<void>> = {
        block: addBlock,
        back: (count) => takeBack(Math.min(count, head - from)),
        async away(count) {
          await leave();
          for (let block = 0; block < count; block++) await addBlock(count);
          await takeBack(Math.min(2 * count, head - from));
          await addBlock(1);
          if (count > 1) {
            await service.stop();
            service = await startStreams({ db: held.db, bus });
          }
          client = await listen(service.url, [channel], { key, lastEventId });
        },
      };
      for (const { kind, count } of actions) await perform[kind](count);
      await addBlock(1);
      const expected = await storedIds(from);
      const idsOf = (swaps: readonly StreamSwap[]) =>
        swaps.filter(({ block }) => block > from).map(({ id }) => id);
      await client.until(() => idsOf(resultOf(swaps, client)).join() === expected.join());
      await leave();
      expect(idsOf(swaps)).toEqual(expected);
    }),
    { numRuns: 8 },
  );
});

test("a pool's newest bar comes at the start and whenever it changes", async () => {
  const bar = { deployment, pool: 0, number: 486_111, open: "1.5", close: "2", tx_count: 3 };
  await insertBars(held.db, [bar]);
  const client = await listen(service.url, [barChannel], { key });
  await client.untilCount("bar", 1);
  expect(client.of("bar")[0]?.bar).toMatchObject({ timestamp: 486_111 * 3_600, o: "1.5", c: "2" });
  await held.db.query(sql`update dex_bars set close = 2.5, tx_count = 4`);
  await insertBars(held.db, [{ ...bar, number: 486_112, open: "2.5", close: "3" }]);
  await moveTo(++head);
  await client.untilCount("bar", 3);
  expect(client.of("bar").map(({ bar }) => [bar.timestamp / 3_600, bar.c])).toEqual([
    [486_111, "2"],
    [486_111, "2.5"],
    [486_112, "3"],
  ]);
  expect(client.lastEventId).toBeUndefined();
  await held.db.query(sql`delete from dex_bars where number = 486_112`);
  await moveTo(++head);
  await client.untilCount("bar", 4);
  expect(client.of("bar").at(-1)?.bar.c).toBe("2.5");
  client.leave();
});
