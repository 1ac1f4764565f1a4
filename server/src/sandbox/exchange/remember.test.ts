import { expect, test } from "vitest";
import { remember } from "./remember.ts";

test("what was asked for longest ago is forgotten first, and worked out again", () => {
  const kept = new Map<string, number>();
  const made: string[] = [];
  const ask = (key: string) => {
    remember(kept, 2, key, () => made.push(key));
  };
  for (const key of ["a", "b", "a", "c", "a", "b"]) ask(key);
  expect(made).toEqual(["a", "b", "c", "b"]);
  expect([...kept.keys()]).toEqual(["a", "b"]);
});
