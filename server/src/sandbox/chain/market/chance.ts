import { assert } from "../../../lib/errors.ts";

/** Chance that can be had again: the same seed and names give the same throws. */
export type Chance = {
  /** From 0 up to 1, without 1. */
  unit(): number;
  /** From `least` up to `most`. */
  between(least: number, most: number): number;
  happens(probability: number): boolean;
  /** Of the bell curve around 0 with deviation 1. */
  normal(): number;
  /** How often something happens that happens `mean` times on average. */
  count(mean: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Picks with these weights, which are not all 0. */
  pickWeighted<Item>(items: readonly Item[], weightOf: (item: Item) => number): Item;
};

/** The throws that belong to a seed and to what they are for. */
export function chanceOf(seed: number, ...names: number[]): Chance {
  let state = hashOf(seed, ...names);
  const unit = () => {
    state = (state + 0x9e3779b9) >>> 0;
    return scramble(state) / 2 ** 32;
  };
  const pickWeighted = <Item>(items: readonly Item[], weightOf: (item: Item) => number): Item => {
    let left = unit() * items.reduce((sum, item) => sum + weightOf(item), 0);
    const picked = items.find((item) => {
      left -= weightOf(item);
      return left < 0;
    });
    assert(picked !== undefined, "there is something to pick from");
    return picked;
  };

  return {
    unit,
    between: (least, most) => least + unit() * (most - least),
    happens: (probability) => unit() < probability,
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
    count(mean) {
      let times = 0;
      for (let left = unit(); left > Math.exp(-mean); left *= unit()) times++;
      return times;
    },
    pick: (items) => pickWeighted(items, () => 1),
    pickWeighted,
  };
}

/** One number below 2^32 for several. */
export function hashOf(...names: number[]): number {
  return names.reduce((hash, name) => scramble((hash ^ name) + 0x9e3779b9), 0x5117_3a4d);
}

/** Every bit of the result depends on every bit of the number (the mixing of MurmurHash 3). */
function scramble(value: number): number {
  let bits = value >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
