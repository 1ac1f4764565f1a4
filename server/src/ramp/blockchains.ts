/** Blockchains the ramp can pay out on and take deposits from, by the ids used in paths and bodies. */
export const blockchains = [
  "ethereum",
  "polygon",
  "arbitrum",
  "optimism",
  "base",
  "bnb",
  "avalanche",
  "bitcoin",
  "solana",
] as const;

export type Blockchain = (typeof blockchains)[number];

/** Other names that are in use. */
const aliases: Record<Blockchain, readonly string[]> = {
  ethereum: ["eth", "ethereum-mainnet"],
  polygon: ["matic", "pol", "polygon-pos", "polygon-mainnet"],
  arbitrum: ["arb", "arbitrum-one", "arbitrum-mainnet"],
  optimism: ["op", "op-mainnet", "optimism-mainnet"],
  base: ["base-mainnet"],
  bnb: ["bsc", "bnb-chain", "bnb-smart-chain", "binance", "binance-smart-chain"],
  avalanche: ["avax", "avalanche-c", "avalanche-c-chain", "avalanche-mainnet"],
  bitcoin: ["btc", "bitcoin-mainnet"],
  solana: ["sol", "solana-mainnet"],
};

const byName = new Map(blockchains.flatMap((id) => [id, ...aliases[id]].map((name) => [name, id])));

/** The blockchain somebody means, by its id or another name of it, in any case. */
export function readBlockchain(text: string): Blockchain | undefined {
  return byName.get(
    text
      .trim()
      .toLowerCase()
      .replace(/[\s_]+/g, "-"),
  );
}
