import type { LogFilter } from "./chain.ts";
import type { Hex } from "./hex.ts";

/** A filter made ready: what to send, in parts that nodes accept, and what to hold the answers against. */
export type PreparedFilter = {
  /** The `address` and `topics` of each request that is needed; none when nothing can match. */
  parts: readonly { address?: readonly Hex[]; topics: readonly (readonly Hex[])[] }[];
  /** Any address when left out. */
  addresses: ReadonlySet<Hex> | undefined;
  /** Any topic when left out. */
  topics: ReadonlySet<Hex> | undefined;
};

/** Splits the addresses of a filter into parts. An empty list matches nothing, though nodes take it for "any". */
export function prepareFilter(filter: LogFilter, addressesMost: number): PreparedFilter {
  const lower = (values: readonly Hex[]) =>
    new Set(values.map((value) => value.toLowerCase() as Hex));
  const addresses = filter.addresses && lower(filter.addresses);
  const topics = filter.topics.length > 0 ? lower(filter.topics) : undefined;
  const wireTopics = topics ? [[...topics]] : [];
  const parts = addresses
    ? chunksOf([...addresses], addressesMost).map((address) => ({ address, topics: wireTopics }))
    : [{ topics: wireTopics }];
  return { parts, addresses, topics };
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}
