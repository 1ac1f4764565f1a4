import fc from "fast-check";
import { expect, test } from "vitest";
import { openLimiter, type Pace } from "./limiter.ts";

const never = new AbortController().signal;

test("so many are inside at once and no more; the next enters when one leaves", async () => {
  const limiter = openLimiter({ most: 2, waitingMost: 10 });
  const leave = await limiter.enter(never);
  await limiter.enter(never);
  let isInside = false;
  const third = limiter.enter(never).then(() => {
    isInside = true;
  });
  await Promise.resolve();
  expect(isInside).toBe(false);
  leave("fine");
  await third;
  expect(isInside).toBe(true);
});

test("too fast halves, once for all that ran side by side, and it grows again", async () => {
  const limiter = openLimiter({ most: 8, waitingMost: 10 });
  const places = await Promise.all(Array.from({ length: 8 }, () => limiter.enter(never)));
  for (const leave of places) leave("tooFast");
  expect(limiter.allowed()).toBe(4);
  (await limiter.enter(never))("tooFast");
  expect(limiter.allowed()).toBe(2);
  for (let round = 0; round < 100; round++) (await limiter.enter(never))("fine");
  expect(limiter.allowed()).toBe(8);
});

test("there is always room for one", async () => {
  const limiter = openLimiter({ most: 8, waitingMost: 10 });
  for (let round = 0; round < 20; round++) (await limiter.enter(never))("tooFast");
  expect(limiter.allowed()).toBe(1);
});

test("who gives up does not keep a place, and too many are not kept waiting", async () => {
  const limiter = openLimiter({ most: 1, waitingMost: 1 });
  const leave = await limiter.enter(never);
  const impatient = new AbortController();
  const waiting = limiter.enter(impatient.signal);
  await expect(limiter.enter(never)).rejects.toThrow("Too many requests are waiting");
  impatient.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  const next = limiter.enter(never);
  leave("fine");
  await expect(next).resolves.toBeTypeOf("function");
});

test("whatever happens, everybody gets a turn and the limit holds", async () => {
  const paces = fc.array(fc.constantFrom<Pace>("fine", "tooFast", "unclear"), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(paces, fc.integer({ min: 1, max: 8 }), async (outcomes, most) => {
      const limiter = openLimiter({ most, waitingMost: 100 });
      let inside = 0;
      let highest = 0;
      await Promise.all(
        outcomes.map(async (pace) => {
          const leave = await limiter.enter(never);
          highest = Math.max(highest, ++inside);
          await Promise.resolve();
          inside--;
          leave(pace);
        }),
      );
      expect(inside).toBe(0);
      expect(highest).toBeLessThanOrEqual(most);
    }),
  );
});
