import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { achText } from "./text.ts";

const anyText = fc.string({ unit: "binary", maxLength: 40 });
const anyLength = fc.integer({ min: 0, max: 30 });

describe("text for a bank's file", () => {
  test.each([
    ["José María Núñez", "JOSE MARIA NUNEZ"],
    ["Großmann & Söhne", "GROSSMANN & SOHNE"],
    ["Łukasz Żółć", "LUKASZ ZOLC"],
    ["Bjørn Ærø Þór Đức", "BJORN AERO THOR DUC"],
    ["O’Neill – “Quay”", `O'NEILL - "QUAY"`],
    ["ﬁve  \t\n ５", "FIVE 5"],
    ["王 Lee 🚢", "? LEE ?"],
    ["  around  ", "AROUND"],
    ["", ""],
  ])("%j is %j", (text, expected) => {
    expect(achText(text, 22)).toBe(expected);
  });

  test("is cut without a blank at its end", () => {
    expect(achText("LAMP & LANTERN LLC", 15)).toBe("LAMP & LANTERN");
  });

  test("is plain upper-case ASCII that fits, whatever it was", () => {
    fc.assert(
      fc.property(anyText, anyLength, (text, length) => {
        const written = achText(text, length);
        expect(written).toMatch(/^(?:[!-`{-~](?:[ -`{-~]*[!-`{-~])?)?$/);
        expect(written.length).toBeLessThanOrEqual(length);
      }),
    );
  });

  test("stays as it is when it is written again", () => {
    fc.assert(
      fc.property(anyText, anyLength, (text, length) => {
        const written = achText(text, length);
        expect(achText(written, length)).toBe(written);
      }),
    );
  });
});
