import type { Database } from "../../../database/database.ts";
import type { EvmBlock, EvmNodes } from "../../../ramp/rails/evm/evm-nodes.ts";
import { rememberBlock } from "../../store/local-chain.ts";
import type { SandboxClock } from "../clock.ts";
import { localBlockchain } from "./tokens.ts";

type Options = {
  db: Database;
  clock: SandboxClock;
  nodes: EvmNodes;
  /** Throws as long as the chain is not to be believed. */
  ensureReady(): Promise<void>;
};

const rememberedMost = 1_000;

/**
 * The sandbox's node as the ramp sees it. It says nothing until the chain has all its blocks again after a restart: who
 * asked before would believe that they are gone. And its blocks have times of the ramp, which may be ahead of the chain:
 * as far as it was when somebody first saw the block, so that a block grows older when the ramp's time is moved.
 */
export function localNodes({ db, clock, nodes, ensureReady }: Options): EvmNodes {
  const times = new Map<string, number>();

  async function timeOf({ hash, number, time }: EvmBlock): Promise<number> {
    const known = times.get(hash);
    if (known !== undefined) return known;
    // Blocks that are made in quick succession are each a second apart, and so can be ahead of everybody's time.
    const at = new Date(Math.min(time * 1_000 + clock.aheadMs(), clock.now()));
    const remembered = await rememberBlock(db, localBlockchain, { hash, number, at });
    if (times.size >= rememberedMost) times.clear();
    const seconds = Math.floor(remembered.getTime() / 1_000);
    times.set(hash, seconds);
    return seconds;
  }

  function whenReady<Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) {
    return async (...given: Given): Promise<Answer> => {
      await ensureReady();
      return ask(...given);
    };
  }

  return {
    block: whenReady(async (which) => {
      const block = await nodes.block(which);
      return block && { ...block, time: await timeOf(block) };
    }),
    transfers: whenReady(nodes.transfers),
    receipt: whenReady(nodes.receipt),
    nonce: whenReady(nodes.nonce),
    balance: whenReady(nodes.balance),
    fees: whenReady(nodes.fees),
    estimateGas: whenReady(nodes.estimateGas),
    send: whenReady(nodes.send),
    close: nodes.close,
  };
}
