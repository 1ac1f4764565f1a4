import type { Clock } from "./clock.ts";

/** Returns a function that says, after each step, about how long the rest will take, once that can be said. */
export function estimator(clock: Clock): (done: number, total: number) => string | undefined {
  const startedAt = clock.now();
  let first: number | undefined;
  return (done, total) => {
    first ??= done;
    const elapsedMs = clock.now() - startedAt;
    const perMs = (done - first) / Math.max(1, elapsedMs);
    return perMs > 0 ? durationInWords((total - done) / perMs) : undefined;
  };
}

const barLength = 30;

/** A bar as wide as thirty characters, for any share from 0 to 100. */
export function barOf(percent: number): string {
  const full = Math.round((barLength * Math.min(100, Math.max(0, percent))) / 100);
  return "█".repeat(full) + "░".repeat(barLength - full);
}

/** A length of time as people say it: "40 s", "3 min", "2 h 10 min". */
function durationInWords(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
