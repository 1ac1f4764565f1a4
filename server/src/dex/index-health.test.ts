import { afterAll, expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { openThreadBus } from "../bus/thread-bus.ts";
import { watchIndexes } from "./index-health.ts";
import { type IndexStatus, indexStatuses } from "./indexer/status.ts";

const bus = openThreadBus("test-index-health");
afterAll(() => bus.close());

const index = { exchange: "uniswap-v3", blockchain: "ethereum" };
const status: IndexStatus = {
  ...index,
  head: { block: 1_000, time: 12_000 },
  indexed: { block: 400, time: 4_800 },
  startBlock: 1,
  lastReorg: null,
  trouble: null,
};

function watch() {
  const clock = manualClock();
  const { health } = watchIndexes(bus, clock, [index]);
  const tell = async (change: Partial<IndexStatus> = {}) => {
    bus.publish(indexStatuses, { ...status, ...change });
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, tell, now: () => health()["uniswap-v3/ethereum"] };
}

test("an index that is behind is catching up, and says how far it is", async () => {
  const { tell, now } = watch();
  await tell();
  expect(now()).toMatchObject({
    state: "catching up",
    lagBlocks: 600,
    lagSeconds: 7_200,
    progress: { done: 400, total: 1_000 },
  });
});

test("an index at the head is ok, and remembers its last reorganisation", async () => {
  const { tell, now } = watch();
  await tell({ indexed: { block: 999, time: 11_988 }, lastReorg: { depth: 3, at: 0 } });
  expect(now()).toMatchObject({
    state: "ok",
    reason: null,
    block: 999,
    lastReorg: { depth: 3, at: "1970-01-01T00:00:00.000Z" },
    progress: null,
  });
});

test("without a new block for a minute it has stalled, and says why; a block brings it back", async () => {
  const { clock, tell, now } = watch();
  await tell();
  clock.advance(61_000);
  await tell({ trouble: "the node does not answer" });
  expect(now()).toMatchObject({
    state: "stalled",
    reason: "no new block for 61 s: the node does not answer",
  });
  await tell({ head: { block: 1_001, time: 12_012 } });
  expect(now()?.state).toBe("catching up");
});

test("an index that was expected and never heard of has stalled too", () => {
  const { clock, now } = watch();
  expect(now()).toMatchObject({ state: "catching up", head: null });
  clock.advance(61_000);
  expect(now()).toMatchObject({
    state: "stalled",
    reason: "the indexer has not been heard of for 61 s",
  });
});
