import type { Clock } from "../../../lib/clock.ts";
import type { Screening } from "../../ports.ts";

export type WatchmanOptions = {
  url: string;
  /** From how alike names count as the same, 0.5 to 1. */
  minMatch: number;
  /** The world's: lists have dates. */
  clock: Clock;
  fetch?: typeof fetch;
  timeoutMs?: number;
};

/** Screening by a Watchman server, which holds the lists of sanctioned people, firms and wallets. */
export function watchmanScreening(_: WatchmanOptions): Screening {
  throw new Error("not built");
}
