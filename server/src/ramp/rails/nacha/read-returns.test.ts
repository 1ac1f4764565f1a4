import { describe, expect, test } from "vitest";
import { changed, readDamaged } from "../../../../test/ach-damage.ts";
import { correctionFile, golden, returnFile } from "../../../../test/ach-examples.ts";
import { BadFile } from "../file-exchange.ts";
import { readAchReturns } from "./read-returns.ts";

const nines = "9".repeat(94);
const read = (text: string) => readAchReturns(Buffer.from(text, "latin1"));

/** Fields that no sum proves. */
const unproven = [
  "1 immediateDestination",
  "1 immediateOrigin",
  "1 fileCreationDate",
  "1 fileCreationTime",
  "1 fileIdModifier",
  "1 immediateDestinationName",
  "1 immediateOriginName",
  "5 settlementDate",
  "between two fields",
];

/** What only repeats our own entries, room that nobody uses, and a zero instead of the blank before a bank's number. */
const unread = [
  "1 immediateOrigin",
  "1 referenceCode",
  "5 companyName",
  "5 companyDiscretionaryData",
  "5 companyEntryDescription",
  "5 companyDescriptiveDate",
  "5 effectiveEntryDate",
  "5 originatorStatusCode",
  "6 transactionCode",
  "6 accountNumber",
  "6 identification",
  "6 receiverName",
  "6 discretionaryData",
  "8 messageAuthenticationCode",
  "8 reserved",
  "9 reserved",
  "9 end of the line",
  "between two fields",
];

describe("a file of returns", () => {
  test("reads as what was written", () => {
    expect(readAchReturns(golden("returns"))).toEqual(returnFile);
    expect(readAchReturns(golden("corrections"))).toEqual(correctionFile);
  });

  test("damaged in one character is refused, unless nothing proves the field or nobody reads it", () => {
    const { different, same } = readDamaged(golden("returns"), readAchReturns);
    const reason = ["799 returnReasonCode", "799 originalTraceNumber", "799 information"];
    expect(new Set(different)).toEqual(new Set([...unproven, ...reason]));
    const ofReturns = [
      "5 standardEntryClassCode",
      // The file's day is the last one of its batches.
      "5 settlementDate",
      "799 dateOfDeath",
      "799 originalReceivingBank",
    ];
    expect(new Set(same)).toEqual(new Set([...unread, ...ofReturns]));
  });

  test("so is one of corrections", () => {
    const { different, same } = readDamaged(golden("corrections"), readAchReturns);
    const change = ["798 changeCode", "798 originalTraceNumber", "798 correctedData"];
    expect(new Set(different)).toEqual(new Set([...unproven, ...change]));
    const ofCorrections = ["798 originalReceivingBank", "798 reserved", "798 reservedToo"];
    expect(new Set(same)).toEqual(new Set([...unread, ...ofCorrections]));
  });
});

/** As a bank might write it: other names, debits beside credits, codes in room that is ours, blanks cut off. */
const ofBank = [
  "101 9876543210011099903261118    A094101Slipway Inc            Quay Bank",
  "5225Slipway Inc     NOTES               198765432 PPDCryptoSellNOV 162611163211011099910000009",
  "631011099903000123456789     00000975001024           Jose Nunez            S 1011099910000007",
  "799R1501109990000004126090101109991He has died                                 011099910000007",
  "82250000020001109990000000097500000000000000 198765432MAC                000000011099910000009",
  "5200Slipway Inc     NOTES               198765432 CCDCryptoSellNOV 16261116   1011099910000003",
  "621011099903000123456789     00000000011024           Jose Nunez            S 1011099910000003",
  "799R0301109990000004300000001109991                                            011099910000003",
  "82000000020001109990000000000000000000000001 198765432MAC                000000011099910000003",
  "5200Slipway Inc     NOTES               198765432 CORCryptoSellNOV 162611160001011099910000004",
  "621011099903000123456789     00000000001024           Jose Nunez            S 1011099910000008",
  "798C050110999000000440000000110999122                                          011099910000008",
  "82000000020001109990000000000000000000000000 198765432MAC                000000011099910000004",
  "9000003000002000000060003329970000000097500000000000001",
  ...Array<string>(6).fill(nines),
];

describe("a bank's own file", () => {
  const died = {
    code: "R15",
    originalTrace: "011099900000041",
    trace: "011099910000007",
    cents: 97_500n,
    information: "He has died",
  };
  const unknown = {
    code: "R03",
    originalTrace: "011099900000043",
    trace: "011099910000003",
    cents: 1n,
    information: "",
  };
  const corrected = {
    code: "C05",
    originalTrace: "011099900000044",
    trace: "011099910000008",
    correctedData: "22".padEnd(29),
  };

  test.each(["\n", "\r\n"])("is read, with lines that end in %j", (end) => {
    expect(read(ofBank.join(end))).toEqual({
      origin: { routingNumber: "011099903", name: "Quay Bank" },
      destination: { id: " 987654321", name: "Slipway Inc" },
      createdOn: "2026-11-18",
      createdAt: "00:00",
      modifier: "A",
      settledOn: "2026-11-17",
      returns: [died, unknown],
      corrections: [corrected],
    });
  });

  test("settles when it is made, if it does not say when", () => {
    expect(read(changed(ofBank, [2, 76, "   "])).settledOn).toBe("2026-11-18");
  });

  test("may hold nothing that came back", () => {
    const [header = ""] = ofBank;
    const empty = [header, `9000000000001${"0".repeat(42)}`, ...Array(8).fill(nines)];
    expect(read(empty.join("\n"))).toMatchObject({
      settledOn: "2026-11-18",
      returns: [],
      corrections: [],
    });
  });

  test.each<[string, string, string]>([
    ["a bad day", changed(ofBank, [1, 24, "261131"]), 'creation date: is "261131", must be a day'],
    ["a bad time", changed(ofBank, [1, 30, "2400"]), 'creation time: is "2400", must be a time'],
    ["no such class", changed(ofBank, [2, 2, "280"], [5, 2, "280"]), "must be 200, 220 or 225"],
    ["debits as credits", changed(ofBank, [2, 2, "220"], [5, 2, "220"]), "line 5, total debit: is"],
    ["both totals", changed(ofBank, [9, 32, "1"]), 'line 9, total credit: is "000000000001", must'],
    ["day 367", changed(ofBank, [2, 76, "367"]), 'settlement date: is "367", must be the number'],
    ["a debit", changed(ofBank, [3, 2, "26"]), 'transaction code: is "26", must be "21" or "31"'],
    ["a payment", changed(ofBank, [7, 2, "22"]), 'line 7, transaction code: is "22", must be'],
    ["a bad bank", changed(ofBank, [7, 12, "4"]), "line 7, receiving bank: 011099904 fails its"],
    ["another trace", changed(ofBank, [4, 94, "6"]), 'line 4, trace number: is "011099910000006"'],
    ["an odd code", changed(ofBank, [4, 4, "X15"]), 'reason code: is "X15", must be R and two'],
    ["an odd change", changed(ofBank, [12, 4, "R05"]), 'change code: is "R05", must be C and two'],
    ["a correction in a return", changed(ofBank, [4, 2, "98"]), 'is "98", must be "99"'],
    ["a return in a correction", changed(ofBank, [12, 2, "99"]), 'is "99", must be "98"'],
    [
      "money in a correction",
      changed(ofBank, [11, 39, "1"], [13, 44, "1"], [14, 55, "2"]),
      'line 11, amount: is "0000000001", must be "0000000000"',
    ],
    [
      "a return without a reason",
      `${changed(ofBank, [7, 79, "0"], [9, 10, "1"], [14, 21, "5"]).replace(/\n799R03.*/, "")}\n${nines}`,
      'line 7, addenda indicator: is "0", must be "1"',
    ],
    [
      "two reasons",
      changed(ofBank, [9, 10, "3"], [14, 21, "7"])
        .replace(/\n799R03.*/, "$&$&")
        .slice(0, -95),
      "line 9: is a second record 7, must be none",
    ],
  ])("is refused with %s", (_, text, message) => {
    expect(() => read(text)).toThrow(BadFile);
    expect(() => read(text)).toThrow(message);
  });
});
