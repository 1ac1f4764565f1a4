import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wireFiles } from "../../../../test/wire-messages.ts";
import { asCents } from "../../../lib/money.ts";
import { BadFile } from "../file-exchange.ts";
import { readPain001, writePain001 } from "./pain001.ts";
import type { WireFile } from "./wire-file.ts";

const debtor = { name: "Slipway Inc.", routingNumber: "026009593", accountNumber: "000123456789" };
const creditor = {
  name: "Johnson & O'Neill",
  routingNumber: "021000021",
  accountNumber: "700000001",
};
const file: WireFile = {
  messageId: "fil-42",
  createdAt: "2026-11-16T17:00:00.000Z",
  executionOn: "2026-11-16",
  debtor,
  orders: [
    {
      endToEndId: "pay-1001",
      cents: asCents(123_456_789n),
      creditor,
      remittance: "Sale of 5 ETH, txn-1001",
    },
    {
      endToEndId: "pay-1002",
      cents: asCents(7n),
      creditor: { ...creditor, name: "Jane Doe" },
      remittance: "",
    },
  ],
};

const golden = () => readFileSync(new URL("golden/pain.001.001.09.xml", import.meta.url), "utf8");
const read = (text: string) => readPain001(Buffer.from(text));

test("wires are written as a bank reads them", async () => {
  const written = writePain001(file).toString();
  await expect(written).toMatchFileSnapshot("golden/pain.001.001.09.xml");
  expect(read(golden())).toEqual(file);
});

test("what is written is read again", () => {
  fc.assert(
    fc.property(wireFiles, (given) => {
      expect(readPain001(writePain001(given))).toEqual(given);
    }),
    { numRuns: 50 },
  );
});

test("each of the schema's rules and of our own is held, and the path says where", () => {
  const transfer = "Document/CstmrCdtTrfInitn/PmtInf/CdtTrfTxInf";
  const wrong: [from: string | RegExp, to: string, message: string][] = [
    ["<MsgId>fil-42<", "<MsgId>fil 42<", "/GrpHdr/MsgId: must be 1 to 35"],
    [/fil-42/g, "f".repeat(36), "/GrpHdr/MsgId: must be 1 to 35"],
    ["17:00:00.000Z", "17:00:00Z", "/GrpHdr/CreDtTm: must be a time such as"],
    ["17:00:00.000Z", "24:00:00.000Z", "/GrpHdr/CreDtTm: must be a time such as"],
    ["<Dt>2026-11-16<", "<Dt>2026-02-29<", "/ReqdExctnDt/Dt: must be a day"],
    ["<NbOfTxs>2<", "<NbOfTxs>3<", "/GrpHdr/NbOfTxs: must be 2"],
    ["1234567.96", "1234567.97", "/GrpHdr/CtrlSum: must be 1234567.96"],
    [
      /1234567\.96([\s\S]*)1234567\.96/,
      "1234567.96$11234567.95",
      "/PmtInf/CtrlSum: must be 1234567.96",
    ],
    [/(<NbOfTxs>2<[\s\S]*)<NbOfTxs>2</, "$1<NbOfTxs>1<", "/PmtInf/NbOfTxs: must be 2"],
    ["<PmtMtd>TRF", "<PmtMtd>CHK", "/PmtInf/PmtMtd: must be TRF"],
    ["<ChrgBr>DEBT", "<ChrgBr>CRED", "/PmtInf/ChrgBr: must be DEBT or SHAR"],
    ["026009593", "026009594", "/DbtrAgt/FinInstnId/ClrSysMmbId/MmbId: fails its check digit"],
    ["pay-1002", "pay-1001", `${transfer}[2]/PmtId/EndToEndId: must be unique`],
    ['Ccy="USD"', 'Ccy="EUR"', `${transfer}[1]/Amt/InstdAmt: must have Ccy="USD"`],
    ['Ccy="USD"', 'Ccy="USD" Ctry="US"', `${transfer}[1]/Amt/InstdAmt: must have no other`],
    [">0.07<", ">0.070<", `${transfer}[2]/Amt/InstdAmt: must be dollars above zero`],
    [">0.07<", ">0.00<", `${transfer}[2]/Amt/InstdAmt: must be dollars above zero`],
    [">0.07<", "> 0.07<", `${transfer}[2]/Amt/InstdAmt: must be dollars above zero`],
    [">0.07<", ">0.07<!-- --><Of/><", `${transfer}[2]/Amt/InstdAmt: must be a text`],
    [">Jane Doe<", ">Jané Doe<", `${transfer}[2]/Cdtr/Nm: must be 1 to 140 characters`],
    [">Jane Doe<", `>${"J".repeat(141)}<`, `${transfer}[2]/Cdtr/Nm: must be 1 to 140 characters`],
    [">Sale of", `>${"x".repeat(120)}Sale of`, `${transfer}[1]/RmtInf/Ustrd: must be 1 to 140`],
    [/<Ustrd>.*<\/Ustrd>\n/, "", `${transfer}[1]/RmtInf: must have Ustrd`],
    [/<PmtId>\n.*\n<\/PmtId>\n/, "", `${transfer}[1]: must have PmtId`],
    [/(<PmtMtd>.*\n)(<BtchBookg>.*\n)/, "$2$1", "/PmtInf: must have PmtMtd"],
    ["</PmtInf>", "</PmtInf><PmtInf/>", "/PmtInf[2]: must not be here"],
    ["<PmtInf>", "<PmtInf>and", "/PmtInf: must have no text of its own"],
    ["pain.001.001.09", "pain.001.001.03", "Document: must be of a namespace of pain.001"],
    ["<PmtMtd>", '<PmtMtd xmlns="urn:other">', "/PmtInf: must have PmtMtd"],
  ];
  for (const [from, to, message] of wrong) {
    const changed = golden().replace(from, to);
    expect(changed).not.toBe(golden());
    expect(() => read(changed)).toThrow(BadFile);
    expect(() => read(changed)).toThrow(message);
  }
});

test.each<[what: string, change: Partial<WireFile>]>([
  ["without wires", { orders: [] }],
  [
    "with a wire of nothing",
    { orders: file.orders.map((order) => ({ ...order, cents: asCents(0n) })) },
  ],
  ["with one id twice", { orders: [...file.orders, ...file.orders] }],
  ["from nobody", { debtor: { ...debtor, name: "" } }],
  ["from someone whose name is not fit for a wire", { debtor: { ...debtor, name: "Łukasz" } }],
])("a file %s is not written", (_, change) => {
  expect(() => writePain001({ ...file, ...change })).toThrow("Broken assumption");
});

describe("a file in which one character is wrong", () => {
  /** Another character of the same kind, so that no form alone gives it away. */
  function other(character: string): string {
    if (/[0-9]/.test(character)) return String((Number(character) + 1) % 10);
    if (/[a-y]/i.test(character)) return String.fromCharCode(character.charCodeAt(0) + 1);
    return character === "x" ? "a" : "x";
  }

  /** What is read of a file, if it is not refused. */
  function outcomeOf(text: string): WireFile | "refused" {
    try {
      return read(text);
    } catch (error) {
      if (error instanceof BadFile) return "refused";
      throw error;
    }
  }

  /** Each with the elements in which it is read as something else, because what they say stands nowhere else. */
  const damages: [
    what: string,
    unchecked: string[],
    damage: (before: string, character: string, after: string) => string,
  ][] = [
    [
      "another than it was",
      ["CreDtTm", "Dt", "EndToEndId", "Id", "Nm", "Ustrd"],
      (before, character, after) => before + other(character) + after,
    ],
    ["missing", ["EndToEndId", "Id", "Nm", "Ustrd"], (before, _, after) => before + after],
  ];

  test.each(damages)(
    "because it is %s, is refused or reads differently",
    (_, unchecked, damage) => {
      const text = golden();
      const [unnoticed, readAs] = [[] as number[], new Set<string>()];
      // What says that it is XML, and white space between elements, say nothing about wires.
      for (let at = text.indexOf("\n"); at < text.length; at++) {
        const character = text[at] ?? "";
        if (character === "\n") continue;
        const outcome = outcomeOf(damage(text.slice(0, at), character, text.slice(at + 1)));
        if (outcome === "refused") continue;
        readAs.add(elementAt(text, at));
        if (isDeepStrictEqual(outcome, file)) unnoticed.push(at);
      }
      expect(unnoticed).toEqual([]);
      expect([...readAs].sort()).toEqual(unchecked);
    },
  );

  test("is refused wherever money could go elsewhere or become more", () => {
    const text = golden();
    const unnoticed: number[] = [];
    for (const { index, 0: line } of text.matchAll(/<(?:InstdAmt|CtrlSum|MmbId|NbOfTxs)[ >].*/g))
      for (let at = index; at < index + line.length; at++) {
        const damaged = text.slice(0, at) + other(text[at] ?? "") + text.slice(at + 1);
        if (outcomeOf(damaged) !== "refused") unnoticed.push(at);
      }
    expect(unnoticed).toEqual([]);
  });

  /** Each element stands on a line of its own. */
  function elementAt(text: string, at: number): string {
    const line = text.slice(text.lastIndexOf("\n", at) + 1);
    return /^<(\w+)/.exec(line)?.[1] ?? line;
  }
});
