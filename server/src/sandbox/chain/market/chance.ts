import { assert } from "../../../lib/errors.ts";

/** The throws that belong to a seed and to what they are for. */
export function chanceOf(seed: number, ...names: number[]): Chance {
  return new SeededChance(hashOf(seed, ...names));
}

/** One number below 2^32 for several. */
export function hashOf(...names: number[]): number {
  let hash = 0x5117_3a4d;
  for (const name of names) hash = scramble((hash ^ name) + 0x9e3779b9);
  return hash;
}

/** Every bit of the result depends on every bit of the number (the mixing of MurmurHash 3). */
function scramble(value: number): number {
  let bits = value >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Chance that can be had again: the same seed and names give the same throws. */
class SeededChance {
  #state: number;

  constructor(state: number) {
    this.#state = state;
  }

  /** From 0 up to 1, without 1. */
  unit(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    return scramble(this.#state) / 2 ** 32;
  }

  /** From `least` up to `most`. */
  between(least: number, most: number): number {
    return least + this.unit() * (most - least);
  }

  happens(probability: number): boolean {
    return this.unit() < probability;
  }

  /** Of the bell curve around 0 with deviation 1. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
  }

  /** How often something happens that happens `mean` times on average. */
  count(mean: number): number {
    let times = 0;
    for (let left = this.unit(); left > Math.exp(-mean); left *= this.unit()) times++;
    return times;
  }

  pick<Item>(items: readonly Item[]): Item {
    return this.pickWeighted(items, () => 1);
  }

  /** Picks with these weights, which are not all 0. */
  pickWeighted<Item>(items: readonly Item[], weightOf: (item: Item) => number): Item {
    let left = this.unit() * items.reduce((sum, item) => sum + weightOf(item), 0);
    const picked = items.find((item) => {
      left -= weightOf(item);
      return left < 0;
    });
    assert(picked !== undefined, "there is something to pick from");
    return picked;
  }
}

/** Where throws come from. */
export type Chance = InstanceType<typeof SeededChance>;
