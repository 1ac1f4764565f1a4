import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../chains/hex.ts";
import { assert } from "../lib/errors.ts";
import { isObject } from "../lib/is-object.ts";
import type { ChainSettings, ExchangeSettings } from "./chain-settings.ts";
import { type Deployment, type ExchangeId, exchanges } from "./deployment.ts";
import { findKnownChain, type KnownChain } from "./known/known-chains.ts";

const usualExchange = "uniswap-v3" satisfies ExchangeId;

/** A blockchain to follow, the exchanges on it, and how many of its recent blocks to keep. */
export type ConfiguredChain = { chain: Chain; deployments: Deployment[]; blocks: number | "all" };

/** Turns checked settings into what the indexer and the block feed work with. */
export function configuredChains(
  settings: Readonly<Record<string, ChainSettings>>,
): ConfiguredChain[] {
  return Object.entries(settings).map(([id, { exchanges, blocks, ...chain }]) => ({
    chain: { id, ...chain, totalDifficulty: String(chain.totalDifficulty) },
    deployments: Object.entries(exchanges).map(([exchange, written]) =>
      deploymentOf(exchange, id, written),
    ),
    blocks,
  }));
}

function deploymentOf(exchange: string, blockchain: string, written: ExchangeSettings): Deployment {
  assert(isExchangeId(exchange), `the settings let the exchange ${exchange} pass`);
  return {
    exchange,
    blockchain,
    factory: lower(written.factory),
    startBlock: written.startBlock,
    wrappedNative: lower(written.wrappedNative),
    stablePool: lower(written.stablePool),
    stablecoins: written.stablecoins.map(lower),
    whitelist: written.whitelist.map(lower),
    minimumNativeLocked: String(written.minimumNativeLocked),
    pools: written.pools === "all" ? "all" : written.pools.map(lower),
    skipPools: written.skipPools.map(lower),
    tokenOverrides: written.tokenOverrides.map((token) => ({
      ...token,
      address: lower(token.address),
    })),
    preexistingPools: written.preexistingPools.map(({ pool, token0, token1 }) => ({
      pool: lower(pool),
      token0: lower(token0),
      token1: lower(token1),
    })),
  };
}

/**
 * What is built in for the blockchains that a file names, in the file's form. Of a blockchain's exchanges it has those
 * that the file asks for; a file that asks for none gets the usual one.
 */
export function builtInChains(written: unknown): Record<string, KnownChain> {
  const entries = isObject(written) ? Object.entries(written) : [];
  return Object.fromEntries(
    entries.flatMap(([id, chain]) => {
      const known = findKnownChain(id);
      return known ? [[id, { ...known, exchanges: wantedExchanges(known, chain) }]] : [];
    }),
  );
}

function wantedExchanges({ exchanges }: KnownChain, written: unknown): Record<string, unknown> {
  const asked = isObject(written) && isObject(written.exchanges) ? written.exchanges : undefined;
  const wanted = asked ?? (usualExchange in exchanges ? { [usualExchange]: {} } : exchanges);
  return Object.fromEntries(Object.entries(exchanges).filter(([id]) => Object.hasOwn(wanted, id)));
}

function isExchangeId(id: string): id is ExchangeId {
  return Object.hasOwn(exchanges, id);
}

/** Typed as hex because of what it is made of: the settings have been checked. */
function lower(address: string): Hex {
  return `0x${address.slice(2).toLowerCase()}`;
}
