import type { Hex } from "../../server/src/chains/hex.ts";
import type { EvmBlock, EvmNodes, EvmTransfer } from "../../server/src/ramp/rails/evm/evm-nodes.ts";
import { hashOf } from "../../server/test/fake-chain.ts";

/** Nodes that answer at once and take everything: what is measured is what we do around them. */
export type QuietNodes = EvmNodes & {
  head(): EvmBlock;
  /** Adds a block with these transfers. */
  add(transfers: readonly EvmTransfer[]): void;
};

const gwei = 10n ** 9n;

/** A chain whose newest block has this number. */
export function quietNodes(start: number, timeOf: () => number): QuietNodes {
  const moved = new Map<number, readonly EvmTransfer[]>();
  let newest = start;
  const hashAt = (number: number): Hex => hashOf(`block ${number}`);

  function blockAt(number: number): EvmBlock {
    const names = { hash: hashAt(number), parentHash: hashAt(number - 1) };
    return { number, ...names, time: Math.floor(timeOf() / 1_000), baseFee: gwei };
  }

  return {
    head: () => blockAt(newest),
    add(transfers) {
      newest++;
      moved.set(newest, transfers);
    },
    async block(which) {
      const number = typeof which === "number" ? which : newest;
      return number > newest ? undefined : blockAt(number);
    },
    transfers: async ({ number }) => [...(moved.get(number) ?? [])],
    receipt: async (hash) => ({
      ...{ hash, blockNumber: newest, blockHash: hashAt(newest), succeeded: true },
      gasPaid: 50_000n * gwei,
    }),
    nonce: async () => 0,
    balance: async () => 10n ** 30n,
    fees: async () => ({ maxFee: 3n * gwei, priorityFee: gwei }),
    estimateGas: async () => 60_000n,
    send: async () => {},
    close: async () => {},
  };
}
