import { getContractAddress, keccak256, toBytes } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import type { Hex } from "../../../chains/hex.ts";
import { supportedTokens } from "../../../ramp/assets.ts";
import type { ChainToken } from "../../../ramp/rails/evm/ramp-chain.ts";
import { founder, tokens as marketTokens } from "../../chain/layout.ts";

/** The blockchain that the sandbox has for real. */
export const localBlockchain = "ethereum";

const nativeSymbol = "ETH";

/** Who deploys the tokens that the market has no use for. Nobody should believe in this key. */
export const harbour = keeperNamed("harbour");

/** A token that the harbour deploys; its address follows from how many it had deployed before. */
export type HarbourToken = ChainToken & { name: string; contract: Hex };

/** The tokens that the harbour deploys, in this order. */
export const harbourTokens: readonly HarbourToken[] = tokensHere()
  .filter(({ symbol }) => symbol !== nativeSymbol && !marketContract(symbol))
  .map(({ symbol, name, decimals }, nonce) => {
    const contract = getContractAddress({ from: harbour.address, nonce: BigInt(nonce) });
    return { symbol, name, decimals, contract: `0x${contract.slice(2).toLowerCase()}` };
  });

/** Everything that the ramp deals in on the sandbox's Ethereum. */
export const localTokens: readonly ChainToken[] = tokensHere().map(({ symbol, decimals }) => {
  const own = harbourTokens.find((token) => token.symbol === symbol);
  const contract = symbol === nativeSymbol ? undefined : (own?.contract ?? marketContract(symbol));
  return { symbol, decimals, contract };
});

/** Who may mint a token; nobody mints Ether, wrapped or not. */
export function minterOf({ symbol }: ChainToken): Hex | undefined {
  if (symbol === nativeSymbol || symbol === "WETH") return undefined;
  return harbourTokens.some((token) => token.symbol === symbol) ? harbour.address : founder.address;
}

/** Somebody with a key that everybody can know. */
export function keeperNamed(name: string): { key: Hex; address: Hex } {
  const key = keccak256(toBytes(`slipway sandbox ${name}`));
  return { key, address: `0x${privateKeyToAddress(key).slice(2).toLowerCase()}` };
}

function tokensHere() {
  return supportedTokens.filter(({ blockchain }) => blockchain === localBlockchain);
}

function marketContract(symbol: string): Hex | undefined {
  return marketTokens.find((token) => token.symbol === symbol)?.address;
}
