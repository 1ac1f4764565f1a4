import { describe, expect, test } from "vitest";
import { bankCalendar } from "../../lib/calendar.ts";
import { asCents, asUnits } from "../../lib/money.ts";
import type { PayoutInstruction } from "../../ramp/ports.ts";
import { planPayment } from "./plan.ts";

const calendar = bankCalendar();
/** 17:00 in New York on a Friday in winter. */
const friday = Date.UTC(2026, 10, 13, 22);
const minute = 60_000;

function toBank(rail: "ach" | "wire", accountNumber: string): PayoutInstruction {
  const to = { routingNumber: "021000021", accountNumber, accountType: "checking" as const };
  const holderName = "Ada Lovelace";
  return { reference: "pay-1", rail, cents: asCents(1n), to: { ...to, holderName }, memo: "" };
}

function toWallet(to: string): PayoutInstruction {
  const token = { symbol: "USDC", blockchain: "base", decimals: 6 };
  return { reference: "pay-1", rail: "chain", token, units: asUnits(1n), to };
}

const settlesOnMonday = { kind: "settle", at: Date.UTC(2026, 10, 16, 13, 30) };

describe("an ACH payment", () => {
  test("settles at 08:30 in New York on the open day after its file", () => {
    expect(planPayment(toBank("ach", "12345678"), friday, calendar)).toEqual({
      planned: [settlesOnMonday],
    });
  });

  test("that is handed over on a Saturday goes with Monday's file", () => {
    expect(planPayment(toBank("ach", "12345678"), friday + 86_400_000, calendar)).toEqual({
      planned: [{ kind: "settle", at: Date.UTC(2026, 10, 17, 13, 30) }],
    });
  });

  test.each([
    ["0002", "R02", 17],
    ["0003", "R03", 17],
    ["0004", "R04", 17],
    ["0016", "R16", 17],
    ["0020", "R20", 17],
    ["0023", "R23", 17],
    ["0923", "R23", 19],
  ])("to an account ending in %s comes back with %s on the %ith", (ending, code, day) => {
    expect(planPayment(toBank("ach", `1234${ending}`), friday, calendar)).toEqual({
      planned: [settlesOnMonday, { kind: "return", code, at: Date.UTC(2026, 10, day, 14) }],
    });
  });
});

describe("a wire", () => {
  test("is confirmed after ten minutes", () => {
    const planned = [{ kind: "settle", at: friday + 10 * minute }];
    expect(planPayment(toBank("wire", "12340002"), friday, calendar)).toEqual({ planned });
    const back = { bankReference: "sbw-1" };
    const returned = {
      reference: "pay-1",
      rail: "wire",
      cents: asCents(1n),
      returns: back,
    } as const;
    expect(planPayment(returned, friday, calendar)).toEqual({ planned });
  });

  test("to an account ending in 0098 is rejected on its way", () => {
    expect(planPayment(toBank("wire", "12340098"), friday, calendar)).toEqual({
      planned: [
        { kind: "fail", at: friday + 10 * minute, why: "the receiving bank rejected the wire" },
      ],
    });
  });
});

test.each(["ach", "wire"] as const)(
  "%s to an account ending in 0099 is refused at once",
  (rail) => {
    expect(planPayment(toBank(rail, "12340099"), friday, calendar)).toEqual({
      refused: "the bank cannot pay to this account",
    });
  },
);

describe("a transfer on a chain", () => {
  test("settles after a minute", () => {
    expect(planPayment(toWallet("0xabc"), friday, calendar)).toEqual({
      planned: [{ kind: "settle", at: friday + minute }],
    });
  });

  test.each(["0xbeef", "0xBEEF", "0xBeEf"])("to %s is reverted", (to) => {
    expect(planPayment(toWallet(to), friday, calendar)).toEqual({
      planned: [{ kind: "fail", at: friday + minute, why: "the transfer was reverted" }],
    });
  });
});
