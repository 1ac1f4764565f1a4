/** A decentralized exchange on a blockchain. */
export type Place = { exchange: string; blockchain: string };

/** The page of a market. */
export function marketPath(exchange: string, market: string): string {
  return `/cex/${encodeURIComponent(exchange)}/${encodeURIComponent(market)}`;
}

/** The page of a centralized exchange. */
export function exchangePath(exchange: string): string {
  return `/cex/${encodeURIComponent(exchange)}`;
}

/** The page of a decentralized exchange on a blockchain. */
export function dexPath({ exchange, blockchain }: Place): string {
  return `/dex/${encodeURIComponent(exchange)}/${encodeURIComponent(blockchain)}`;
}

/** The page of a pool. */
export function poolPath(place: Place, pool: string): string {
  return `${dexPath(place)}/pool/${encodeURIComponent(pool)}`;
}

/** The page of a token. */
export function tokenPath(place: Place, token: string): string {
  return `${dexPath(place)}/token/${encodeURIComponent(token)}`;
}
