import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { resetSandbox } from "../../../test/sandbox-ramp.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { openSandboxClock } from "./clock.ts";

const held = useDatabase();

beforeEach(() => resetSandbox(held.db));

test("the time is the real one until it is moved, and then goes on from there", async () => {
  const real = manualClock();
  const clock = await openSandboxClock(held.db, real);
  expect(clock.now()).toBe(real.now());
  await clock.advanceTo(real.now() + 1_000);
  expect(clock.now()).toBe(real.now() + 1_000);
  real.advance(7);
  expect(clock.now()).toBe(real.now() + 1_000);
});

test("whoever opens the clock later finds the time moved, and whoever has it open hears of it", async () => {
  const real = manualClock();
  const other = await openSandboxClock(held.db, real);
  const clock = await openSandboxClock(held.db, real);
  await clock.advanceTo(real.now() + 5_000);
  expect((await openSandboxClock(held.db, real)).now()).toBe(real.now() + 5_000);
  await vi.waitFor(() => expect(other.now()).toBe(real.now() + 5_000));
});

test("the clock never goes back, whatever is asked and whatever the real one does", async () => {
  const steps = fc.array(
    fc.record({ realMs: fc.integer({ min: -5_000, max: 5_000 }), toMs: fc.integer() }),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (moves) => {
      const real = manualClock();
      const clock = await openSandboxClock(held.db, real);
      let before = clock.now();
      for (const { realMs, toMs } of moves) {
        real.advance(realMs);
        await clock.advanceTo(real.now() + toMs);
        const now = clock.now();
        expect(now).toBeGreaterThanOrEqual(before);
        expect(now).toBeGreaterThanOrEqual(real.now() + toMs);
        before = now;
      }
    }),
    { numRuns: 20 },
  );
});
