import { assert } from "../lib/errors.ts";
import { asUnits, parseDecimal, type Units } from "../lib/money.ts";
import { type Blockchain, blockchains } from "./blockchains.ts";
import type { Token } from "./transaction.ts";

/** A token the ramp deals in, on one blockchain. */
export type SupportedToken = Token & {
  blockchain: Blockchain;
  name: string;
  isStablecoin: boolean;
  leastUnits: Units;
  /** Null: no limit but what banks can carry. */
  mostUnits: Units | null;
  /** Kept of a refund, for the network's fee. */
  refundGasUnits: Units;
};

/** A token wherever it exists. Quantities are of whole tokens; the least is worth about ten dollars. */
type Asset = {
  symbol: string;
  name: string;
  isStablecoin?: true;
  /** On most blockchains. */
  decimals: number;
  decimalsOn?: Partial<Record<Blockchain, number>>;
  least: string;
  most: string | null;
  on: readonly Blockchain[];
};

const evm = ["ethereum", "polygon", "arbitrum", "optimism", "base", "bnb", "avalanche"] as const;

const assets: readonly Asset[] = [
  {
    symbol: "USDC",
    name: "USD Coin",
    isStablecoin: true,
    decimals: 6,
    decimalsOn: { bnb: 18 },
    least: "10",
    most: "5000000",
    on: [...evm, "solana"],
  },
  {
    symbol: "USDT",
    name: "Tether",
    isStablecoin: true,
    decimals: 6,
    decimalsOn: { bnb: 18 },
    least: "10",
    most: "5000000",
    on: [...evm, "solana"],
  },
  {
    symbol: "DAI",
    name: "Dai",
    isStablecoin: true,
    decimals: 18,
    least: "10",
    most: "1000000",
    on: evm,
  },
  {
    symbol: "ETH",
    name: "Ether",
    decimals: 18,
    least: "0.003",
    most: "1000",
    on: ["ethereum", "arbitrum", "optimism", "base"],
  },
  {
    symbol: "WETH",
    name: "Wrapped Ether",
    decimals: 18,
    least: "0.003",
    most: "1000",
    on: ["ethereum", "polygon", "arbitrum", "optimism", "base", "avalanche"],
  },
  {
    symbol: "WBTC",
    name: "Wrapped Bitcoin",
    decimals: 8,
    least: "0.0001",
    most: "50",
    on: ["ethereum", "polygon", "arbitrum", "optimism", "avalanche"],
  },
  { symbol: "BTC", name: "Bitcoin", decimals: 8, least: "0.0001", most: "50", on: ["bitcoin"] },
  { symbol: "SOL", name: "Solana", decimals: 9, least: "0.05", most: "20000", on: ["solana"] },
  {
    symbol: "POL",
    name: "Polygon Ecosystem Token",
    decimals: 18,
    least: "20",
    most: null,
    on: ["ethereum", "polygon"],
  },
  { symbol: "MATIC", name: "Matic", decimals: 18, least: "20", most: null, on: ["ethereum"] },
  { symbol: "BNB", name: "BNB", decimals: 18, least: "0.015", most: null, on: ["bnb"] },
  { symbol: "AVAX", name: "Avalanche", decimals: 18, least: "0.3", most: null, on: ["avalanche"] },
  { symbol: "LINK", name: "Chainlink", decimals: 18, least: "0.5", most: null, on: evm },
  {
    symbol: "UNI",
    name: "Uniswap",
    decimals: 18,
    least: "1",
    most: null,
    on: ["ethereum", "polygon", "arbitrum", "optimism"],
  },
];

/** What sending a token back costs on each blockchain, in thousandths of the least quantity of it. */
const refundGasPermille: Record<Blockchain, bigint> = {
  ethereum: 200n,
  polygon: 5n,
  arbitrum: 20n,
  optimism: 20n,
  base: 10n,
  bnb: 20n,
  avalanche: 20n,
  bitcoin: 300n,
  solana: 5n,
};

/** Every token on every blockchain it exists on, in the order of the blockchains. */
export const supportedTokens: readonly SupportedToken[] = blockchains.flatMap((blockchain) =>
  assets.filter(({ on }) => on.includes(blockchain)).map((asset) => tokenOn(asset, blockchain)),
);

const byPlace = new Map(
  supportedTokens.map((token) => [`${token.symbol}.${token.blockchain}`, token]),
);

/** A token by its symbol, in any case, and the id of its blockchain. */
export function findToken(symbol: string, blockchain: string): SupportedToken | undefined {
  return byPlace.get(`${symbol.toUpperCase()}.${blockchain}`);
}

function tokenOn(asset: Asset, blockchain: Blockchain): SupportedToken {
  const { symbol, name, isStablecoin = false, least, most } = asset;
  const decimals = asset.decimalsOn?.[blockchain] ?? asset.decimals;
  const leastUnits = unitsOf(least, decimals);
  return {
    symbol,
    blockchain,
    decimals,
    name,
    isStablecoin,
    leastUnits,
    mostUnits: most === null ? null : unitsOf(most, decimals),
    refundGasUnits: asUnits((leastUnits * refundGasPermille[blockchain]) / 1_000n),
  };
}

function unitsOf(quantity: string, decimals: number): Units {
  const units = parseDecimal(quantity, decimals);
  assert(units !== undefined, `${quantity} has at most ${decimals} decimals`);
  return asUnits(units);
}
