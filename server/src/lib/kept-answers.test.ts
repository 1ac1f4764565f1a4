import { expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { keepAnswers } from "./kept-answers.ts";

/** Counts how often it is asked, and answers when told to. */
function source() {
  const waiting: { resolve(value: number): void; reject(error: Error): void }[] = [];
  return {
    waiting,
    load: () => new Promise<number>((resolve, reject) => waiting.push({ resolve, reject })),
  };
}

test("many who ask at a time make one call", async () => {
  const ask = keepAnswers<number>(manualClock(), 1_000);
  const { waiting, load } = source();
  const asked = Array.from({ length: 50 }, () => ask("a", load));
  waiting[0]?.resolve(7);
  for (const { value } of await Promise.all(asked)) expect(value).toBe(7);
  expect(waiting.length).toBe(1);
});

test("an answer serves for a while, and says how old it is", async () => {
  const clock = manualClock();
  const ask = keepAnswers<number>(clock, 1_000);
  const first = await ask("a", async () => 1);
  clock.advance(999);
  expect(await ask("a", async () => 2)).toEqual(first);
  clock.advance(1);
  expect(await ask("a", async () => 3)).toEqual({ value: 3, at: first.at + 1_000 });
});

test("other questions have other answers, and a failure is told to all who waited and not kept", async () => {
  const ask = keepAnswers<number>(manualClock(), 1_000);
  const { waiting, load } = source();
  const [one, two] = [ask("a", load), ask("a", load)];
  waiting[0]?.reject(new Error("not now"));
  await expect(one).rejects.toThrow("not now");
  await expect(two).rejects.toThrow("not now");
  expect((await ask("b", async () => 2)).value).toBe(2);
  expect((await ask("a", async () => 3)).value).toBe(3);
});
