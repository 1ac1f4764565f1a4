import type { Nodes } from "../chains/chain.ts";
import type { Hex } from "../chains/hex.ts";
import { openNodes } from "../chains/nodes.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import type { ConfiguredChain } from "./configured.ts";

export type OriginFinder = {
  /** Asks the nodes of a chain who sent these transactions. */
  findOrigins(blockchain: string, hashes: readonly Hex[]): Promise<ReadonlyMap<Hex, Hex>>;
  close(): Promise<void>;
};

type FinderOptions = {
  chains: readonly ConfiguredChain[];
  clock: Clock;
  random: Random;
  log: Log;
};

/** Opens the nodes of a chain when they are first asked: as a rule the indexer has found out before. */
export function openOriginFinder({ chains, ...context }: FinderOptions): OriginFinder {
  const opened = new Map<string, Promise<Nodes>>();

  function nodesOf(blockchain: string): Promise<Nodes> | undefined {
    const known = opened.get(blockchain);
    const chain = chains.find((each) => each.chain.id === blockchain)?.chain;
    if (known || !chain || chain.rpcUrls.length === 0) return known;
    const opening = openNodes({ ...context, chain });
    opened.set(blockchain, opening);
    opening.catch(() => opened.delete(blockchain));
    return opening;
  }

  return {
    async findOrigins(blockchain, hashes) {
      const nodes = await nodesOf(blockchain);
      return nodes ? nodes.origins(hashes) : new Map();
    },
    async close() {
      for (const opening of opened.values()) await (await opening.catch(() => undefined))?.close();
    },
  };
}
