import type { EvmContext } from "./chain-rail.ts";
import type { EvmBlock } from "./evm-nodes.ts";
import type { Finality } from "./ramp-chain.ts";

type FinalityContext = Pick<EvmContext, "nodes" | "clock" | "blockTime">;

/** The newest block that is for good by this rule. Nothing when none is yet. */
export async function finalBlock(
  context: FinalityContext,
  finality: Finality,
): Promise<EvmBlock | undefined> {
  const { nodes } = context;
  if (finality.rule === "tag") return nodes.block(finality.tag);
  const head = await nodes.block("latest");
  if (!head) return undefined;
  if (finality.rule === "age") return lastOlder(context, head, finality.ms);
  const number = head.number - finality.blocks;
  return number < 0 ? undefined : nodes.block(number);
}

/** The newest block that is old enough. Later blocks are never older, so the gap is halved until it is found. */
async function lastOlder(
  { nodes, clock, blockTime }: FinalityContext,
  head: EvmBlock,
  ms: number,
): Promise<EvmBlock | undefined> {
  const before = clock.now() - ms;
  const isOld = (block: EvmBlock) => blockTime(block.time) <= before;
  if (isOld(head)) return head;
  let found: EvmBlock | undefined;
  let [from, to] = [0, head.number];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const block = await nodes.block(middle);
    if (block && isOld(block)) {
      found = block;
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return found;
}
