import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { harbour, routingArbitrary } from "../../../../test/ach-examples.ts";
import { type Corrected, readCorrectedData, writeCorrectedData } from "./corrected-data.ts";

const accountNumber = "000123456789";

describe("what a bank corrects", () => {
  test.each<[string, string, Corrected]>([
    ["C01", "000123456789                 ", { accountNumber }],
    ["C02", "011099916                    ", { routingNumber: harbour }],
    ["C03", "011099916   000123456789     ", { routingNumber: harbour, accountNumber }],
    ["C05", "32                           ", { accountType: "savings" }],
    ["C06", "000123456789        22       ", { accountNumber, accountType: "checking" }],
    [
      "C07",
      "011099916000123456789     32 ",
      { routingNumber: harbour, accountNumber, accountType: "savings" },
    ],
  ])("by %s stands in its columns: %j", (code, data, corrected) => {
    expect(writeCorrectedData(code, corrected)).toBe(data);
    expect(readCorrectedData(code, data)).toEqual(corrected);
  });

  test("is read as it was written, whatever it is", () => {
    const corrected = fc.record({
      routingNumber: routingArbitrary,
      accountNumber: fc.stringMatching(/^[0-9A-Z]{4,17}$/),
      accountType: fc.constantFrom("checking", "savings"),
    });
    fc.assert(
      fc.property(corrected, (all) => {
        const { routingNumber, accountNumber, accountType } = all;
        const cases: [string, Corrected][] = [
          ["C01", { accountNumber }],
          ["C02", { routingNumber }],
          ["C03", { routingNumber, accountNumber }],
          ["C05", { accountType }],
          ["C06", { accountNumber, accountType }],
          ["C07", all],
        ];
        for (const [code, expected] of cases)
          expect(readCorrectedData(code, writeCorrectedData(code, all))).toEqual(expected);
      }),
    );
  });

  test.each([
    ["C03", "011099916        000123456789"],
    ["C03", "011099916   0001-2345-6789   "],
    ["C07", "011099916000123456789      32"],
  ])("may stand elsewhere in its room: %s %j", (code, data) => {
    expect(readCorrectedData(code, data)).toMatchObject({ routingNumber: harbour, accountNumber });
  });

  test.each([
    ["C04", "JOSE NUNEZ                   "],
    ["C13", "PPD                          "],
    ["C99", "000123456789                 "],
    ["constructor", "000123456789          "],
  ])("is nothing to us by %s", (code, data) => {
    expect(readCorrectedData(code, data)).toBeUndefined();
  });

  test.each([
    ["C01", ""],
    ["C01", "                             "],
    ["C01", "12                           "],
    ["C01", "00012345678901234567         "],
    ["C01", "0001234?6789                 "],
    ["C02", "011099917                    "],
    ["C02", "01109991                     "],
    ["C03", "000123456789   011099916     "],
    ["C03", "011099916                    "],
    ["C05", "42                           "],
    ["C05", "XX                           "],
    ["C06", "000123456789                 "],
    ["C07", "011099916000123456789        "],
  ])("is not guessed when it cannot be read: %s %j", (code, data) => {
    expect(readCorrectedData(code, data)).toBeUndefined();
  });

  test("is blank where it changes nothing that we keep, and never half of it", () => {
    expect(writeCorrectedData("C04", {})).toBe(" ".repeat(29));
    expect(() => writeCorrectedData("C03", { accountNumber })).toThrow("C03 says");
    expect(() => writeCorrectedData("C01", { accountNumber: "1".repeat(18) })).toThrow("C01 says");
  });
});
