import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { strangeTexts } from "../../../../test/wire-messages.ts";
import { BadFile } from "../file-exchange.ts";
import { readCamt053 } from "./camt053.ts";
import { readCamt054 } from "./camt054.ts";
import { messageKindOf } from "./message-kind.ts";
import { readPacs002 } from "./pacs002.ts";
import { readPain001 } from "./pain001.ts";
import { readPain002 } from "./pain002.ts";

const folder = new URL("golden/", import.meta.url);
const goldens = readdirSync(folder).map((name) => ({
  name,
  bytes: readFileSync(new URL(name, folder)),
}));

const readers = {
  "pain.001": readPain001,
  "pain.002": readPain002,
  "pacs.002": readPacs002,
  "camt.054": readCamt054,
  "camt.053": readCamt053,
};

test.each(goldens)("$name is known for what it is", ({ name, bytes }) => {
  const kind = messageKindOf(bytes);
  expect(name).toContain(kind);
  expect(kind && readers[kind](bytes)).toBeDefined();
});

test.each([
  ["", undefined],
  ["<Document/>", undefined],
  ["<Other><Document><BkToCstmrStmt/></Document></Other>", "camt.053"],
  ["<Document><FIToFIPmtStsRpt/></Document>", "pacs.002"],
  ["<Document><CstmrPmtStsRpt/></Document>", "pain.002"],
  ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.99"/>', "camt.053"],
  ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.08"/>', undefined],
  ["<E><Document><BkToCstmrStmt/></Document><Document/></E>", undefined],
  ["101 021000021 1234567890", undefined],
])("%j is %s", (text, kind) => {
  expect(messageKindOf(Buffer.from(text))).toBe(kind);
});

describe("whatever a bank sends", () => {
  /** Reads bytes as every message. Nothing but a refusal may come of what is wrong. */
  function readAsAll(bytes: Buffer): void {
    messageKindOf(bytes);
    for (const read of Object.values(readers)) {
      try {
        expect(read(bytes)).toBeDefined();
      } catch (error) {
        expect(error).toBeInstanceOf(BadFile);
      }
    }
  }

  test("random bytes are read or refused", () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      strangeTexts.map((text) => Buffer.from(text)),
    );
    fc.assert(fc.property(bytes, (given) => readAsAll(Buffer.from(given))));
  });

  test("messages in which something is left out, put in or repeated are read or refused", () => {
    const piece = fc.oneof(
      fc.constantFrom("", "<", "&", "</Ntry>", "<Ntry>", "0", "\u0000"),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...goldens),
        fc.nat(),
        fc.nat(80),
        piece,
        ({ bytes }, place, length, put) => {
          const text = bytes.toString();
          const at = place % text.length;
          readAsAll(Buffer.from(text.slice(0, at) + put + text.slice(at + length)));
          readAsAll(Buffer.from(text.slice(0, at) + text.slice(Math.max(0, at - length))));
        },
      ),
    );
  });
});
