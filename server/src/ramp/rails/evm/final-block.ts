import type { EvmContext } from "./chain-rail.ts";
import type { EvmBlock } from "./evm-nodes.ts";
import type { Finality } from "./ramp-chain.ts";

/** The newest block that is for good by this rule. Nothing when none is yet. */
export function finalBlock(
  _context: Pick<EvmContext, "nodes" | "clock" | "blockTime">,
  _finality: Finality,
): Promise<EvmBlock | undefined> {
  throw new Error("not there yet");
}
