import { afterEach, expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { answerQuestions, inquiry, openAsker } from "./ask.ts";
import type { Bus } from "./bus.ts";
import { openThreadBus } from "./thread-bus.ts";

const squares = inquiry<number, number>("test.squares");
const opened: Bus[] = [];
afterEach(async () => {
  for (const bus of opened.splice(0)) await bus.close();
});

let spaces = 0;
function pair() {
  const space = `test-ask-${++spaces}`;
  const [here, there] = [openThreadBus(space), openThreadBus(space)];
  opened.push(here, there);
  const options = { bus: here, clock: systemClock, random: systemRandom, timeoutMs: 20_000 };
  return { here, there, ask: openAsker(squares, options), options };
}

test("everybody who asks gets the answer to their own question", async () => {
  const { there, ask, options } = pair();
  const other = openAsker(squares, options);
  answerQuestions(squares, there, async (number) => number ** 2);
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  const answers = await Promise.all(numbers.map((number) => (number % 2 ? ask : other)(number)));
  expect(answers).toEqual(numbers.map((number) => number ** 2));
});

test("a question reaches those who begin to listen after it was asked, and is answered once", async () => {
  const { there, ask } = pair();
  let told = 0;
  there.subscribe(squares.questions, () => void told++);
  const answer = ask(7);
  await expect.poll(() => told).toBeGreaterThan(0);
  const asked: number[] = [];
  answerQuestions(squares, there, async (number) => {
    asked.push(number);
    // It is asked again while we think about it.
    const before = told;
    await expect.poll(() => told).toBeGreaterThan(before);
    return number ** 2;
  });
  expect(await answer).toBe(49);
  expect(asked).toEqual([7]);
});

test("what nobody answers, or fails to, is unavailable after a while", async () => {
  const { there, options } = pair();
  const ask = openAsker(squares, { ...options, timeoutMs: 60 });
  await expect(ask(1)).rejects.toThrow("does not answer");
  answerQuestions(squares, there, (number) => (number === 2 ? undefined : Promise.reject(number)));
  await expect(ask(2)).rejects.toThrow("does not answer");
  await expect(ask(3)).rejects.toThrow("does not answer");
});
