import { describe, expect, test } from "vitest";
import { changed, readDamaged } from "../../../../test/ach-damage.ts";
import { golden, mixedFile, personsFile } from "../../../../test/ach-examples.ts";
import { BadFile } from "../file-exchange.ts";
import { readAchFile } from "./read-file.ts";

const text = golden("ccd-and-ppd").toString("latin1");
const lines = text.split("\n");
const read = (other: string) => readAchFile(Buffer.from(other, "latin1"));

describe("a file of payments", () => {
  test("reads as what was written", () => {
    expect(readAchFile(golden("ppd"))).toEqual(personsFile);
    expect(readAchFile(golden("ccd-and-ppd"))).toEqual(mixedFile);
  });

  test("may have the line ends of another system", () => {
    expect(read(text.replaceAll("\n", "\r\n"))).toEqual(mixedFile);
  });

  test("damaged in one character is refused, unless it is in a field that nothing else proves", () => {
    const { different, same } = readDamaged(golden("ccd-and-ppd"), readAchFile);
    expect(same).toEqual([]);
    const unproven = [
      "1 immediateOrigin",
      "1 fileCreationDate",
      "1 fileCreationTime",
      "1 fileIdModifier",
      "1 immediateDestinationName",
      "1 immediateOriginName",
      "5 companyName",
      "5 companyEntryDescription",
      "5 effectiveEntryDate",
      "6 transactionCode",
      "6 accountNumber",
      "6 identification",
      "6 receiverName",
      "6 traceNumber",
      "between two fields",
    ];
    expect(new Set(different)).toEqual(new Set(unproven));
  });
});

describe("a file that is not right says where, what stands there and what should", () => {
  test.each<[string, string, string]>([
    ["an empty file", "", "line 1: is missing: the file breaks off"],
    ["no file at all", "hello", "line 1: has 5 characters, must have 94"],
    ["another record", changed(lines, [1, 1, "5"]), 'line 1, record type: is "5", must be "1"'],
    ["a short line", text.replace("LANTERN ", "LANTERN"), "line 3: has 93"],
    ["a long line", text.replace("LANTERN", "LANTERNS"), "line 3: has 95"],
    ["cut blanks", text.replace(/ +\n/, "\n"), "line 1: has 70 characters, must have 94"],
    ["a missing last end", text.slice(0, -1), "line 10: must end as all the others do"],
    [
      "other letters",
      changed(lines, [3, 55, "\u00c4"]),
      "line 3: has a character that is not plain ASCII",
    ],
    ["small letters", changed(lines, [3, 55, "l"]), "line 3: must not hold small letters"],
    [
      "another record size",
      changed(lines, [1, 35, "095"]),
      'line 1, record size: is "095", must be "094"',
    ],
    [
      "a bad bank",
      changed(lines, [1, 12, "4"]),
      "line 1, immediate destination: 011099943 fails its check",
    ],
    [
      "a bad date",
      changed(lines, [1, 24, "261131"]),
      'file creation date: is "261131", must be a day',
    ],
    [
      "a bad time",
      changed(lines, [1, 30, "2400"]),
      'file creation time: is "2400", must be a time',
    ],
    [
      "a bad modifier",
      changed(lines, [1, 34, "-"]),
      'file id modifier: is "-", must be a letter or a digit',
    ],
    [
      "notes of ours",
      changed(lines, [1, 87, "X"]),
      'line 1, reference code: is "X       ", must be "    ',
    ],
    [
      "debits",
      changed(lines, [2, 2, "225"]),
      'line 4, service class code: is "220", must be "225"',
    ],
    ["another class", changed(lines, [2, 51, "WEB"]), 'is "WEB", must be "PPD" or "CCD"'],
    [
      "no such day",
      changed(lines, [2, 70, "      "]),
      'effective entry date: is "      ", must be a day',
    ],
    [
      "another bank",
      changed(lines, [4, 80, "01109991"]),
      'line 4, originating bank: is "01109991", must be',
    ],
    [
      "another company",
      changed(lines, [4, 45, "2"]),
      'company identification: is "2987654321", must be',
    ],
    [
      "a leap in batches",
      changed(lines, [5, 94, "3"]),
      'line 8, batch number: is "0000002", must be',
    ],
    [
      "a debit",
      changed(lines, [3, 2, "27"]),
      'line 3, transaction code: is "27", must be "22" or "32"',
    ],
    [
      "a bad receiver",
      changed(lines, [3, 12, "7"]),
      "line 3, receiving bank: 011099917 fails its check",
    ],
    [
      "another amount",
      changed(lines, [3, 39, "2"]),
      'line 4, total credit: is "000000000001", must be',
    ],
    [
      "no amount",
      changed(lines, [3, 39, "0"], [4, 44, "0"], [9, 44, "010000097499"]),
      "must be more than 0",
    ],
    ["an addenda", changed(lines, [3, 79, "1"]), 'line 3, addenda indicator: is "1", must be "0"'],
    ["a trace of others", changed(lines, [3, 80, "9"]), 'line 3, trace number: is "91109990000'],
    [
      "a trace again",
      changed(lines, [7, 93, "41"]),
      'trace number: is "011099900000041", must be more',
    ],
    [
      "another count",
      changed(lines, [4, 10, "2"]),
      'entry and addenda count: is "000002", must be "000001"',
    ],
    [
      "another hash",
      changed(lines, [8, 20, "4"]),
      'line 8, entry hash: is "0033219984", must be "0033219983"',
    ],
    [
      "a debit total",
      changed(lines, [8, 32, "1"]),
      'total debit: is "000000000001", must be "000000000000"',
    ],
    [
      "other batches",
      changed(lines, [9, 7, "3"]),
      'line 9, batch count: is "000003", must be "000002"',
    ],
    [
      "other blocks",
      changed(lines, [9, 13, "2"]),
      'line 9, block count: is "000002", must be "000001"',
    ],
    ["other filling", changed(lines, [10, 94, "8"]), "line 10: must hold nothing but 9s"],
    ["no filling", text.slice(0, -95), "line 9: is the last one, must be line 10"],
    ["too much filling", text + text.slice(-95), "line 11: is the last one, must be line 10"],
    ["a batch without entries", withoutLines(3), 'line 3, record type: is "8", must be "6"'],
    ["no end of a batch", withoutLines(4), 'line 4, record type: is "5", must be "8"'],
    ["no end", withoutLines(9, 10), "line 9: is missing: the file breaks off"],
    ["no batch", withoutLines(2, 3, 4, 5, 6, 7, 8), 'line 2, batch count: is "000002", must be'],
  ])("%s", (_, damaged, message) => {
    expect(() => read(damaged)).toThrow(BadFile);
    expect(() => read(damaged)).toThrow(message);
  });

  test("but not what belongs to a person", () => {
    expect(() => read(changed(lines, [3, 55, " LAMP & LANTERN LLC"]))).toThrow(
      "line 3, receiver name: is not as it must be",
    );
  });
});

function withoutLines(...numbers: number[]): string {
  return lines.filter((_, index) => !numbers.includes(index + 1)).join("\n");
}
