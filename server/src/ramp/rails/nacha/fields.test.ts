import { describe, expect, test } from "vitest";
import { fixed, numeric, recordType, text } from "./fields.ts";

const record = recordType({
  recordType: fixed(1, 1, "6", "What it is."),
  amountInCents: numeric(2, 11, "How much."),
  name: text(12, 94, "Whose it is."),
});
const line = `60000000042${"ANNE".padEnd(83)}`;

describe("a table of fields", () => {
  test("is what a record is both written and read from", () => {
    const values = { amountInCents: 42n, name: "ANNE" };
    expect(record.write(values)).toBe(line);
    expect(record.read({ number: 1, text: line })).toEqual(values);
  });

  test.each([
    ["a gap", () => recordType({ first: text(1, 40, ""), second: text(42, 94, "") })],
    ["a field twice", () => recordType({ first: text(1, 40, ""), second: text(40, 94, "") })],
    ["an early end", () => recordType({ first: text(1, 93, "") })],
  ])("cannot have %s", (_, make) => {
    expect(make).toThrow("Broken assumption");
  });

  test.each([
    ["a number that is too long", { amountInCents: 10n ** 10n, name: "" }],
    ["a number below zero", { amountInCents: -1n, name: "" }],
    ["text that is too long", { amountInCents: 1n, name: "A".repeat(84) }],
    ["text with blanks around it", { amountInCents: 1n, name: " A" }],
    ["small letters", { amountInCents: 1n, name: "a" }],
    ["other letters", { amountInCents: 1n, name: "\u00c4" }],
    ["a line end", { amountInCents: 1n, name: "A\nB" }],
  ])("does not write %s", (_, values) => {
    expect(() => record.write(values)).toThrow("Broken assumption");
  });

  test("says in words which field is wrong", () => {
    const wrong = { number: 7, text: line.replace("42", "4 ") };
    expect(() => record.read(wrong)).toThrow(
      'line 7, amount in cents: is "000000004 ", must be 10 digits',
    );
  });
});
