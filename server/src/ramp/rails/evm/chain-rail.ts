import type { PayoutRail } from "../../ports.ts";
import type { RailContext } from "../rail-context.ts";
import type { EvmNodes } from "./evm-nodes.ts";
import type { BlockTime, RampChain } from "./ramp-chain.ts";
import type { ChainKeys } from "./signer.ts";

/** What it takes to move money on an EVM chain. Without keys nothing is signed. */
export type EvmContext = RailContext & {
  chain: RampChain;
  nodes: EvmNodes;
  keys: ChainKeys | undefined;
  blockTime: BlockTime;
};

/** Pays out of the hot wallet of a chain. */
export function evmRail(_context: EvmContext): PayoutRail {
  throw new Error("not there yet");
}

/** One rail for all blockchains: each instruction goes to the one of its token. */
export function railByBlockchain(_rails: Readonly<Record<string, PayoutRail>>): PayoutRail {
  throw new Error("not there yet");
}
