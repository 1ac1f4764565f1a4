import type { Chain, Nodes } from "../src/chains/chain.ts";
import type { NodeLimits } from "../src/chains/limits.ts";
import { openNodes } from "../src/chains/nodes.ts";
import type { Clock } from "../src/lib/clock.ts";
import { systemRandom } from "../src/lib/random.ts";
import { hastyClock } from "./hasty-clock.ts";
import { recordingLog } from "./silent-log.ts";

/** Nodes whose log can be read. */
export type TestNodes = Nodes & {
  /** What was logged. */
  lines: string[];
};

/** A chain that is reached at these URLs. */
export function testChain(rpcUrls: readonly string[], more: Partial<Chain> = {}): Chain {
  return {
    id: "ethereum",
    name: "Ethereum",
    chainId: 1,
    rpcUrls,
    finalityBlocks: 64,
    totalDifficulty: "0",
    agreeing: 1,
    ...more,
  };
}

/** Nodes whose pauses take no time. */
export async function openTestNodes(
  rpcUrls: readonly string[],
  options: { chain?: Partial<Chain>; limits?: Partial<NodeLimits>; clock?: Clock } = {},
): Promise<TestNodes> {
  const { lines, log } = recordingLog();
  const nodes = await openNodes({
    chain: testChain(rpcUrls, options.chain),
    clock: options.clock ?? hastyClock(),
    random: systemRandom,
    log,
    limits: options.limits ?? {},
  });
  return Object.assign(nodes, { lines });
}
