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

/** Returns a function that asks, and fails with `UnavailableError` when nobody answers in time. */
export function openAsker<Question, Answer>(
  { questions, answers }: Inquiry<Question, Answer>,
  { bus, clock, random, timeoutMs }: AskOptions,
): (question: Question) => Promise<Answer> {
  const waiting = new Map<string, (answer: Answer) => void>();
  bus.subscribe(answers, ({ id, answer }) => waiting.get(id)?.(answer));
  const name = random.bytes(8).toString("hex");
  let count = 0;

  return async (question) => {
    const id = `${name}-${++count}`;
    const answered = new AbortController();
    try {
      return await new Promise<Answer>((resolve, reject) => {
        waiting.set(id, resolve);
        bus.publish(questions, { id, question });
        void clock.sleep(timeoutMs, answered.signal).then(() => {
          if (!answered.signal.aborted) {
            reject(new UnavailableError("The part of the service that knows does not answer."));
          }
        });
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
  return bus.subscribe(questions, ({ id, question }) => {
    answerTo(question)?.then(
      (answer) => bus.publish(answers, { id, answer }),
      () => {},
    );
  });
}
