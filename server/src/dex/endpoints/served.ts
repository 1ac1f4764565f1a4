import type { DexBlockchain, DexExchange } from "@slipway/sdk";
import { CallerError } from "../../lib/errors.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { type ExchangeId, exchanges } from "../deployment.ts";
import type { Place } from "../store/read-list.ts";

/** A blockchain that this service follows, and the exchanges that it indexes there. */
export type ServedChain = {
  chain: { id: string; name: string };
  deployments: readonly { exchange: ExchangeId }[];
};

/** Every exchange that is served, each with its blockchains. */
export function servedExchanges(chains: readonly ServedChain[]): DexExchange[] {
  const ids = new Set(
    chains.flatMap(({ deployments }) => deployments.map(({ exchange }) => exchange)),
  );
  return [...ids].map((id) => ({
    id,
    name: exchanges[id].name,
    blockchains: chains
      .filter(({ deployments }) => deployments.some(({ exchange }) => exchange === id))
      .map(({ chain: { id, name } }) => ({ id, name })),
  }));
}

/** The blockchains of one exchange; 404 when the exchange is not served. */
export function blockchainsOf(chains: readonly ServedChain[], exchange: string): DexBlockchain[] {
  const served = servedExchanges(chains);
  const found = served.find(({ id }) => id === exchange);
  if (found) return found.blockchains;
  const meant = didYouMean(
    exchange,
    served.map(({ id }) => id),
  );
  throw new CallerError(
    "not_found",
    `There is no such exchange here.${meant} GET /v2/dex lists those there are.`,
  );
}

/** Holds that an exchange is served on a blockchain, or answers 404. */
export function placeOf(chains: readonly ServedChain[], { exchange, blockchain }: Place): Place {
  const blockchains = blockchainsOf(chains, exchange);
  if (blockchains.some(({ id }) => id === blockchain)) return { exchange, blockchain };
  const meant = didYouMean(
    blockchain,
    blockchains.map(({ id }) => id),
  );
  throw new CallerError(
    "not_found",
    `${exchange} is not served on such a blockchain.${meant} GET /v2/dex/${exchange} lists those it is on.`,
  );
}
