import type { Clock } from "./clock.ts";

/** A value, and when it was true. */
export type Dated<Value> = { value: Value; at: number };

/** Loads a value, or hands out the one that was loaded a moment ago. */
export type KeptAnswers<Value> = (key: string, load: () => Promise<Value>) => Promise<Dated<Value>>;

const keysMost = 10_000;

/** Many who ask for the same thing at a time make one call, and its answer serves for `forMs`. Failures are not kept. */
export function keepAnswers<Value>(clock: Clock, forMs: number): KeptAnswers<Value> {
  const loading = new Map<string, Promise<Dated<Value>>>();
  const kept = new Map<string, Dated<Value>>();

  async function loadFresh(key: string, load: () => Promise<Value>): Promise<Dated<Value>> {
    try {
      const value = await load();
      const dated = { value, at: clock.now() };
      kept.delete(key);
      kept.set(key, dated);
      forgetOldest(kept);
      return dated;
    } finally {
      loading.delete(key);
    }
  }

  return async (key, load) => {
    const known = kept.get(key);
    if (known && clock.now() - known.at < forMs) return known;
    const running = loading.get(key) ?? loadFresh(key, load);
    loading.set(key, running);
    return running;
  };
}

function forgetOldest(kept: Map<string, unknown>): void {
  if (kept.size <= keysMost) return;
  for (const key of kept.keys()) {
    kept.delete(key);
    return;
  }
}
