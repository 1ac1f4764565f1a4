import { setMaxListeners } from "node:events";
import { retireKeys } from "../accounts/keys.ts";
import { forgetAnswers } from "../accounts/once.ts";
import type { Bus } from "../bus/bus.ts";
import type { FeedSettings } from "../cex/feeds/run-feeds.ts";
import type { Chain } from "../chains/chain.ts";
import { openNodes } from "../chains/nodes.ts";
import type { Database } from "../database/database.ts";
import { type DueRunner, dueLoop, dueRunner } from "../database/due.ts";
import { followBlocks } from "../dex/blocks/block-feed.ts";
import type { ConfiguredChain } from "../dex/configured.ts";
import type { Deployment } from "../dex/deployment.ts";
import type { Clock } from "../lib/clock.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import type { Thread } from "../lib/thread.ts";
import { type BackgroundRole, heartbeatEveryMs, heartbeats } from "./roles.ts";

export type RoleContext = {
  db: Database;
  bus: Bus;
  clock: Clock;
  random: Random;
  log: Log;
  /** Blockchains to follow. */
  chains: readonly ConfiguredChain[];
  /** Exchanges to feed. */
  feeds: FeedSettings;
  /** Whether others on the same bus may have the same roles. */
  isShared: boolean;
  /** What the ramp does when it is due, each with the ramp's own clock. */
  openRampRunners(): Promise<readonly DueRunner[]>;
  /** Indexes one exchange on one chain, in a thread of its own. */
  startIndex(chain: Chain, deployment: Deployment): Thread;
};

const dueEveryMs = 500;

const work: Record<
  BackgroundRole,
  (context: RoleContext, signal: AbortSignal) => Promise<unknown>
> = {
  cex: runCex,
  dex: runDex,
  ramp: runRamp,
};

/** Does a role's work until the signal aborts. */
export async function runRole(
  role: BackgroundRole,
  context: RoleContext,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([work[role](context, signal), beat(role, context, signal)]);
}

/** Each kind of work has a loop of its own, so that a slow receiver or bank holds up nothing else. */
async function runRamp(context: RoleContext, signal: AbortSignal): Promise<void> {
  const runners = [
    dueRunner(context, retireKeys),
    dueRunner(context, forgetAnswers),
    ...(await context.openRampRunners()),
  ];
  // Every loop listens for the end, so that this many are no leak.
  setMaxListeners(0, signal);
  await Promise.all(
    runners.map((runner) =>
      dueLoop({ ...context, runners: [runner], everyMs: dueEveryMs, signal }),
    ),
  );
}

/** Loads the exchanges' half only where it is run: everybody else starts sooner without it. */
async function runCex(context: RoleContext, signal: AbortSignal): Promise<void> {
  const { runFeeds } = await import("../cex/feeds/run-feeds.ts");
  await runFeeds({ ...context, settings: context.feeds }, signal);
}

/** Follows the blocks of every chain, and indexes each exchange on it in a thread of its own. */
async function runDex(context: RoleContext, signal: AbortSignal): Promise<void> {
  const threads = context.chains.flatMap(({ chain, deployments }) =>
    deployments.map((deployment) => context.startIndex(chain, deployment)),
  );
  await Promise.all(context.chains.map((each) => followChain(context, each, signal)));
  await untilAborted(signal);
  await Promise.all(threads.map((thread) => thread.stop()));
}

/** One chain that cannot be followed holds up no other. */
async function followChain(
  context: RoleContext,
  { chain, blocks: keep }: ConfiguredChain,
  signal: AbortSignal,
): Promise<void> {
  try {
    const nodes = await openNodes({ ...context, chain });
    // Nobody waits for a node that does not answer when it is time to stop.
    signal.addEventListener("abort", () => void nodes.close());
    await followBlocks({ ...context, nodes, chain, keep, signal });
  } catch (error) {
    const reason = messageOf(error);
    context.log.error(
      { blockchain: chain.id, reason },
      "the blocks of this chain are not followed",
    );
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
}

async function beat(
  role: BackgroundRole,
  { bus, clock }: RoleContext,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    bus.publish(heartbeats, { role });
    await clock.sleep(heartbeatEveryMs, signal);
  }
}
