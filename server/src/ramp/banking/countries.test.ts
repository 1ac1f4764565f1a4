import fc from "fast-check";
import countries from "i18n-iso-countries/index.js";
import { describe, expect, test } from "vitest";
import { readCountry } from "./countries.ts";

describe("a country", () => {
  test.each([
    "US",
    "us",
    "USA",
    "U.S.A.",
    "United States",
    "united states of america",
    "The United States",
    "UNITED_STATES",
    "  united-states ",
  ])("may be written %j", (text) => {
    expect(readCountry(text)).toEqual({ code: "US", word: "UNITED_STATES" });
  });

  test.each([
    ["GB", "UNITED_KINGDOM"],
    ["uk", "UNITED_KINGDOM"],
    ["deu", "GERMANY"],
    ["Côte d'Ivoire", "COTE_D_IVOIRE"],
    ["turkey", "TURKIYE"],
    ["South Korea", "SOUTH_KOREA"],
    ["NLD", "NETHERLANDS"],
    ["The Gambia", "GAMBIA"],
    ["Democratic Republic of the Congo", "DEMOCRATIC_REPUBLIC_OF_THE_CONGO"],
    ["CG", "REPUBLIC_OF_THE_CONGO"],
  ])("%s is shown as %s", (text, word) => {
    expect(readCountry(text)?.word).toBe(word);
  });

  test.each(["", "_", "Atlantis", "XX", "Congo", "__proto__", "constructor", "U"])(
    "is not %j",
    (text) => {
      expect(readCountry(text)).toBeUndefined();
    },
  );

  test("has one word, by which it is found again", () => {
    const codes = Object.keys(countries.getAlpha2Codes());
    const words = codes.map((code) => readCountry(code)?.word ?? "");
    expect(words.filter((word) => !/^[A-Z]+(_[A-Z]+)*$/.test(word))).toEqual([]);
    expect(new Set(words).size).toBe(codes.length);
    expect(words.map((word) => readCountry(word)?.code)).toEqual(codes);
  });

  test("may be any text without anything breaking", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(readCountry(text)?.word ?? "NONE").toMatch(/^[A-Z_]+$/);
      }),
    );
  });
});
