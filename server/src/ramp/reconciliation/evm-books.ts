import { chainBalances } from "../rails/evm/chain-books.ts";
import type { EvmContext } from "../rails/evm/chain-rail.ts";
import { findChainCursor } from "../rails/store/chain-blocks.ts";
import type { ChainBooks } from "./reconcile-chain.ts";

/** What an EVM chain holds for us, as of the last block that is for good. */
export function evmBooks(context: EvmContext): ChainBooks {
  const { db, chain } = context;
  return {
    blockchain: chain.blockchain,
    balances: () => chainBalances(context),
    async asOf() {
      const cursor = await findChainCursor(db, chain.blockchain);
      return `block ${cursor?.finalBlock ?? "unknown"}`;
    },
  };
}
