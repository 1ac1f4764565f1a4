import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprintOf, idempotencyKey } from "./idempotency.ts";

const asked = { userId: "usr-1", params: {}, query: {}, body: {} };

/** The same value with the names of every object the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}

describe("an Idempotency-Key", () => {
  test.each(["a", "8e03978e-40d5-43e8-bc93-6894a57f9324", '"quoted"', "a b", "x".repeat(255)])(
    "may be %j",
    (key) => {
      expect(idempotencyKey({ "idempotency-key": key })).toBe(key);
    },
  );

  test.each(["", "x".repeat(256), "a\tb", "a\u0000", "é", "\u007f"])("may not be %j", (key) => {
    expect(() => idempotencyKey({ "idempotency-key": key })).toThrow(
      "Idempotency-Key must be 1 to 255 characters.",
    );
  });

  test("may be left out", () => {
    expect(idempotencyKey({})).toBeUndefined();
  });
});

describe("a fingerprint", () => {
  test("does not depend on the order of names, the key, or how a number is written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const body = JSON.parse(JSON.stringify({ value }));
        const again = { ...asked, body: { ...(reversed(body) as object), "api-key": "other" } };
        expect(fingerprintOf(again)).toEqual(fingerprintOf({ ...asked, body }));
      }),
    );
    expect(fingerprintOf({ ...asked, body: JSON.parse("[1e2]") })).toEqual(
      fingerprintOf({ ...asked, body: [100] }),
    );
  });

  test("tells bodies apart", () => {
    const bodies = [
      {},
      { a: null },
      { a: 1 },
      { a: "1" },
      { a: [1] },
      { b: 1 },
      [1],
      [[1]],
      [1, 1],
    ];
    const texts = [{ a: "b,c" }, { a: '","b":"c' }, { a: "", b: "c" }, "a", null];
    const prints = [...bodies, ...texts].map((body) =>
      fingerprintOf({ ...asked, body }).toString("hex"),
    );
    expect(new Set(prints).size).toBe(prints.length);
  });

  test("depends on the account, the path and the query", () => {
    const prints = [
      asked,
      { ...asked, userId: "usr-2" },
      { ...asked, params: { id: "txn-1" } },
      { ...asked, query: { userId: "usr-2" } },
    ].map((each) => fingerprintOf(each).toString("hex"));
    expect(new Set(prints).size).toBe(prints.length);
  });

  test("of a body that is nested thousands deep is refused, not tried", () => {
    const body: unknown = JSON.parse("[".repeat(30_000) + "]".repeat(30_000));
    expect(() => fingerprintOf({ ...asked, body })).toThrow("nested too deeply");
  });
});
