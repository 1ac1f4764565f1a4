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
  /** Looks which endpoints have fallen behind, if there are several. */
  compareHeads: ((signal: AbortSignal) => Promise<void>) | undefined;
  limits: NodeLimits;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
};

type Following = HeadsOptions & {
  newest: Newest;
  /** Sockets that tell of heads, and how many they have missed since they told of one. */
  missed: Map<Endpoint, number>;
};

/** Polling may be a moment faster than a socket, but not twice in a row. */
const missedMost = 2;

/** New heads: told by sockets, and asked for by polling. The reader gets the newest whenever it is ready. */
export async function* followHeads(options: HeadsOptions): AsyncGenerator<Header> {
  const { sockets, limits, signal } = options;
  if (signal.aborted) return;
  const stopping = new AbortController();
  setMaxListeners(Number.POSITIVE_INFINITY, stopping.signal);
  const newest = openNewest(limits.lowerHeadAnswers);
  const stop = () => {
    stopping.abort();
    newest.wake();
  };
  signal.addEventListener("abort", stop, { once: true });
  const following = { ...options, newest, missed: new Map(), signal: stopping.signal };
  const loops = [poll(following), ...sockets.map((endpoint) => listen(following, endpoint))];
  if (options.compareHeads) loops.push(compare(following, options.compareHeads));
  try {
    while (!signal.aborted) {
      const header = newest.take();
      if (header) yield header;
      else await newest.changed();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stopping.abort();
    await Promise.allSettled(loops);
  }
}

/** Asks for the head: often, or now and then while a socket tells of heads. */
async function poll({ newest, missed, head, limits, clock, log, signal }: Following) {
  while (!signal.aborted) {
    try {
      if (newest.offer(await head(signal))) hangUpOnSilent(missed);
    } catch (error) {
      if (!signal.aborted) log.warn({ reason: messageOf(error) }, "the newest block is not known");
    }
    await clock.sleep(missed.size > 0 ? limits.pollBesideSocketMs : limits.pollMs, signal);
  }
}

/** A socket that tells nothing while there is news is dead, whatever TCP believes. */
function hangUpOnSilent(missed: Map<Endpoint, number>): void {
  for (const [endpoint, count] of missed) {
    missed.set(endpoint, count + 1);
    if (count + 1 >= missedMost) endpoint.transport.close();
  }
}

async function compare(
  { limits, clock, signal }: Following,
  compareHeads: (signal: AbortSignal) => Promise<void>,
) {
  while (!signal.aborted) {
    await clock.sleep(limits.compareMs, signal);
    await compareHeads(signal);
  }
}

/** Hears of heads from a socket, and again when it was lost. */
async function listen(following: Following, endpoint: Endpoint) {
  const { newest, missed, headerByHash, limits, clock, log, signal } = following;
  const failed = (error: unknown) => {
    const reason = endpoint.scrub(messageOf(error));
    log.debug({ host: endpoint.host, reason }, "a socket tells of no heads");
  };
  const fetch = latestOnly((hash: unknown) =>
    headerByHash(hash, endpoint, signal).then(newest.offer).catch(failed),
  );
  while (!signal.aborted) {
    const heard = (hash: unknown) => {
      missed.set(endpoint, 0);
      fetch(hash);
    };
    await endpoint.transport.followHeads?.(heard, signal).catch(failed);
    missed.delete(endpoint);
    await clock.sleep(limits.pollBesideSocketMs, signal);
  }
}

type Newest = {
  /** Takes a head that is new, and says whether it was. */
  offer(header: Header): boolean;
  /** The newest head, once. */
  take(): Header | undefined;
  /** Resolves with the next head, or when it is woken. */
  changed(): Promise<void>;
  wake(): void;
};

/** Keeps the newest head for whoever takes it. Replicas that lag tell lower ones: only a steady one is believed. */
function openNewest(lowerAnswersMost: number): Newest {
  let last: Header | undefined;
  let fresh: Header | undefined;
  let lowerAnswers = 0;
  let wake = () => {};

  function isNews(header: Header): boolean {
    if (!last) return true;
    if (header.hash === last.hash || header.number >= last.number) lowerAnswers = 0;
    else lowerAnswers++;
    const isBelieved = header.number >= last.number || lowerAnswers >= lowerAnswersMost;
    return header.hash !== last.hash && isBelieved;
  }

  return {
    offer(header) {
      if (!isNews(header)) return false;
      lowerAnswers = 0;
      last = header;
      fresh = header;
      wake();
      return true;
    },
    take() {
      const header = fresh;
      fresh = undefined;
      return header;
    },
    changed: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    wake: () => wake(),
  };
}

/** Does one thing at a time; of what comes meanwhile only the last counts. */
function latestOnly<Item>(work: (item: Item) => Promise<unknown>): (item: Item) => void {
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
