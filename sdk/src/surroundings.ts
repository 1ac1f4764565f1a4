/** Time, chance and waiting. Tests hand in their own. */
export type Surroundings = {
  /** Unix milliseconds. */
  now(): number;
  /** From 0 up to, but never, 1. */
  random(): number;
  /** A text that nobody else has. */
  uniqueText(): string;
  /** Calls back after that time, unless what it returns is called before. */
  after(ms: number, callback: () => void): () => void;
};

/** The real ones. */
export const systemSurroundings: Surroundings = {
  now: () => Date.now(),
  random: () => Math.random(),
  // Unlike `randomUUID`, it is there on pages that came over plain HTTP too.
  uniqueText: () =>
    [...globalThis.crypto.getRandomValues(new Uint8Array(16))]
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join(""),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after that time, or rejects as soon as the signal is aborted. */
export function sleep(
  { after }: Pick<Surroundings, "after">,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = after(ms, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
}
