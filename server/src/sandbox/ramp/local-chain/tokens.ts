import type { Hex } from "../../../chains/hex.ts";
import { supportedTokens } from "../../../ramp/assets.ts";
import type { ChainToken } from "../../../ramp/rails/evm/ramp-chain.ts";

/** The blockchain that the sandbox has for real. */
export const localBlockchain = "ethereum";

// Addresses are written down here so that nobody has to compute them to know them.

/** Who deploys the market's tokens and mints them. */
export const founderAddress: Hex = "0xe688ff954d370a2864f68b4f8db3f66257d0ae4e";

/** Who deploys the tokens that the market has no use for, and mints them. Nobody has a key to it. */
export const harbourAddress: Hex = "0xe77fd596707082114aff8669e892dcd5a141db01";

/** Where wrapped Ether is made of Ether. */
export const wrappedEtherAddress: Hex = "0xd22c9e38fe0519bf93b6286355594c2aae046038";

const marketContracts: Readonly<Record<string, Hex>> = {
  USDC: "0xcfd6bdca816ab950bdbc7756f15d8ce0a123ab64",
  USDT: "0xd32752c7d0983d9acbf3f4521a4d752ca1bff14f",
  DAI: "0xcbef9e1c7bd0436e8e95ea407a19490ff8f97005",
  WETH: wrappedEtherAddress,
  WBTC: "0x1ad3bd654154e33e61cb44a2771c952610646301",
  LINK: "0x76a8c71302a3513fcfebdbc15c14446a9264baac",
};

/** By how many the harbour had deployed before. */
const harbourContracts: Readonly<Record<string, Hex>> = {
  POL: "0x7e3c770ac4c31739ea4ef80e44fb21aa03eeb164",
  MATIC: "0x5422c89a1f435b5dc6a40c067842471acc8d197e",
  UNI: "0xf53f8538fb3351ba1a123be3f8d7ab35f4e0d932",
};

const tokensHere = supportedTokens.filter(({ blockchain }) => blockchain === localBlockchain);

/** Everything that the ramp deals in on the sandbox's Ethereum. */
export const localTokens: readonly ChainToken[] = tokensHere.map(({ symbol, decimals }) => ({
  symbol,
  decimals,
  contract: marketContracts[symbol] ?? harbourContracts[symbol],
}));

/** The tokens that the harbour deploys, in this order. */
export const harbourTokens: readonly { symbol: string; name: string; decimals: number }[] =
  tokensHere.filter(({ symbol }) => symbol in harbourContracts);

/** Who may mint a token; nobody mints Ether, wrapped or not. */
export function minterOf({ symbol, contract }: ChainToken): Hex | undefined {
  if (!contract || contract === wrappedEtherAddress) return undefined;
  return symbol in harbourContracts ? harbourAddress : founderAddress;
}
