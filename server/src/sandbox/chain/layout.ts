import {
  encodeAbiParameters,
  getContractAddress,
  getCreate2Address,
  keccak256,
  parseAbiParameters,
  toBytes,
} from "viem";
import { privateKeyToAddress } from "viem/accounts";
import type { Hex } from "../../chains/hex.ts";
import { assert } from "../../lib/errors.ts";
import type { Asset } from "./market/fair-price.ts";

/** Somebody with a key. The chain signs for all of them; nobody else should believe in these keys. */
export type Actor = { name: string; key: Hex; address: Hex };

export type Token = {
  address: Hex;
  name: string;
  symbol: string;
  decimals: number;
  asset: Asset;
  /** Whether its names are 32 bytes, as they were in the early days. */
  isEarly: boolean;
};

export type Pool = {
  address: Hex;
  token0: Token;
  token1: Token;
  /** In millionths. */
  fee: number;
  tickSpacing: number;
  /** What its first positions are worth, in dollars. */
  depthUsd: number;
  /** How much of all trading is here, next to the other pools. */
  share: number;
  /** How far from the price its closest positions reach, as a part of it. */
  spread: number;
  /** When it is opened: 0 at the beginning of history, 1 at its end. */
  opensAt: number;
};

/** Hash of the code that every pool of Uniswap v3 is made with: with it a pool's address is known beforehand. */
export const poolCodeHash: Hex =
  "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54";

/**
 * Who deploys the contracts, owns the factory and mints tokens. The number is one with which the addresses of the
 * tokens sort as they do on Ethereum, so that pools quote their prices the same way round.
 */
export const founder = actorNamed("founder 153");

/** Who keeps pools at the fair price. */
export const arbitrageur = actorNamed("arbitrageur");

export const traders = ["Ada", "Ben", "Cho", "Dee", "Eli", "Fay", "Gus", "Hal"].map(actorNamed);

export const providers = ["Ivy", "Jon", "Kim"].map(actorNamed);

/** Takes no part: for people who want to try something. */
export const guest = actorNamed("guest");

export const actors: readonly Actor[] = [founder, arbitrageur, ...traders, ...providers, guest];

/** The contracts, by how many the founder had deployed before. */
export const contracts = {
  factory: contractNumber(0),
  wrappedEther: contractNumber(1),
  router: contractNumber(2),
  positions: contractNumber(3),
  borrower: contractNumber(4),
};

const wrappedEther: Token = {
  address: contracts.wrappedEther,
  name: "Wrapped Ether",
  symbol: "WETH",
  decimals: 18,
  asset: "ETH",
  isEarly: false,
};
const usdc = newToken(5, { name: "USD Coin", symbol: "USDC", decimals: 6, asset: "USDC" });
const usdt = newToken(6, { name: "Tether USD", symbol: "USDT", decimals: 6, asset: "USDT" });
const dai = newToken(7, { name: "Dai Stablecoin", symbol: "DAI", decimals: 18, asset: "DAI" });
const wbtc = newToken(8, { name: "Wrapped BTC", symbol: "WBTC", decimals: 8, asset: "BTC" });
const link = newToken(9, { name: "ChainLink Token", symbol: "LINK", decimals: 18, asset: "LINK" });
const mkr = {
  ...newToken(10, { name: "Maker", symbol: "MKR", decimals: 18, asset: "MKR" }),
  isEarly: true,
};
const kelp = newToken(11, { name: "Kelp", symbol: "KELP", decimals: 18, asset: "KELP" });
const barnacle = newToken(12, {
  name: "Barnacle",
  symbol: "BARN",
  decimals: 9,
  asset: "BARNACLE",
});

/** The tokens that the founder deploys, in this order. */
export const mintedTokens: readonly Token[] = [usdc, usdt, dai, wbtc, link, mkr, kelp, barnacle];

export const tokens: readonly Token[] = [wrappedEther, ...mintedTokens];

/** Where an indexer reads what Ether costs. */
export const stablePool = newPool(usdc, wrappedEther, { fee: 3_000, depthUsd: 20e6, share: 18 });

/** Kelp and Barnacle are worth nothing to the indexer: neither is a token whose price it believes. */
export const pools: readonly Pool[] = [
  stablePool,
  newPool(usdc, wrappedEther, { fee: 500, depthUsd: 40e6, share: 30 }),
  newPool(wbtc, wrappedEther, { fee: 3_000, depthUsd: 15e6, share: 14 }),
  newPool(dai, usdc, { fee: 100, depthUsd: 10e6, share: 8, spread: 0.002 }),
  newPool(link, wrappedEther, { fee: 10_000, depthUsd: 4e6, share: 9 }),
  newPool(usdt, wrappedEther, { fee: 500, depthUsd: 12e6, share: 12, opensAt: 0.1 }),
  newPool(mkr, wrappedEther, { fee: 3_000, depthUsd: 3e6, share: 6, opensAt: 0.2 }),
  newPool(kelp, barnacle, { fee: 10_000, depthUsd: 60_000, share: 3, opensAt: 0.4 }),
];

/** The tokens that an indexer believes to be worth a dollar. */
export const stablecoins: readonly Token[] = [usdc, usdt, dai];

/** The tokens whose prices an indexer believes. */
export const whitelist: readonly Token[] = [wrappedEther, ...stablecoins, wbtc];

function actorNamed(name: string): Actor {
  const key = keccak256(toBytes(`slipway sandbox ${name}`));
  return { name, key, address: lowerCase(privateKeyToAddress(key)) };
}

function contractNumber(nonce: number): Hex {
  return lowerCase(getContractAddress({ from: founder.address, nonce: BigInt(nonce) }));
}

function newToken(nonce: number, token: Omit<Token, "address" | "isEarly">): Token {
  return { ...token, address: contractNumber(nonce), isEarly: false };
}

function newPool(
  one: Token,
  other: Token,
  options: { fee: number; depthUsd: number; share: number; spread?: number; opensAt?: number },
): Pool {
  const [token0, token1] = one.address < other.address ? [one, other] : [other, one];
  const { fee } = options;
  const tickSpacing = { 100: 1, 500: 10, 3000: 60, 10000: 200 }[fee];
  assert(tickSpacing, `${fee} is a fee of the exchange`);
  const salt = keccak256(
    encodeAbiParameters(parseAbiParameters("address, address, uint24"), [
      token0.address,
      token1.address,
      fee,
    ]),
  );
  const address = getCreate2Address({
    from: contracts.factory,
    salt,
    bytecodeHash: poolCodeHash,
  });
  const usual = { opensAt: 0, spread: 0.06 };
  return { address: lowerCase(address), token0, token1, tickSpacing, ...usual, ...options };
}

function lowerCase(address: Hex): Hex {
  return `0x${address.slice(2).toLowerCase()}`;
}
