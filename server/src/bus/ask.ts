import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import { type Bus, type Topic, topic } from "./bus.ts";

/** What can be asked over the bus, and what comes back. */
export type Inquiry<Question, Answer> = {
  readonly questions: Topic<{ id: string; question: Question }>;
  readonly answers: Topic<{ id: string; answer: Answer }>;
};

export function inquiry<Question, Answer>(name: string): Inquiry<Question, Answer> {
  return { questions: topic(`${name}.questions`), answers: topic(`${name}.answers`) };
}

type AskOptions = { bus: Bus; clock: Clock; random: Random; timeoutMs: number };

/** A question is asked again after so long: whoever can answer may only just have begun to listen. */
const againMs = 250;
const rememberedMost = 1_000;

/** Returns a function that asks, and fails with `UnavailableError` when nobody answers in time. */
export function openAsker<Question, Answer>(
  { questions, answers }: Inquiry<Question, Answer>,
  { bus, clock, random, timeoutMs }: AskOptions,
): (question: Question) => Promise<Answer> {
  const waiting = new Map<string, (answer: Answer) => void>();
  bus.subscribe(answers, ({ id, answer }) => waiting.get(id)?.(answer));
  const name = random.bytes(8).toString("hex");
  let count = 0;

  async function keepAsking(id: string, question: Question, answered: AbortSignal): Promise<void> {
    const until = clock.now() + timeoutMs;
    while (!answered.aborted && clock.now() < until) {
      bus.publish(questions, { id, question });
      await clock.sleep(againMs, answered);
    }
  }

  return async (question) => {
    const id = `${name}-${++count}`;
    const answered = new AbortController();
    try {
      return await new Promise<Answer>((resolve, reject) => {
        waiting.set(id, resolve);
        void keepAsking(id, question, answered.signal).then(() =>
          reject(new UnavailableError("The part of the service that knows does not answer.")),
        );
      });
    } finally {
      waiting.delete(id);
      answered.abort();
    }
  };
}

/** Answers what is asked; a question that gets `undefined` is left to others, and one that fails to the asker's patience. */
export function answerQuestions<Question, Answer>(
  { questions, answers }: Inquiry<Question, Answer>,
  bus: Bus,
  answerTo: (question: Question) => Promise<Answer> | undefined,
): () => void {
  const seen = new Set<string>();
  return bus.subscribe(questions, ({ id, question }) => {
    if (seen.has(id)) return;
    const answer = answerTo(question);
    if (!answer) return;
    remember(seen, id);
    answer.then(
      (found) => bus.publish(answers, { id, answer: found }),
      () => {},
    );
  });
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  const [oldest] = seen;
  if (seen.size > rememberedMost && oldest !== undefined) seen.delete(oldest);
}
