import { readFileSync } from "node:fs";
import fc from "fast-check";
import { addDays } from "../src/lib/calendar.ts";
import { asCents } from "../src/lib/money.ts";
import type { AchBatch, AchFile, AchReturnFile } from "../src/ramp/rails/nacha/ach-file.ts";
import { routingNumber } from "./fed-lines.ts";

/** Banks that do not exist: ours, and two of customers. */
const quayBank = routingNumber("01109990");
export const harbour = routingNumber("01109991");
const meadow = routingNumber("32109992");

const us = { id: "1987654321", name: "SLIPWAY" };
const bank = { routingNumber: quayBank, name: "QUAY BANK" };

const persons: AchBatch = {
  entryClass: "PPD",
  companyName: "SLIPWAY",
  companyId: us.id,
  description: "CRYPTOSELL",
  effectiveOn: "2026-11-17",
  originator: quayBank.slice(0, 8),
  entries: [
    {
      trace: "011099900000041",
      accountType: "checking",
      routingNumber: harbour,
      accountNumber: "000123456789",
      cents: asCents(97_500n),
      identification: "1024",
      name: "JOSE NUNEZ",
    },
    {
      trace: "011099900000044",
      accountType: "savings",
      routingNumber: meadow,
      accountNumber: "12345678901234567",
      cents: asCents(9_999_999_999n),
      identification: "123456789012345",
      name: "ANNE-MARIE O'SULLIVAN-",
    },
  ],
};

const firms: AchBatch = {
  ...persons,
  entryClass: "CCD",
  effectiveOn: "2026-11-18",
  entries: [
    {
      trace: "011099900000043",
      accountType: "checking",
      routingNumber: harbour,
      accountNumber: "77A0042",
      cents: asCents(1n),
      identification: "1026",
      name: "LAMP & LANTERN LLC",
    },
  ],
};

/** Payments to two persons. */
export const personsFile: AchFile = {
  destination: bank,
  origin: us,
  createdOn: "2026-11-16",
  createdAt: "17:00",
  modifier: "A",
  batches: [persons],
};

/** A firm's and two persons'. */
export const mixedFile: AchFile = { ...personsFile, modifier: "7", batches: [firms, persons] };

/** Two payments that came back, from different banks. */
export const returnFile: AchReturnFile = {
  origin: bank,
  destination: us,
  createdOn: "2026-11-18",
  createdAt: "08:30",
  modifier: "A",
  settledOn: "2026-11-18",
  returns: [
    {
      code: "R03",
      originalTrace: "011099900000041",
      trace: `${harbour.slice(0, 8)}0000007`,
      cents: asCents(97_500n),
      information: "",
    },
    {
      code: "R23",
      originalTrace: "011099900000044",
      trace: `${meadow.slice(0, 8)}0000001`,
      cents: asCents(9_999_999_999n),
      information: "REFUSED BY RECEIVER",
    },
  ],
  corrections: [],
};

/** A payment that was made to an account which has another number by now, at another bank. */
export const correctionFile: AchReturnFile = {
  ...returnFile,
  modifier: "B",
  returns: [],
  corrections: [
    {
      code: "C03",
      originalTrace: "011099900000041",
      trace: `${harbour.slice(0, 8)}0000008`,
      correctedData: `${meadow}   000123456789     `,
    },
  ],
};

/** A file as it is kept beside the code. */
export function golden(name: "ppd" | "ccd-and-ppd" | "returns" | "corrections"): Buffer {
  return readFileSync(new URL(`../src/ramp/rails/nacha/golden/${name}.ach`, import.meta.url));
}

/** Any bank that might be one. */
export const routingArbitrary = fc
  .tuple(
    fc.constantFrom("01", "12", "21", "32", "61", "72", "80"),
    fc.integer({ max: 999_999, min: 0 }),
  )
  .map(([district, rest]) => routingNumber(district + String(rest).padStart(6, "0")));

/** Any day that a file can be made on. */
export const dayArbitrary = fc
  .integer({ min: 366, max: 36_000 })
  .map((days) => addDays("2000-01-01", days));

/** Any time of day. */
export const timeArbitrary = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));
