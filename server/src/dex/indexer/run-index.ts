import type { Bus } from "../../bus/bus.ts";
import { openNodes } from "../../chains/nodes.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { barOf, estimator } from "../../lib/progress.ts";
import { type IndexerOptions, runIndexer } from "./indexer.ts";
import { type IndexStatus, indexStatuses, unknownStatus } from "./status.ts";

const repeatEveryMs = 1_000;
const tellEveryMs = 5_000;
/** Nobody wants to read of the few blocks that are behind in ordinary life. */
const tellBlocksLeast = 1_000;

type RunOptions = Omit<IndexerOptions, "nodes" | "announce"> & { bus: Bus };

/** Indexes one exchange on one chain, and tells everybody how it is doing. */
export async function runIndex(options: RunOptions): Promise<void> {
  const { bus, chain, deployment, clock, random, log, signal } = options;
  const tell = progressTeller(clock, log);
  let latest = unknownStatus(deployment);
  const announce = (status: IndexStatus) => {
    latest = status;
    bus.publish(indexStatuses, status);
    tell(status);
  };
  const nodes = await openNodes({ chain, clock, random, log }).catch((error) => {
    announce({ ...latest, trouble: messageOf(error) });
    throw error;
  });
  // Nobody waits for a node that does not answer when it is time to stop.
  signal.addEventListener("abort", () => void nodes.close());
  /** Whoever starts to listen later hears it too. */
  const repeat = async () => {
    while (!signal.aborted) {
      bus.publish(indexStatuses, latest);
      await clock.sleep(repeatEveryMs, signal);
    }
  };
  await Promise.all([runIndexer({ ...options, nodes, announce }), repeat()]);
  await nodes.close();
}

/** Writes a line to the log now and then while there is much to catch up with. */
function progressTeller(clock: Clock, log: Log): (status: IndexStatus) => void {
  let toldAt = clock.now();
  let estimate = estimator(clock);
  let isBehind = false;
  return ({ exchange, blockchain, startBlock, head, indexed }) => {
    if (!head || !indexed) return;
    const left = head.block - indexed.block;
    const total = head.block - startBlock + 1;
    const done = indexed.block - startBlock + 1;
    const who = { exchange, blockchain, block: indexed.block };
    if (left < tellBlocksLeast) {
      if (isBehind) log.info(who, "the index has caught up");
      isBehind = false;
      return;
    }
    if (!isBehind) estimate = estimator(clock);
    isBehind = true;
    const remaining = estimate(done, total);
    if (clock.now() - toldAt < tellEveryMs) return;
    toldAt = clock.now();
    const percent = Math.floor((100 * done) / total);
    log.info({ ...who, head: head.block, remaining }, `indexing ${barOf(percent)} ${percent} %`);
  };
}
