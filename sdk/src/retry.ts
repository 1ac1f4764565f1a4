import { SlipwayError, UnreachableError } from "./errors.ts";
import { type Surroundings, sleep } from "./surroundings.ts";

const passing = new Set([408, 429, 500, 502, 503, 504]);
const firstPauseMs = 500;
const longestPauseMs = 8_000;
/** Nobody waits longer inside a call: who is told to gets the error, and knows when to come back. */
const patienceMs = 60_000;

type Retrying = {
  retries: number;
  signal: AbortSignal | undefined;
  surroundings: Surroundings;
  /** Whether what failed so may succeed next time. */
  mayPass(error: unknown, tried: number): boolean;
};

/** Does something again while it fails in ways that pass, with growing pauses. */
export async function withRetries<Value>(
  work: (tried: number) => Promise<Value>,
  { retries, signal, surroundings, mayPass }: Retrying,
): Promise<Value> {
  for (let tried = 0; ; tried++) {
    try {
      return await work(tried);
    } catch (error) {
      const pause = pauseAfter(error, tried, surroundings);
      if (tried >= retries || !mayPass(error, tried) || pause > patienceMs) throw error;
      await sleep(surroundings, pause, signal);
    }
  }
}

/** Whether the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    (error instanceof SlipwayError && passing.has(error.status))
  );
}

/** How long to wait, in milliseconds, after so many failures before. */
export function pauseAfter(
  error: unknown,
  failuresBefore: number,
  { random }: Pick<Surroundings, "random">,
): number {
  const told = error instanceof SlipwayError ? error.retryAfter : undefined;
  if (told !== undefined) return told * 1_000;
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** failuresBefore);
  return Math.round(pause * (0.5 + random() / 2));
}
