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
