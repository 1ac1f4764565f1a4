/** The only place that knows what time it is. Everything else is handed a clock. */
export type Clock = {
  /** Unix time in milliseconds. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done);
    });
  },
};

/** Milliseconds that only ever grow, for measuring how long something took. */
export function monotonicMs(): number {
  return performance.now();
}
