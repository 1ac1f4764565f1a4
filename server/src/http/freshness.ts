/** A block of a chain: what an answer was true as of. `time` is in Unix seconds. */
export type AsOf = { block: number; time: number };

/** Headers that tell how fresh an answer from a chain is. */
export function freshnessHeaders({ block, time }: AsOf, nowMs: number): Record<string, string> {
  const iso = new Date(time * 1_000).toISOString().replace(".000Z", "Z");
  return {
    "slipway-as-of": `${iso}; block=${block}`,
    // Blocks may be dated a little ahead of our clock.
    age: String(Math.max(0, Math.floor(nowMs / 1_000 - time))),
    "slipway-source": "chain",
  };
}

/** What an answer about an exchange was true as of, in Unix milliseconds, and where it was had. */
export type HeardAt = { at: number; source: string };

/** Headers that tell how fresh an answer from an exchange is. */
export function heardHeaders({ at, source }: HeardAt, nowMs: number): Record<string, string> {
  return {
    "slipway-as-of": isoTime(at),
    // Another machine's clock may be a little ahead of ours.
    age: String(Math.max(0, Math.floor((nowMs - at) / 1_000))),
    "slipway-source": source,
  };
}

let lastTime = { at: 0, text: new Date(0).toISOString() };

/** Many answers in a row are of the same moment. */
function isoTime(at: number): string {
  if (at !== lastTime.at) lastTime = { at, text: new Date(at).toISOString() };
  return lastTime.text;
}
