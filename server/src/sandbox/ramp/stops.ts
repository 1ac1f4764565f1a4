import type { DueRow, NextDue } from "../store/due-times.ts";

const firstWaitMs = 60_000;
const longestWaitMs = 24 * 3_600_000;

/**
 * Chooses where time stops on its way: where something falls due. What is only looked at again and again, such as
 * money that waits for screening, would make it stop every minute for ever. So the second stop for a row to which
 * nothing happened is a minute after the first, the next one two minutes later, then four, up to a day. Whenever time
 * stops for another row, this one has its turn too.
 */
export function planStops(): (next: NextDue) => number | undefined {
  const stopped = new Map<string, { mark: string; waitMs: number; notBefore: number }>();

  /** When time would stop for a row, and how long it would not after that. */
  function wishOf({ id, mark, dueAt }: DueRow) {
    const before = stopped.get(id);
    if (before?.mark !== mark) return { id, mark, at: dueAt, waitMs: firstWaitMs };
    const waitMs = Math.min(before.waitMs * 2, longestWaitMs);
    return { id, mark, at: Math.max(dueAt, before.notBefore), waitMs };
  }

  return ({ rows, completeUntil }) => {
    const [first, ...others] = rows.map(wishOf);
    if (!first) return undefined;
    const { id, mark, at, waitMs } = others.reduce(
      (one, other) => (other.at < one.at ? other : one),
      first,
    );
    if (at > completeUntil) return completeUntil;
    stopped.set(id, { mark, waitMs, notBefore: at + waitMs });
    return at;
  };
}
