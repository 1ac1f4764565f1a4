import { expect, test } from "vitest";
import { didYouMean, suggest } from "./suggest.ts";

test.each([
  ["prot", "port"],
  ["databseUrl", "databaseUrl"],
  ["SLIPWAY_MODUS", "SLIPWAY_MODE"],
])("%s probably means %s", (word, meant) => {
  expect(suggest(word, ["port", "databaseUrl", "SLIPWAY_MODE"])).toBe(meant);
});

test("nothing is suggested for a word that looks like none of them", () => {
  expect(didYouMean("elephant", ["port", "host"])).toBe("");
});
