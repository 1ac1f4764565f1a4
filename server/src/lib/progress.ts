import type { Clock } from "./clock.ts";

/** Returns a function that says, after each step, about how long the rest will take, in words. */
export function estimator(clock: Clock): (done: number, total: number) => string {
  const startedAt = clock.now();
  let first: number | undefined;
  return (done, total) => {
    first ??= done;
    const elapsedMs = clock.now() - startedAt;
    const perMs = (done - first) / Math.max(1, elapsedMs);
    if (perMs <= 0) return "not known yet";
    return durationInWords((total - done) / perMs);
  };
}

/** A length of time as people say it: "40 s", "3 min", "2 h 10 min". */
export function durationInWords(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
