import type { EvmNodes } from "./evm-nodes.ts";
import type { RampChain } from "./ramp-chain.ts";

/** Opens the nodes of a chain. Nothing is asked yet. */
export function openEvmNodes(
  _chain: RampChain,
  _options: { fetch?: typeof fetch } = {},
): EvmNodes {
  throw new Error("not there yet");
}
