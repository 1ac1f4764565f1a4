import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { systemRandom } from "../lib/random.ts";
import { newReference, readNearReferences, readReferences, showReference } from "./references.ts";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const reference = fc.constant(undefined).map(() => newReference(systemRandom));
const noise = fc.string({ unit: fc.constantFrom(..." .,/-:#"), maxLength: 5 });

describe("a reference", () => {
  test("is ten characters and one that checks them, shown in groups", () => {
    const made = newReference(systemRandom);
    expect(made).toMatch(/^[0-9A-HJKMNP-TV-Z]{11}$/);
    expect(showReference("7K3Q9XW2MT5")).toBe("RMP 7K3Q 9XW2 MT5");
    expect(readReferences([showReference(made)])).toContain(made);
  });

  test("is found whatever stands between and around its characters", () => {
    fc.assert(
      fc.property(reference, fc.array(noise), fc.string(), fc.string(), (made, gaps, a, b) => {
        const written = [...made].map((one, index) => one + (gaps[index] ?? "")).join("");
        const sloppy = written.toLowerCase().replaceAll("0", "o").replaceAll("1", "l");
        expect(readReferences([a, `${sloppy} ${b}`])).toContain(made);
      }),
    );
  });

  test("is found when a bank broke it over two lines", () => {
    const made = newReference(systemRandom);
    expect(readReferences([`PAYMENT RMP ${made.slice(0, 6)}`, made.slice(6)])).toContain(made);
  });

  test("with any one character wrong or two neighbours swapped is not taken for another", () => {
    const place = fc.nat({ max: 10 });
    fc.assert(
      fc.property(reference, place, fc.constantFrom(...alphabet), (made, at, letter) => {
        fc.pre(made[at] !== letter);
        const wrong = made.slice(0, at) + letter + made.slice(at + 1);
        expect(readReferences([wrong])).toEqual([]);
        expect(readNearReferences([wrong])).toContain(made);
        const swapped = `${made.slice(0, at)}${made[at + 1] ?? ""}${made[at]}${made.slice(at + 2)}`;
        if (swapped !== made) expect(readReferences([swapped])).toEqual([]);
        expect(readNearReferences([swapped])).toContain(made);
      }),
    );
  });

  test("with a character missing or too many is near to itself", () => {
    const place = fc.nat({ max: 10 });
    fc.assert(
      fc.property(reference, place, fc.constantFrom(...alphabet), (made, at, letter) => {
        expect(readNearReferences([made.slice(0, at) + made.slice(at + 1)])).toContain(made);
        expect(readNearReferences([made.slice(0, at) + letter + made.slice(at)])).toContain(made);
      }),
    );
  });

  test("is looked for in any text without failing, and in a long one not for long", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (texts) => {
        for (const found of readReferences(texts)) expect(found).toHaveLength(11);
        for (const found of readNearReferences(texts)) expect(found).toHaveLength(11);
      }),
    );
    expect(readNearReferences(["7K3Q9XW2MT".repeat(100_000)]).length).toBeLessThan(30_000);
  });
});
