import { assert } from "../../src/lib/errors.ts";
import type { Random } from "../../src/lib/random.ts";

/** Chance that a seed decides: the same seed tells the same story. */
export type Chance = Random & {
  /** True in this share of all cases. */
  isTrue(share: number): boolean;
  /** A whole number of these, both ends included. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
};

/** Opens a source of chance. Each `use` of a seed has a source of its own. */
export function openChance(seed: number, use: string): Chance {
  let state = [...use].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed);

  /** 32 bits, by mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  const below = (limit: number) => ((next() % 2 ** 21) * 2 ** 32 + next()) % limit;
  return {
    below,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => next() & 255)),
    isTrue: (share) => next() / 2 ** 32 < share,
    between: (low, high) => low + below(high - low + 1),
    pick(items) {
      assert(items.length > 0, "there is something to pick from");
      return items[below(items.length)] as (typeof items)[number];
    },
  };
}
