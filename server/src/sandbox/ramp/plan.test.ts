import { describe, expect, test } from "vitest";
import { bankCalendar } from "../../lib/calendar.ts";
import { planEntry, planTransfer, planWire } from "./plan.ts";

const calendar = bankCalendar();
/** 17:00 in New York on a Friday in winter. */
const friday = Date.UTC(2026, 10, 13, 22);
const minute = 60_000;

describe("an ACH payment that settles on a Monday", () => {
  const plan = (accountNumber: string, accountType: "checking" | "savings" = "checking") =>
    planEntry({ accountNumber, accountType }, "2026-11-16", calendar);

  test("to most accounts goes through nothing else", () => {
    expect(plan("12345678")).toEqual([]);
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
    expect(plan(`1234${ending}`)).toEqual([
      { kind: "return", code, at: Date.UTC(2026, 10, day, 14) },
    ]);
  });

  test("to an account ending in 0099 comes back before it settles", () => {
    const at = Date.UTC(2026, 10, 16, 13);
    expect(plan("12340099")).toEqual([{ kind: "return", code: "R03", at }]);
  });

  test.each([
    ["checking", /^32 +$/],
    ["savings", /^22 +$/],
  ] as const)("to a %s account ending in 0105 is said to be the other kind", (type, data) => {
    const at = Date.UTC(2026, 10, 17, 14);
    const correctedData = expect.stringMatching(data);
    expect(plan("12340105", type)).toEqual([{ kind: "correct", code: "C05", at, correctedData }]);
  });
});

describe("a wire", () => {
  const plan = (accountNumber: string) => planWire(accountNumber, friday, calendar);
  const settle = { kind: "settle", at: friday + 10 * minute };

  test("is confirmed after ten minutes", () => {
    expect(plan("12340002")).toEqual({ planned: [settle] });
  });

  test("to an account ending in 0097 comes back on the next open day", () => {
    const back = { kind: "return", code: "AC04", at: Date.UTC(2026, 10, 16, 14) };
    expect(plan("12340097")).toEqual({ planned: [settle, back] });
  });

  test("to an account ending in 0098 is rejected on its way", () => {
    const why = "AC06 the receiving bank rejected the wire";
    expect(plan("12340098")).toEqual({
      planned: [{ kind: "fail", at: friday + 10 * minute, why }],
    });
  });

  test("to an account ending in 0099 is refused at once", () => {
    expect(plan("12340099")).toEqual({ refused: "AC01 the bank cannot pay to this account" });
  });
});

describe("a transfer on a chain", () => {
  test("settles after a minute", () => {
    expect(planTransfer("0xabc", friday)).toEqual([{ kind: "settle", at: friday + minute }]);
  });

  test.each(["0xbeef", "0xBEEF", "0xBeEf"])("to %s is reverted", (to) => {
    expect(planTransfer(to, friday)).toEqual([
      { kind: "fail", at: friday + minute, why: "the transfer was reverted" },
    ]);
  });
});
