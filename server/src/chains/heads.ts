import { setMaxListeners } from "node:events";
import type { Clock } from "../lib/clock.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log as Logger } from "../lib/log.ts";
import type { Header } from "./chain.ts";
import type { Endpoint } from "./endpoint.ts";
import type { NodeLimits } from "./limits.ts";

type HeadsOptions = {
  /** Endpoints that tell of new heads by themselves. */
  sockets: readonly Endpoint[];
  head(signal: AbortSignal): Promise<Header>;
  headerByHash(hash: unknown, endpoint: Endpoint, signal: AbortSignal): Promise<Header>;
  /** Looks from time to time which endpoints have fallen behind. */
  compareHeads(signal: AbortSignal): Promise<void>;
  limits: NodeLimits;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
};

/** Polling may be a moment faster than a socket, but not twice in a row. */
const missedMost = 2;

/** New heads: told by sockets, and asked for by polling. The reader gets the newest whenever it is ready. */
export async function* followHeads(options: HeadsOptions): AsyncGenerator<Header> {
  const { sockets, head, headerByHash, compareHeads, limits, clock, log, signal } = options;
  if (signal.aborted) return;
  const stopping = new AbortController();
  setMaxListeners(Number.POSITIVE_INFINITY, stopping.signal);
  const inner = stopping.signal;
  let wake = () => {};
  const stop = () => {
    stopping.abort();
    wake();
  };
  signal.addEventListener("abort", stop, { once: true });

  let last: Header | undefined;
  let fresh: Header | undefined;
  let lowerAnswers = 0;
  let comparedAt = clock.now();
  /** Sockets that tell of heads, and how many they have missed since. */
  const missed = new Map<Endpoint, number>();

  /** Takes a head that is new. Replicas that lag tell lower ones now and then; only a steady one is believed. */
  function offer(header: Header): boolean {
    if (header.hash === last?.hash) {
      lowerAnswers = 0;
      return false;
    }
    if (last && header.number < last.number && ++lowerAnswers < limits.lowerHeadAnswers)
      return false;
    lowerAnswers = 0;
    last = header;
    fresh = header;
    wake();
    return true;
  }

  async function askForHead(): Promise<void> {
    if (offer(await head(inner))) hangUpOnSilent();
    if (clock.now() - comparedAt < limits.compareMs) return;
    await compareHeads(inner);
    comparedAt = clock.now();
  }

  async function poll(): Promise<void> {
    while (!inner.aborted) {
      await askForHead().catch((error) => {
        if (!inner.aborted) log.warn({ reason: messageOf(error) }, "the newest block is not known");
      });
      await clock.sleep(missed.size > 0 ? limits.pollBesideSocketMs : limits.pollMs, inner);
    }
  }

  /** A socket that tells nothing while there is news is dead, whatever TCP believes. */
  function hangUpOnSilent(): void {
    for (const [endpoint, count] of missed) {
      missed.set(endpoint, count + 1);
      if (count + 1 >= missedMost) endpoint.transport.close();
    }
  }

  async function listen(endpoint: Endpoint): Promise<void> {
    const newest = newestOnly(async (hash: unknown) => {
      await headerByHash(hash, endpoint, inner).then(offer, (error) => {
        log.debug({ host: endpoint.host, reason: messageOf(error) }, "a new head cannot be had");
      });
    });
    while (!inner.aborted) {
      try {
        await endpoint.transport.followHeads?.((hash) => {
          missed.set(endpoint, 0);
          newest(hash);
        }, inner);
      } catch (error) {
        log.debug({ host: endpoint.host, reason: messageOf(error) }, "a socket cannot be heard");
      }
      missed.delete(endpoint);
      await clock.sleep(limits.pollBesideSocketMs, inner);
    }
  }

  const loops = [poll(), ...sockets.map(listen)];
  try {
    while (!signal.aborted) {
      if (fresh) {
        const header = fresh;
        fresh = undefined;
        yield header;
      } else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stopping.abort();
    await Promise.allSettled(loops);
  }
}

/** Does one thing at a time; of what comes meanwhile only the last counts. */
function newestOnly<Item>(work: (item: Item) => Promise<void>): (item: Item) => void {
  let next: { item: Item } | undefined;
  let isBusy = false;
  async function run(): Promise<void> {
    isBusy = true;
    while (next) {
      const { item } = next;
      next = undefined;
      await work(item);
    }
    isBusy = false;
  }
  return (item) => {
    next = { item };
    if (!isBusy) void run();
  };
}
