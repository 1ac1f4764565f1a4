import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf } from "../../../../test/ach-damage.ts";
import {
  dayArbitrary,
  golden,
  harbour,
  mixedFile,
  personsFile,
  routingArbitrary,
  timeArbitrary,
} from "../../../../test/ach-examples.ts";
import { asCents } from "../../../lib/money.ts";
import type { AchBatch, AchEntry, AchFile } from "./ach-file.ts";
import { batchControl } from "./batch-control.ts";
import { batchHeader } from "./batch-header.ts";
import { entryDetail } from "./entry-detail.ts";
import { fileControl } from "./file-control.ts";
import { fileHeader } from "./file-header.ts";
import { readAchFile } from "./read-file.ts";
import { achText } from "./text.ts";
import { writeAchFile } from "./write-file.ts";

const textOf = (length: number) =>
  fc.string({ unit: "grapheme", maxLength: 30 }).map((text) => achText(text, length));
const centsMost = 9_999_999_999n;

const entry = fc.record({
  trace: fc.integer({ min: 0, max: 9_999_999 }).map((number) => String(number).padStart(7, "0")),
  accountType: fc.constantFrom("checking", "savings"),
  routingNumber: routingArbitrary,
  accountNumber: fc.stringMatching(/^[0-9A-Z]{4,17}$/),
  cents: fc.bigInt({ min: 1n, max: centsMost }).map(asCents),
  identification: fc.stringMatching(/^[0-9]{1,15}$/),
  name: textOf(22),
} satisfies { [Key in keyof AchEntry]: fc.Arbitrary<AchEntry[Key]> });

const batch: fc.Arbitrary<AchBatch> = fc
  .record({
    entryClass: fc.constantFrom("PPD", "CCD"),
    companyName: textOf(16),
    companyId: fc.stringMatching(/^[0-9A-Z ]{10}$/),
    description: textOf(10),
    effectiveOn: dayArbitrary,
    originator: routingArbitrary.map((digits) => digits.slice(0, 8)),
    entries: fc.uniqueArray(entry, { minLength: 1, maxLength: 12, selector: ({ trace }) => trace }),
  })
  .map(({ entries, ...rest }) => ({
    ...rest,
    entries: entries
      .map((one) => ({ ...one, trace: rest.originator + one.trace }))
      .sort((one, other) => (one.trace < other.trace ? -1 : 1)),
  }));

const file: fc.Arbitrary<AchFile> = fc.record({
  destination: fc.record({ routingNumber: routingArbitrary, name: textOf(23) }),
  origin: fc.record({ id: fc.stringMatching(/^[0-9A-Z ]{10}$/), name: textOf(23) }),
  createdOn: dayArbitrary,
  createdAt: timeArbitrary,
  modifier: fc.stringMatching(/^[A-Z0-9]$/),
  batches: fc.array(batch, { minLength: 1, maxLength: 4 }),
});

describe("a file of payments", () => {
  test("is written to the last blank as it always was", () => {
    expect(writeAchFile(personsFile).toString()).toBe(golden("ppd").toString());
    expect(writeAchFile(mixedFile).toString()).toBe(golden("ccd-and-ppd").toString());
  });

  test("is read as it was written, whatever is in it", () => {
    fc.assert(
      fc.property(file, (written) => {
        expect(readAchFile(writeAchFile(written))).toEqual(written);
      }),
    );
  });

  test("has blocks of ten lines, and ends that add up what stands before them", () => {
    fc.assert(
      fc.property(file, (written) => {
        const lines = writeAchFile(written).toString("latin1").split("\n");
        expect(lines.pop()).toBe("");
        expect(lines.length % 10).toBe(0);
        expect(new Set(lines.map((line) => line.length))).toEqual(new Set([94]));
        const entries = written.batches.flatMap((one) => one.entries);
        const cents = entries.reduce((total, one) => total + one.cents, 0n);
        const hash = entries.reduce((total, one) => total + BigInt(one.routingNumber) / 10n, 0n);
        const end = lines.find((line) => line.startsWith("9"));
        expect(columnsOf(fileControl.fields, end)).toMatchObject({
          batchCount: String(written.batches.length).padStart(6, "0"),
          blockCount: String(lines.length / 10).padStart(6, "0"),
          entryAndAddendaCount: String(entries.length).padStart(8, "0"),
          entryHash: String(hash).slice(-10).padStart(10, "0"),
          totalDebit: "000000000000",
          totalCredit: String(cents).padStart(12, "0"),
        });
      }),
      { numRuns: 30 },
    );
  });
});

describe("in a file of payments", () => {
  const [first, second, third, , fifth, sixth] = golden("ppd").toString().split("\n");

  test("record 1 says who sends it to whom, and when", () => {
    expect(columnsOf(fileHeader.fields, first)).toEqual({
      recordType: "1",
      priorityCode: "01",
      immediateDestination: " 011099903",
      immediateOrigin: "1987654321",
      fileCreationDate: "261116",
      fileCreationTime: "1700",
      fileIdModifier: "A",
      recordSize: "094",
      blockingFactor: "10",
      formatCode: "1",
      immediateDestinationName: "QUAY BANK              ",
      immediateOriginName: "SLIPWAY                ",
      referenceCode: "        ",
    });
  });

  test("record 5 says what its entries have in common", () => {
    expect(columnsOf(batchHeader.fields, second)).toEqual({
      recordType: "5",
      serviceClassCode: "220",
      companyName: "SLIPWAY         ",
      companyDiscretionaryData: "                    ",
      companyIdentification: "1987654321",
      standardEntryClassCode: "PPD",
      companyEntryDescription: "CRYPTOSELL",
      companyDescriptiveDate: "      ",
      effectiveEntryDate: "261117",
      settlementDate: "   ",
      originatorStatusCode: "1",
      originatingBank: "01109990",
      batchNumber: "0000001",
    });
  });

  test("record 6 pays into one account", () => {
    expect(columnsOf(entryDetail.fields, third)).toEqual({
      recordType: "6",
      transactionCode: "22",
      receivingBank: "01109991",
      checkDigit: "6",
      accountNumber: "000123456789     ",
      amount: "0000097500",
      identification: "1024           ",
      receiverName: "JOSE NUNEZ            ",
      discretionaryData: "  ",
      addendaIndicator: "0",
      traceNumber: "011099900000041",
    });
  });

  test("record 8 adds up a batch", () => {
    expect(columnsOf(batchControl.fields, fifth)).toEqual({
      recordType: "8",
      serviceClassCode: "220",
      entryAndAddendaCount: "000002",
      entryHash: "0033219983",
      totalDebit: "000000000000",
      totalCredit: "010000097499",
      companyIdentification: "1987654321",
      messageAuthenticationCode: " ".repeat(19),
      reserved: " ".repeat(6),
      originatingBank: "01109990",
      batchNumber: "0000001",
    });
  });

  test("record 9 adds up the batches", () => {
    expect(columnsOf(fileControl.fields, sixth)).toEqual({
      recordType: "9",
      batchCount: "000001",
      blockCount: "000001",
      entryAndAddendaCount: "00000002",
      entryHash: "0033219983",
      totalDebit: "000000000000",
      totalCredit: "010000097499",
      reserved: " ".repeat(39),
    });
  });
});

describe("what a bank could not take", () => {
  const one: AchEntry = {
    trace: "011099900000041",
    accountType: "checking",
    routingNumber: harbour,
    accountNumber: "000123456789",
    cents: asCents(1n),
    identification: "1024",
    name: "JO",
  };
  const write = (...entries: AchEntry[]) =>
    writeAchFile({
      ...personsFile,
      batches: personsFile.batches.map((batch) => ({ ...batch, entries })),
    });

  test("is put right where nothing is lost: accents, small letters and long names", () => {
    const odd = { ...one, accountNumber: "77a0042", name: "José María Núñez y Domínguez" };
    expect(readAchFile(write(odd)).batches[0]?.entries).toEqual([
      { ...one, accountNumber: "77A0042", name: "JOSE MARIA NUNEZ Y DOM" },
    ]);
  });

  test.each<[string, AchEntry[]]>([
    ["no entry", []],
    ["no money", [{ ...one, cents: asCents(0n) }]],
    ["a debt", [{ ...one, cents: asCents(-1n) }]],
    ["more than there is room for", [{ ...one, cents: asCents(centsMost + 1n) }]],
    ["no account", [{ ...one, accountNumber: "" }]],
    ["a long account", [{ ...one, accountNumber: "1".repeat(18) }]],
    ["a long identification", [{ ...one, identification: "1".repeat(16) }]],
    ["a bank that is none", [{ ...one, routingNumber: "011099917" }]],
    ["the trace of another bank", [{ ...one, trace: "011099910000041" }]],
    ["a short trace", [{ ...one, trace: "01109990041" }]],
    ["a trace twice", [one, one]],
  ])("is not written: %s", (_, entries) => {
    expect(() => write(...entries)).toThrow("Broken assumption");
  });
});
