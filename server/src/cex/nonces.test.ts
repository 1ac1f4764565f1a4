import fc from "fast-check";
import { expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { openNonces } from "./nonces.ts";

const step = fc.record({
  kind: fc.constantFrom("whole" as const, "change" as const),
  own: fc.option(fc.nat(1_000), { nil: undefined }),
  waitMs: fc.nat(3),
});

test("numbers never go back, whatever the exchange says, and a change always has one of its own", () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const clock = manualClock();
      const nonces = openNonces(clock);
      for (const { kind, own, waitMs } of steps) {
        clock.advance(waitMs);
        const before = nonces.last("a") ?? 0;
        const number = nonces.next("a", kind, own);
        expect(number).toBeGreaterThanOrEqual(kind === "change" ? before + 1 : before);
        expect(Number.isSafeInteger(number)).toBe(true);
        expect(nonces.last("a")).toBe(number);
      }
    }),
  );
});

test("after a restart they go on above where they were", () => {
  const clock = manualClock();
  const before = openNonces(clock);
  before.next("a", "whole", undefined);
  for (let change = 0; change < 900; change++) before.next("a", "change", undefined);
  clock.advance(1);
  const after = openNonces(clock).next("a", "whole", undefined);
  expect(after).toBeGreaterThan(before.last("a") ?? 0);
});

test("an exchange's own numbers are kept", () => {
  const nonces = openNonces(manualClock());
  expect(nonces.next("a", "whole", 70)).toBe(70);
  expect(nonces.next("a", "change", 75)).toBe(75);
  expect(nonces.next("a", "whole", 75)).toBe(75);
  expect(nonces.next("b", "whole", 3)).toBe(3);
});
