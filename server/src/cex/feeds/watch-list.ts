import type { ListedMarket } from "../market.ts";
import type { FeedFault } from "./venue.ts";

/** A market that is live, or about to be. */
export type Watched = {
  readonly market: ListedMarket;
  /** Whether it is in the configuration: then it stays, asked for or not. */
  readonly isPermanent: boolean;
  wantedAt: number;
  state: "live" | "syncing";
  /** When the exchange was last heard on the market's connection. */
  confirmedAt: number;
  readonly faults: Record<FeedFault, number>;
  resyncs: number;
  snapshots: number;
};

const warmForMs = 600_000;
const watchedMost = 300;

/** The markets of an exchange that are live. Those that nobody asks for any more leave, the oldest first when it is full. */
export class WatchList {
  readonly #watched = new Map<string, Watched>();

  get(market: string): Watched | undefined {
    return this.#watched.get(market);
  }

  all(): Iterable<Watched> {
    return this.#watched.values();
  }

  get size(): number {
    return this.#watched.size;
  }

  add(market: ListedMarket, { now, isPermanent }: { now: number; isPermanent: boolean }): Watched {
    const watched: Watched = {
      market,
      isPermanent,
      wantedAt: now,
      state: "syncing",
      confirmedAt: now,
      faults: { checksum: 0, sequence: 0, crossed: 0, silent: 0, closed: 0 },
      resyncs: 0,
      snapshots: 0,
    };
    this.#watched.set(market.id, watched);
    return watched;
  }

  /** Takes out those that nobody wants any more, and returns their ids. */
  takeUnwanted(now: number): string[] {
    const leaving = [...this.#watched.values()]
      .filter(({ isPermanent }) => !isPermanent)
      .sort((one, other) => one.wantedAt - other.wantedAt)
      .filter(
        ({ wantedAt }, index) =>
          now - wantedAt > warmForMs || index < this.#watched.size - watchedMost,
      );
    for (const { market } of leaving) this.#watched.delete(market.id);
    return leaving.map(({ market }) => market.id);
  }
}
