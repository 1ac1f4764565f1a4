import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { notifications } from "../../../../test/wire-messages.ts";
import { newYorkTime } from "../../../lib/calendar.ts";
import { asCents } from "../../../lib/money.ts";
import { BadFile } from "../file-exchange.ts";
import { readCamt054, writeCamt054 } from "./camt054.ts";
import type { BankNotification } from "./wire-file.ts";

const jane = { name: "Jane Doe", routingNumber: "021000021", accountNumber: "700000001" };
const notification: BankNotification = {
  messageId: "NTF-1",
  createdAt: "2026-11-16T17:10:00.000Z",
  accountNumber: "000123456789",
  lines: [
    {
      reference: "W-1",
      direction: "credit",
      cents: asCents(100_000n),
      isReversal: false,
      bookedAt: Date.UTC(2026, 10, 16, 17, 9, 8, 7),
      endToEndId: null,
      counterparty: jane,
      returnReason: null,
      texts: ["RMP 7K3Q 9XW2 MT5"],
    },
    {
      reference: "W-2",
      direction: "credit",
      cents: asCents(7n),
      isReversal: false,
      bookedAt: Date.UTC(2026, 10, 16, 17),
      endToEndId: "pay-1002",
      counterparty: jane,
      returnReason: "AC04",
      texts: ["pay-1002"],
    },
  ],
};

const goldenFile = (name: string) =>
  readFileSync(new URL(`golden/${name}`, import.meta.url), "utf8");
const golden = () => goldenFile("camt.054.001.08.xml");
const read = (text: string) => readCamt054(Buffer.from(text));

test("what happened on an account is written as banks do", async () => {
  const written = writeCamt054(notification).toString();
  await expect(written).toMatchFileSnapshot("golden/camt.054.001.08.xml");
  expect(read(golden())).toEqual(notification);
});

test("what is written is read again", () => {
  fc.assert(
    fc.property(notifications, (given) => {
      expect(readCamt054(writeCamt054(given))).toEqual(given);
    }),
    { numRuns: 50 },
  );
});

test("another bank's notification is read: an old version, prefixes, batches, and much that we do not use", () => {
  const { messageId, createdAt, accountNumber, lines } = read(
    goldenFile("foreign-camt.054.001.02.xml"),
  );
  expect({ messageId, createdAt, accountNumber }).toEqual({
    messageId: "N-2026-320",
    createdAt: "2026-11-16T17:30:00.123Z",
    accountNumber: "000123456789",
  });
  const credit = { direction: "credit", isReversal: false, returnReason: null };
  expect(lines).toEqual([
    {
      ...credit,
      reference: "B-1/1",
      cents: 10_050n,
      bookedAt: newYorkTime("2026-11-16", 0),
      endToEndId: null,
      counterparty: {
        name: "Zoë Großmann & Söhne",
        routingNumber: "",
        accountNumber: "DE02120300000000202051",
      },
      texts: ["RMP 7K3Q", "9XW2 <MT5>", "RF18539007547034", "FOR THE HOUSE"],
    },
    {
      ...credit,
      reference: "B-1/2",
      cents: 19_950n,
      bookedAt: newYorkTime("2026-11-16", 0),
      endToEndId: "INV-7",
      counterparty: { name: "Jane Doe", routingNumber: "021000021", accountNumber: "" },
      texts: ["INV-7"],
    },
    {
      reference: "N-2026-320/3",
      direction: "debit",
      cents: 123_456n,
      isReversal: false,
      bookedAt: newYorkTime("2026-07-01", 0),
      endToEndId: "fil-42",
      counterparty: null,
      returnReason: null,
      texts: ["fil-42", "pay-1", "pay-2", "OUTGOING WIRES"],
    },
    {
      reference: "20261116MMQFMPA1000042",
      direction: "credit",
      cents: 2_000n,
      isReversal: true,
      bookedAt: newYorkTime("2026-11-16", 12),
      endToEndId: "pay-3",
      counterparty: { name: "Jane Doe", routingNumber: "", accountNumber: "" },
      returnReason: "MS03",
      texts: ["pay-3"],
    },
  ]);
});

describe("a booked batch", () => {
  const payment = (cents: string, more = "") =>
    `<TxDtls><Refs>${more}</Refs><Amt Ccy="USD">${cents}</Amt></TxDtls>`;
  const withPayments = (...payments: string[]) =>
    golden().replace(/<NtryDtls>[\s\S]*?<\/NtryDtls>/, `<NtryDtls>${payments.join("")}</NtryDtls>`);

  test("is as many lines as payments, each with its own reference if it has one", () => {
    const own = (name: string) => `<AcctSvcrRef>${name}</AcctSvcrRef>`;
    const { lines } = read(withPayments(payment("1", own("P-1")), payment("999", own("P-2"))));
    expect(lines.map(({ reference, cents }) => [reference, cents])).toEqual([
      ["P-1", 100n],
      ["P-2", 99_900n],
      ["W-2", 7n],
    ]);
  });

  test("can hold payments of both directions, which add up", () => {
    const out = payment("500").replace("</Refs>", "</Refs><CdtDbtInd>DBIT</CdtDbtInd>");
    const wrongOrder = out.replace(/(<CdtDbtInd>.*<\/CdtDbtInd>)(<Amt.*<\/Amt>)/, "$2$1");
    const { lines } = read(withPayments(payment("1500"), wrongOrder));
    expect(lines.map(({ direction, cents }) => [direction, cents])).toEqual([
      ["credit", 150_000n],
      ["debit", 50_000n],
      ["credit", 7n],
    ]);
  });

  test("whose payments do not add up, or not all have amounts, is refused", () => {
    const none = "<TxDtls/>";
    expect(() => read(withPayments(payment("1"), payment("998.99")))).toThrow("add up to its Amt");
    expect(() => read(withPayments(payment("1000"), none))).toThrow("TxDtls[2]: must have an Amt");
    expect(read(withPayments(none, none)).lines).toHaveLength(2);
  });

  test("of payments that came back says so", () => {
    const returned = "<TxDtls><RtrInf><Rsn><Cd>AC01</Cd></Rsn></RtrInf></TxDtls>";
    expect(read(withPayments(returned, returned)).lines[0]?.returnReason).toBe("AC01");
  });
});

test("only what is booked counts, and what is nothing does not", () => {
  const [, second] = notification.lines;
  for (const status of ["PDNG", "INFO", "FUTR"])
    expect(read(golden().replace(">BOOK<", `>${status}<`)).lines).toEqual([second]);
  expect(read(golden().replace(">1000.00<", ">0<")).lines).toEqual([second]);
});

test("a credit is known by the bank's reference or the network's, never by its place in a message", () => {
  const nameless = golden().replaceAll("<AcctSvcrRef>W-1</AcctSvcrRef>\n", "");
  const named = (reference: string) => nameless.replace("<EndToEndId>", `${reference}<EndToEndId>`);
  const uetr = "eb6305c9-1f7f-49de-aed0-16487c27b42d";
  expect(() => read(nameless)).toThrow("Ntry[1]: must have AcctSvcrRef, to count once");
  expect(read(named("<ClrSysRef>OMAD-1</ClrSysRef>")).lines[0]?.reference).toBe("OMAD-1");
  expect(read(named(`<UETR>${uetr}</UETR>`)).lines[0]?.reference).toBe(uetr);
  expect(() => read(named("<UETR>not one</UETR>"))).toThrow("must have AcctSvcrRef");
});

test("a line that takes back another may have its reference, another credit may not", () => {
  const twins = golden().replaceAll("W-2", "W-1");
  expect(read(twins).lines).toHaveLength(2);
  const credits = twins.replace(/<RtrInf>[\s\S]*?<\/RtrInf>\n/, "");
  expect(() => read(credits)).toThrow("Ntfctn: must have a reference of its own for each credit");
});

test.each<[message: string, from: string | RegExp, to: string]>([
  ['Ntry[1]/Amt: must have Ccy="USD"', '<Amt Ccy="USD">1000.00', '<Amt Ccy="EUR">1000.00'],
  ["Ntry[1]/Amt: must be dollars with up to two decimals", ">1000.00<", ">1000.001<"],
  ["Ntry[1]/Amt: must be dollars", ">1000.00<", ">-1000.00<"],
  ["Ntry[1]/Amt: must be dollars", ">1000.00<", ">1e3<"],
  ["Ntry[1]/Amt: must be dollars", ">1000.00<", `>${"1".repeat(19)}<`],
  ["Ntry[1]/CdtDbtInd: must be CRDT or DBIT", "CRDT", "constructor"],
  ["Ntry[1]: must have CdtDbtInd", "<CdtDbtInd>CRDT</CdtDbtInd>", ""],
  ["Ntry[1]: must have a Sts that is known", "BOOK", "LATE"],
  ["Ntry[1]/RvslInd: must be true or false", "<Sts>", "<RvslInd>maybe</RvslInd><Sts>"],
  ["Ntry[1]/Amt[2]: must be there only once", "<Sts>", '<Amt Ccy="USD">1.00</Amt><Sts>'],
  ["Ntry[1]/BookgDt/DtTm: must be a date and time", "17:09:08.007Z", "17:60:00Z"],
  ["must be a date and time", "2026-11-16T17:09:08.007Z", "0000-01-01T00:00:00Z"],
  ["must be a date and time", "2026-11-16T17:09:08.007Z", "2026-02-30T00:00:00Z"],
  ["DbtrAcct: must have a number of at most 34", "<Id>700000001", `<Id>${"7".repeat(35)}`],
  ["must be about one account", "</Ntfctn>", "</Ntfctn><Ntfctn/>"],
  ["must have a text in GrpHdr/MsgId", "<MsgId>NTF-1</MsgId>", ""],
  ["must be of a namespace of camt.054", "camt.054.001.08", "camt.053.001.08"],
])("a notification is refused: %s", (message, from, to) => {
  const changed = golden().replace(from, to);
  expect(changed).not.toBe(golden());
  expect(() => read(changed)).toThrow(BadFile);
  expect(() => read(changed)).toThrow(message);
});
