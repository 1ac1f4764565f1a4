import type { DexExchange, Slipway } from "@slipway/sdk";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { shortened } from "../lib/figures.ts";
import { marketPath, type Place, poolPath, tokenPath } from "../pages/markets/paths.ts";
import { feeText } from "../pages/markets/pool-figures.ts";
import { mode } from "../session/session.ts";
import { useAnswer } from "../session/use-answer.ts";
import { areas } from "./areas.ts";
import {
  endpointsOf,
  type Findable,
  type Found,
  findIn,
  isAddress,
  pagesOfId,
} from "./search-results.ts";

const listMost = 500;

/** What there is under these words: pages, markets, pools, tokens, ids and endpoints. */
export function useSearch(wanted: string): readonly Found[] {
  const markets = useAnswer({ key: ["search", "markets"], ask: listMarkets });
  const contracts = useAnswer({ key: ["search", "contracts"], ask: listContracts });
  const endpoints = useQuery({ queryKey: ["openapi"], queryFn: listEndpoints });
  const address = isAddress(wanted) ? wanted.trim().toLowerCase() : undefined;
  const pasted = useAnswer({
    key: ["search", "address", address],
    ask: (client) => listAtAddress(client, address ?? ""),
    isWanted: address !== undefined,
  });
  const pages = useMemo(() => listPages(), []);
  if (wanted.trim() === "") return pages;
  if (address !== undefined) return pasted.data ?? [];
  return [
    ...pagesOfId(wanted),
    ...findIn(pages, wanted),
    ...findIn(markets.data ?? [], wanted),
    ...findIn(contracts.data ?? [], wanted),
    ...findIn(endpoints.data ?? [], wanted),
  ];
}

function listPages(): Findable[] {
  return areas.flatMap(({ name, links }) =>
    links
      .filter(({ isSandboxOnly }) => !isSandboxOnly || mode.peek() === "sandbox")
      .map((link) => ({
        kind: "Pages",
        title: link.name,
        note: name,
        path: link.path,
        words: `${link.name} ${name}`,
      })),
  );
}

async function listMarkets({ cex }: Slipway): Promise<Findable[]> {
  const exchanges = await cex.exchanges();
  // An exchange that is silent now is left out, not the others with it.
  const lists = await Promise.all(exchanges.map(({ id }) => cex.markets(id).catch(() => [])));
  return lists.flat().map(({ exchange, id, symbol, base, quote }) => ({
    kind: "Markets",
    title: symbol,
    note: exchange,
    path: marketPath(exchange, id),
    words: `${base} ${quote} ${id} ${exchange}`,
  }));
}

async function listContracts({ dex }: Slipway): Promise<Findable[]> {
  const lists = await Promise.all(
    placesOf(await dex.exchanges()).map(async (place) => {
      const { exchange, blockchain } = place;
      const note = `${exchange} on ${blockchain}`;
      const [pools, tokens] = await Promise.all([
        dex.pools(exchange, blockchain, { limit: listMost }),
        dex.tokens(exchange, blockchain, { limit: listMost }),
      ]);
      return [
        ...pools.map(({ id, token0, token1, feeTier }) => ({
          kind: "Pools and tokens",
          title: `${token0.symbol} / ${token1.symbol} ${feeText(feeTier)}`,
          note: `pool, ${note}, ${shortened(id)}`,
          path: poolPath(place, id),
          words: `${token0.symbol} ${token1.symbol} ${token0.name} ${token1.name} pool ${id}`,
        })),
        ...tokens.map(({ id, symbol, name }) => ({
          kind: "Pools and tokens",
          title: `${symbol} · ${name}`,
          note: `token, ${note}, ${shortened(id)}`,
          path: tokenPath(place, id),
          words: `${symbol} ${name} token ${id}`,
        })),
      ];
    }),
  );
  return lists.flat();
}

/** A pasted address is asked for, since lists hold only the largest. */
async function listAtAddress(client: Slipway, address: string): Promise<Found[]> {
  const places = placesOf(await client.dex.exchanges());
  const lists = await Promise.all(places.map((place) => listAt(client, place, address)));
  return lists.flat();
}

async function listAt({ dex }: Slipway, place: Place, address: string): Promise<Found[]> {
  const { exchange, blockchain } = place;
  const kind = `${exchange} on ${blockchain}`;
  const [token] = await dex.tokens(exchange, blockchain, { tokenId: address });
  if (token) {
    const title = `${token.symbol} · ${token.name}`;
    return [{ kind, title, note: "token", path: tokenPath(place, address) }];
  }
  try {
    const options = { timeframe: "day", limit: 1 } as const;
    const { token0, token1 } = await dex.bars(exchange, blockchain, address, options);
    const title = `${token0.symbol} / ${token1.symbol}`;
    return [{ kind, title, note: "pool", path: poolPath(place, address) }];
  } catch {
    return [];
  }
}

async function listEndpoints(): Promise<Findable[]> {
  const answer = await fetch("/openapi.json");
  return endpointsOf(await answer.json());
}

function placesOf(exchanges: readonly DexExchange[]): Place[] {
  return exchanges.flatMap(({ id, blockchains }) =>
    blockchains.map((blockchain) => ({ exchange: id, blockchain: blockchain.id })),
  );
}
