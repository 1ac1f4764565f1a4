import fc from "fast-check";
import { expect, test } from "vitest";
import { backoffMs } from "./backoff.ts";
import { isId, newId } from "./ids.ts";
import { systemRandom } from "./random.ts";
import { timestamp } from "./timestamp.ts";

test("a new id is its prefix and fourteen digits, and never the same twice", () => {
  const ids = Array.from({ length: 10_000 }, () => newId("usr", systemRandom));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^usr-[1-9]\d{13}$/.test(id) && isId("usr", id))).toBe(true);
});

test.each(["usr-", "usr-1x", "wal-1", "usr-１", "", "usr--1", "usr-123456789012345678901"])(
  "%j is not an id of a user",
  (text) => expect(isId("usr", text)).toBe(false),
);

test("a timestamp is UTC with milliseconds and no zone", () => {
  expect(timestamp(new Date(Date.UTC(2026, 10, 14, 23, 51, 7, 42)))).toBe(
    "2026-11-14T23:51:07.042",
  );
});

test("waiting grows with each attempt, stays under its cap, and is never nothing", () => {
  const limits = { firstMs: 10, mostMs: 1_000 };
  fc.assert(
    fc.property(fc.nat(100), (attempt) => {
      const full = Math.min(1_000, 10 * 2 ** attempt);
      const ms = backoffMs(attempt, limits, systemRandom);
      return ms >= full / 2 && ms <= full + 1;
    }),
  );
});
