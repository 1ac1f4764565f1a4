import type { Hex } from "../../src/chains/hex.ts";
import type { EvmNodes } from "../../src/ramp/rails/evm/evm-nodes.ts";
import type { MemoryEvm } from "../memory-evm.ts";
import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import type { Happenings } from "./happenings.ts";

type NodesOutside = {
  chance: Chance;
  faults: Faults;
  happenings: Happenings;
  /** Hears when something may wait for a block. */
  afterSend(): void;
};

const minute = 60_000;

/** One that is behind is behind by so many blocks at most. */
const lagMost = 2;

/** The nodes of a chain as they are reached: at times not at all, at times through one that is behind the others. */
export function faultyNodes(
  { nodes, head, behind }: MemoryEvm,
  { chance, faults, happenings, afterSend }: NodesOutside,
): EvmNodes {
  /** The newest block that whoever answers knows. */
  function newestKnown(): number {
    const lag = faults.strikes("node_behind") ? chance.between(1, lagMost) : 0;
    return Math.max(0, head().number - lag);
  }

  async function ask<Answer>(work: (newest: number) => Promise<Answer>): Promise<Answer> {
    if (faults.strikes("node_unreachable")) throw new Error("simulated: no node answers");
    return work(newestKnown());
  }

  /** A state that a node has. */
  function known(at: "latest" | number, newest: number): number {
    if (at === "latest") return newest;
    if (at > newest) throw new Error(`simulated: the node has no block ${at} yet`);
    return at;
  }

  async function send(raw: Hex): Promise<void> {
    if (faults.strikes("node_unreachable")) throw new Error("simulated: no node answers");
    if (faults.strikes("send_forgotten")) return;
    if (faults.strikes("send_late")) {
      happenings.later(chance.between(1_000, 20 * minute), async () => {
        // By then it may be too late for it.
        await nodes.send(raw).catch(() => {});
        afterSend();
      });
      return;
    }
    await nodes.send(raw);
    afterSend();
    if (faults.strikes("node_unanswered")) throw new Error("simulated: a node's answer is lost");
  }

  const places = { safe: behind.safe, finalized: behind.finalized, latest: 0 } as const;
  return {
    ...nodes,
    block: (which) =>
      ask(async (newest) => {
        const number = typeof which === "number" ? which : Math.max(0, newest - places[which]);
        return number > newest ? undefined : nodes.block(number);
      }),
    transfers: (block) => ask(() => nodes.transfers(block)),
    receipt: (hash) =>
      ask(async (newest) => {
        const receipt = await nodes.receipt(hash);
        return receipt && receipt.blockNumber <= newest ? receipt : undefined;
      }),
    nonce: (address, at) => ask(async (newest) => nodes.nonce(address, known(at, newest))),
    balance: (address, token, at) =>
      ask(async (newest) => nodes.balance(address, token, known(at, newest))),
    fees: () => ask(() => nodes.fees()),
    estimateGas: (from, call) => ask(() => nodes.estimateGas(from, call)),
    send,
  };
}
