import { Gauge, type Registry } from "@platformatic/prom-client";
import type { DexHealth } from "@slipway/sdk";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../lib/clock.ts";
import { type IndexStatus, indexStatuses } from "./indexer/status.ts";

/** Without a new block for this long, a feed has stalled. */
const stalledAfterMs = 60_000;
/** An index that is no further behind than this is up to date. */
const lagBlocksMost = 5;

type Watched = { status: IndexStatus | undefined; movedAt: number };

export type IndexHealth = {
  /** By `exchange/blockchain`. */
  health(): Record<string, DexHealth>;
};

/** Listens to how every index is doing. Those that are expected and never heard of stall like any other. */
export function watchIndexes(
  bus: Bus,
  clock: Clock,
  expected: readonly { exchange: string; blockchain: string }[],
): IndexHealth {
  const nameOf = (index: { exchange: string; blockchain: string }) =>
    `${index.exchange}/${index.blockchain}`;
  const watched = new Map<string, Watched>(
    expected.map((index) => [nameOf(index), { status: undefined, movedAt: clock.now() }]),
  );
  bus.subscribe(indexStatuses, (status) => {
    const before = watched.get(nameOf(status));
    const hasMoved =
      before?.status?.indexed?.block !== status.indexed?.block ||
      before?.status?.head?.block !== status.head?.block;
    const movedAt = before && !hasMoved ? before.movedAt : clock.now();
    watched.set(nameOf(status), { status, movedAt });
  });
  return {
    health: () =>
      Object.fromEntries([...watched].map(([name, each]) => [name, healthOf(each, clock.now())])),
  };
}

function healthOf({ status, movedAt }: Watched, now: number): DexHealth {
  const silentMs = now - movedAt;
  const isStalled = silentMs > stalledAfterMs;
  const reason = isStalled ? stallReason(status, silentMs) : (status?.trouble ?? null);
  if (!status) return { ...nothingKnown, state: isStalled ? "stalled" : "catching up", reason };
  const lag = lagOf(status);
  const isUpToDate = lag.lagBlocks !== null && lag.lagBlocks <= lagBlocksMost && !status.trouble;
  const state = isStalled ? "stalled" : isUpToDate ? "ok" : "catching up";
  return {
    state,
    reason,
    ...blocksOf(status),
    ...lag,
    lastReorg: status.lastReorg && {
      ...status.lastReorg,
      at: new Date(status.lastReorg.at).toISOString(),
    },
    progress: state === "catching up" ? progressOf(status) : null,
  };
}

function blocksOf({ head, indexed }: IndexStatus): Pick<DexHealth, "head" | "block"> {
  return { head: head?.block ?? null, block: indexed?.block ?? null };
}

const nothingKnown: Omit<DexHealth, "state" | "reason"> = {
  head: null,
  block: null,
  lagBlocks: null,
  lagSeconds: null,
  lastReorg: null,
  progress: null,
};

function lagOf({ head, indexed }: IndexStatus): Pick<DexHealth, "lagBlocks" | "lagSeconds"> {
  if (!head || !indexed) return { lagBlocks: null, lagSeconds: null };
  return {
    lagBlocks: Math.max(0, head.block - indexed.block),
    lagSeconds: Math.max(0, head.time - indexed.time),
  };
}

function stallReason(status: IndexStatus | undefined, silentMs: number): string {
  const since = `for ${Math.floor(silentMs / 1_000)} s`;
  if (!status) return `the indexer has not been heard of ${since}`;
  return `no new block ${since}: ${status.trouble ?? "the node has none; check its RPC URL"}`;
}

function progressOf({ startBlock, head, indexed }: IndexStatus): DexHealth["progress"] {
  if (!head) return null;
  const total = Math.max(0, head.block - startBlock + 1);
  const done = indexed ? Math.min(total, Math.max(0, indexed.block - startBlock + 1)) : 0;
  return { done, total };
}

/** Shows the same figures to Prometheus. */
export function addIndexMetrics(registry: Registry, { health }: IndexHealth): void {
  const gauge = (name: string, help: string, value: (health: DexHealth) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ["exchange", "blockchain"],
      registers: [registry],
      collect() {
        for (const [index, each] of Object.entries(health())) {
          const [exchange = "", blockchain = ""] = index.split("/");
          const now = value(each);
          if (now !== null) this.set({ exchange, blockchain }, now);
        }
      },
    });
  gauge("slipway_dex_head_block", "The newest block the node has told of.", ({ head }) => head);
  gauge("slipway_dex_indexed_block", "The newest block in the tables.", ({ block }) => block);
  gauge(
    "slipway_dex_lag_seconds",
    "How far the tables are behind the head.",
    (each) => each.lagSeconds,
  );
  gauge("slipway_dex_stalled", "1 when no block has come for a minute.", ({ state }) =>
    state === "stalled" ? 1 : 0,
  );
  gauge(
    "slipway_dex_last_reorg_depth",
    "Blocks replaced by the last reorganisation.",
    ({ lastReorg }) => lastReorg?.depth ?? null,
  );
}
