import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf } from "../../../../test/ach-damage.ts";
import {
  correctionFile,
  golden,
  returnFile,
  routingArbitrary,
  timeArbitrary,
} from "../../../../test/ach-examples.ts";
import { addDays } from "../../../lib/calendar.ts";
import { asCents } from "../../../lib/money.ts";
import type { AchReturnFile } from "./ach-file.ts";
import { correctionAddenda, returnAddenda } from "./addenda.ts";
import { entryDetail } from "./entry-detail.ts";
import { readAchReturns } from "./read-returns.ts";
import { achText } from "./text.ts";
import { writeAchReturns } from "./write-returns.ts";

const textOf = (length: number) =>
  fc.string({ unit: "grapheme", maxLength: 50 }).map((text) => achText(text, length));
/** Few banks and numbers, so that batches have several entries and some traces come again. */
const trace = fc
  .tuple(fc.constantFrom("01109991", "32109992"), fc.integer({ min: 1, max: 9 }))
  .map(([bank, number]) => `${bank}000000${number}`);
const originalTrace = fc.stringMatching(/^[0-9]{15}$/);

const file: fc.Arbitrary<AchReturnFile> = fc
  .record({
    origin: fc.record({ routingNumber: routingArbitrary, name: textOf(23) }),
    destination: fc.record({ id: fc.stringMatching(/^[0-9A-Z ]{10}$/), name: textOf(23) }),
    createdOn: fc.integer({ min: 0, max: 36_000 }).map((days) => addDays("2000-07-01", days)),
    createdAt: timeArbitrary,
    modifier: fc.stringMatching(/^[A-Z0-9]$/),
    settledAfter: fc.integer({ min: -180, max: 180 }),
    returns: fc.array(
      fc.record({
        code: fc.stringMatching(/^R[0-8][1-5]$/),
        originalTrace,
        trace,
        cents: fc.bigInt({ min: 1n, max: 9_999_999_999n }).map(asCents),
        information: textOf(44),
      }),
      { maxLength: 12 },
    ),
    corrections: fc.array(
      fc.record({
        code: fc.stringMatching(/^C0[1-7]$/),
        originalTrace,
        trace,
        correctedData: fc.stringMatching(/^[ -`{-~]{29}$/),
      }),
      { maxLength: 6 },
    ),
  })
  .filter(({ returns, corrections }) => returns.length + corrections.length > 0)
  .map(({ settledAfter, ...rest }) => ({
    ...rest,
    settledOn: addDays(rest.createdOn, settledAfter),
  }));

describe("a file of returns", () => {
  test("is written to the last blank as it always was", () => {
    expect(writeAchReturns(returnFile).toString()).toBe(golden("returns").toString());
    expect(writeAchReturns(correctionFile).toString()).toBe(golden("corrections").toString());
  });

  test("is read as it was written, whatever came back", () => {
    fc.assert(
      fc.property(file, (written) => {
        expect(readAchReturns(writeAchReturns(written))).toEqual(written);
      }),
    );
  });

  test("is not written when nothing came back", () => {
    expect(() => writeAchReturns({ ...returnFile, returns: [] })).toThrow("Broken assumption");
  });

  test("has traces that grow inside each batch", () => {
    fc.assert(
      fc.property(file, (written) => {
        const batches = writeAchReturns(written)
          .toString("latin1")
          .split(/^5.*\n/m)
          .slice(1);
        for (const batch of batches) {
          const traces = [...batch.matchAll(/^6.{78}(\d{15})$/gm)].map(([, one]) => one);
          expect(traces).toEqual([...new Set(traces)].sort());
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("in a file of returns", () => {
  test("record 6 is the entry that comes back, and record 7 says why", () => {
    const [, , entry, addenda] = golden("returns").toString().split("\n");
    expect(columnsOf(entryDetail.fields, entry)).toMatchObject({
      transactionCode: "21",
      receivingBank: "01109990",
      checkDigit: "3",
      amount: "0000097500",
      addendaIndicator: "1",
      traceNumber: "011099910000007",
    });
    expect(columnsOf(returnAddenda.fields, addenda)).toEqual({
      recordType: "7",
      addendaType: "99",
      returnReasonCode: "R03",
      originalTraceNumber: "011099900000041",
      dateOfDeath: "      ",
      originalReceivingBank: "01109991",
      information: " ".repeat(44),
      traceNumber: "011099910000007",
    });
  });

  test("record 7 of a correction says what is right", () => {
    const [, , , addenda] = golden("corrections").toString().split("\n");
    expect(columnsOf(correctionAddenda.fields, addenda)).toEqual({
      recordType: "7",
      addendaType: "98",
      changeCode: "C03",
      originalTraceNumber: "011099900000041",
      reserved: "      ",
      originalReceivingBank: "01109991",
      correctedData: "321099923   000123456789     ",
      reservedToo: " ".repeat(15),
      traceNumber: "011099910000008",
    });
  });
});
