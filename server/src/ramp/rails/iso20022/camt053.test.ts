import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { statements } from "../../../../test/wire-messages.ts";
import { newYorkTime } from "../../../lib/calendar.ts";
import { asCents } from "../../../lib/money.ts";
import { BadFile } from "../file-exchange.ts";
import { readCamt053, writeCamt053 } from "./camt053.ts";
import type { BankStatement } from "./wire-file.ts";

const statement: BankStatement = {
  id: "STM-20261116",
  createdAt: "2026-11-17T06:00:00.000Z",
  accountNumber: "000123456789",
  from: newYorkTime("2026-11-16", 0),
  to: newYorkTime("2026-11-17", 0),
  openingCents: -50_000n,
  closingCents: 43_211n,
  lines: [
    {
      reference: "W-1",
      direction: "credit",
      cents: asCents(100_000n),
      isReversal: false,
      bookedAt: newYorkTime("2026-11-16", 12),
      endToEndId: null,
      counterparty: { name: "Jane Doe", routingNumber: "021000021", accountNumber: "700000001" },
      returnReason: null,
      texts: ["RMP 7K3Q 9XW2 MT5"],
    },
    {
      reference: "A-1",
      direction: "debit",
      cents: asCents(6_789n),
      isReversal: false,
      bookedAt: newYorkTime("2026-11-16", 18),
      endToEndId: "slipway-ach-20261116-1700-1.ach",
      counterparty: null,
      returnReason: null,
      texts: ["slipway-ach-20261116-1700-1.ach"],
    },
  ],
};

const golden = () => readFileSync(new URL("golden/camt.053.001.08.xml", import.meta.url), "utf8");
const read = (text: string) => readCamt053(Buffer.from(text));

test("a statement is written as banks do", async () => {
  await expect(writeCamt053(statement).toString()).toMatchFileSnapshot(
    "golden/camt.053.001.08.xml",
  );
  expect(read(golden())).toEqual(statement);
});

test("what is written is read again", () => {
  fc.assert(
    fc.property(statements, (given) => {
      expect(readCamt053(writeCamt053(given))).toEqual(given);
    }),
    { numRuns: 50 },
  );
});

test("a statement without a period is of the days of its balances", () => {
  const balancesOn = (opening: string, closing: string) => {
    const days = [opening, closing];
    return golden()
      .replace(/<FrToDt>[\s\S]*<\/FrToDt>\n/, "")
      .replace(
        /(<Bal>[\s\S]*?<Dt>\n)<DtTm>.*<\/DtTm>/g,
        (_, start) => `${start}<Dt>${days.shift()}</Dt>`,
      );
  };
  const { from, to } = statement;
  expect(read(balancesOn("2026-11-16", "2026-11-16"))).toMatchObject({ from, to });
  const previous = balancesOn("2026-11-15", "2026-11-16").replace(">OPBD<", ">PRCD<");
  expect(read(previous)).toMatchObject({ from, to, openingCents: -50_000n });
});

test("a statement whose entries do not explain its balances is refused, whatever was changed", () => {
  const amounts = [...golden().matchAll(/>[0-9]+\.[0-9]{2}</g)];
  const ofBalancesAndEntries = amounts.filter(({ index }) => !isInDetails(index));
  expect(ofBalancesAndEntries).toHaveLength(4);
  for (const { index } of ofBalancesAndEntries) {
    const changed = `${golden().slice(0, index + 1)}1${golden().slice(index + 1)}`;
    expect(() => read(changed)).toThrow("must be the opening balance with all booked entries");
  }
});

const isInDetails = (index: number) =>
  golden().lastIndexOf("<TxDtls>", index) > golden().lastIndexOf("<Ntry>", index);

test.each<[message: string, from: string | RegExp, to: string]>([
  ["Bal[2]: must be the opening balance with all", "<CdtDbtInd>DBIT", "<CdtDbtInd>CRDT"],
  ["Bal[2]: must be the opening balance with all", ">BOOK<", ">PDNG<"],
  ["Stmt: must have the balances OPBD or PRCD, and CLBD", ">CLBD<", ">CLAV<"],
  ["Bal[2]: must be the only balance CLBD", ">OPBD<", ">CLBD<"],
  ['Bal[1]/Amt: must have Ccy="USD"', 'Ccy="USD">500.00', 'Ccy="CAD">500.00'],
  ["Stmt: must have an account", /<Acct>[\s\S]*<\/Acct>\n/, ""],
  ["Stmt: must not end before it begins", "<ToDtTm>2026", "<ToDtTm>2025"],
  ["Stmt[2]: must be there only once", "</Stmt>", "</Stmt><Stmt/>"],
  ["BkToCstmrStmt: must have Stmt", /<Stmt>[\s\S]*<\/Stmt>\n/, ""],
])("a statement is refused: %s", (message, from, to) => {
  const changed = golden().replace(from, to);
  expect(changed).not.toBe(golden());
  expect(() => read(changed)).toThrow(BadFile);
  expect(() => read(changed)).toThrow(message);
});
