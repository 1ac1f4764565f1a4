import type { Feed } from "../venue.ts";
import type { FeedOptions } from "./feed-context.ts";
import { Line } from "./line.ts";
import type { Protocol } from "./protocol.ts";
import { SnapshotBudget } from "./snapshot-budget.ts";

const lookEveryMs = 1_000;

/** Streams an exchange over WebSockets of our own, in whatever protocol it speaks. */
export function openSocketFeed(protocol: Protocol, options: FeedOptions): Feed {
  const { clock, random } = options;
  const budget = new SnapshotBudget({ perSecond: protocol.wholeBooksPerSecond, clock, random });
  const context = { ...options, protocol, budget };
  /** Where each market is, and what the stream calls it. */
  const places = new Map<string, { line: Line; name: string }>();
  const lines = new Set<Line>();
  const closing = new AbortController();
  const looked = look();

  async function look(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(lookEveryMs, closing.signal);
      for (const line of lines) line.look();
    }
  }

  /** Markets with the same name share what is heard, and so must share the line. */
  function lineFor(name: string): Line {
    const hasRoom = (line: Line) => line.count < protocol.marketsPerConnection;
    const line = [...lines].find((each) => each.has(name)) ?? [...lines].find(hasRoom);
    if (line) return line;
    const added = new Line(context);
    lines.add(added);
    return added;
  }

  return {
    watch(market) {
      const name = protocol.nameOf(market);
      if (name === undefined || places.has(market.id) || closing.signal.aborted) return;
      const line = lineFor(name);
      places.set(market.id, { line, name });
      line.add(market, name);
    },

    unwatch(market) {
      const place = places.get(market);
      if (!place) return;
      const { line, name } = place;
      places.delete(market);
      line.remove(market, name);
      if (line.count > 0) return;
      lines.delete(line);
      void line.close();
    },

    book: (market) => places.get(market)?.line.book(market),

    async close() {
      closing.abort();
      places.clear();
      await Promise.all([looked, ...[...lines].map((line) => line.close())]);
    },
  };
}
