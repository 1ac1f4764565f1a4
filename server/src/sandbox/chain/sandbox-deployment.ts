import type { Chain } from "../../chains/chain.ts";
import type { Deployment } from "../../dex/deployment.ts";

export const chainId = 1;

/** The sandbox's Ethereum, as an indexer knows it. Without a URL it can be named but not asked. */
export function sandboxChainAt(...rpcUrls: string[]): Chain {
  return {
    id: "ethereum",
    name: "Ethereum (sandbox)",
    chainId,
    rpcUrls,
    finalityBlocks: 64,
    totalDifficulty: "0",
    agreeing: 1,
  };
}

/** The exchange that the founding always makes. It is written down so that nobody has to compute addresses to know it. */
export const sandboxDeployment: Deployment = {
  exchange: "uniswap-v3",
  blockchain: "ethereum",
  factory: "0x4072f8ae2a02baae77b14a8a4b53e307c1c09a45",
  startBlock: 1,
  wrappedNative: "0xd22c9e38fe0519bf93b6286355594c2aae046038",
  stablePool: "0x6ed9207fde7bc11b4f6ecc6e347bda813ed2afd3",
  stablecoins: [
    "0xcfd6bdca816ab950bdbc7756f15d8ce0a123ab64",
    "0xd32752c7d0983d9acbf3f4521a4d752ca1bff14f",
    "0xcbef9e1c7bd0436e8e95ea407a19490ff8f97005",
  ],
  whitelist: [
    "0xd22c9e38fe0519bf93b6286355594c2aae046038",
    "0xcfd6bdca816ab950bdbc7756f15d8ce0a123ab64",
    "0xd32752c7d0983d9acbf3f4521a4d752ca1bff14f",
    "0xcbef9e1c7bd0436e8e95ea407a19490ff8f97005",
    "0x1ad3bd654154e33e61cb44a2771c952610646301",
  ],
  minimumNativeLocked: "1",
  pools: "all",
  skipPools: [],
  tokenOverrides: [],
  preexistingPools: [],
};
