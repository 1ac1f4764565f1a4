import { describe, expect, test } from "vitest";
import { type Chance, chanceOf } from "./chance.ts";

const throws = 20_000;

function meanOf(chance: Chance, throwOnce: (chance: Chance) => number): number {
  let sum = 0;
  for (let index = 0; index < throws; index++) sum += throwOnce(chance);
  return sum / throws;
}

describe("chance", () => {
  test("is the same for the same seed and names, and another for others", () => {
    const series = (...names: number[]) => {
      const chance = chanceOf(7, ...names);
      return Array.from({ length: 5 }, () => chance.unit());
    };
    expect(series(1, 2)).toEqual(series(1, 2));
    expect(series(1, 2)).not.toEqual(series(2, 1));
    expect(series(1)).not.toEqual(series(1, 0));
  });

  test.each<[string, (chance: Chance) => number, number]>([
    ["unit", (chance) => chance.unit(), 0.5],
    ["between", (chance) => chance.between(-1, 3), 1],
    ["happens", (chance) => Number(chance.happens(0.2)), 0.2],
    ["normal", (chance) => chance.normal(), 0],
    ["the square of normal", (chance) => chance.normal() ** 2, 1],
    ["count", (chance) => chance.count(1.7), 1.7],
    ["pick", (chance) => chance.pick([1, 2, 6]), 3],
    ["pickWeighted", (chance) => chance.pickWeighted([1, 5], (item) => (item === 5 ? 3 : 1)), 4],
  ])("%s has the mean that it should have", (_, throwOnce, mean) => {
    expect(Math.abs(meanOf(chanceOf(42), throwOnce) - mean)).toBeLessThan(0.05);
  });

  test("nothing can be picked from nothing", () => {
    expect(() => chanceOf(1).pick([])).toThrow("there is something to pick from");
  });
});
