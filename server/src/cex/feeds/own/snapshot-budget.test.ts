import { expect, test } from "vitest";
import { hastyClock } from "../../../../test/hasty-clock.ts";
import { systemRandom } from "../../../lib/random.ts";
import { SnapshotBudget } from "./snapshot-budget.ts";

const { signal } = new AbortController();
const fresh = () => ({ attempts: 0, askedAt: 0 });

function open(perSecond: number) {
  const clock = hastyClock();
  return { clock, budget: new SnapshotBudget({ perSecond, clock, random: systemRandom }) };
}

test("the first book of a market may be asked for at once, the others ever later, up to a minute", async () => {
  const { clock, budget } = open(50);
  const asking = fresh();
  const times: number[] = [];
  for (let count = 0; count < 10; count++) {
    await budget.wait(asking, signal);
    times.push(clock.now());
  }
  const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  for (const [at, pause] of pauses.entries()) {
    const full = Math.min(60_000, 2_000 * 2 ** at);
    expect(pause).toBeGreaterThanOrEqual(full / 2);
    expect(pause).toBeLessThanOrEqual(full);
  }
});

test("a book that was right for half a minute earns a fresh start, one that was not does not", async () => {
  const { clock, budget } = open(50);
  const asking = fresh();
  for (let count = 0; count < 5; count++) await budget.wait(asking, signal);
  const rightSince = clock.now();
  clock.advance(29_999);
  budget.lost(asking, rightSince);
  expect(asking.attempts).toBe(5);
  clock.advance(1);
  budget.lost(asking, rightSince);
  expect(asking.attempts).toBe(0);
});

test.each([
  [50, 100],
  [0.3, 5],
])(
  "at %d a second, %d markets may ask at once, and then as many as that in a second",
  async (perSecond, burst) => {
    const { clock, budget } = open(perSecond);
    const began = clock.now();
    for (let count = 0; count < burst; count++) await budget.wait(fresh(), signal);
    expect(clock.now()).toBe(began);
    for (let count = 1; count <= 20; count++) {
      await budget.wait(fresh(), signal);
      expect(clock.now() - began).toBeGreaterThanOrEqual((count / perSecond) * 1_000 - 1);
    }
  },
);

test("who is gone in the meantime has not asked", async () => {
  const { budget } = open(50);
  const asking = fresh();
  const gone = new AbortController();
  gone.abort();
  await budget.wait(asking, gone.signal);
  expect(asking.attempts).toBe(0);
});
