import type { Random } from "./random.ts";

/** How long to wait before attempt number `attempt` (from 0): doubling, capped, with jitter. */
export function backoffMs(
  attempt: number,
  limits: { firstMs: number; mostMs: number },
  random: Random,
): number {
  const full = Math.min(limits.mostMs, limits.firstMs * 2 ** Math.min(attempt, 30));
  return Math.ceil(full / 2) + random.below(Math.floor(full / 2) + 1);
}
