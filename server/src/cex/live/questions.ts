import { type Inquiry, openAsker } from "../../bus/ask.ts";
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../lib/clock.ts";
import { CallerError, UnavailableError } from "../../lib/errors.ts";
import type { Random } from "../../lib/random.ts";
import type { Finding } from "../feeds/replies.ts";
import type { Reply } from "../messages.ts";

export type QuestionContext = { bus: Bus; clock: Clock; random: Random };

type Keeping = {
  /** How long an answer serves without asking again. */
  freshMs: number;
  /** How long the last answer serves while no other is to be had. */
  keptMs: number;
};

/** An answer, and when we got it. */
type Known<Value> = Finding<Value> & { heardAt: number };

const timeoutMs = 8_000;
/** Whoever can be given an earlier answer does not wait longer than this for a new one. */
const patienceMs = 1_000;
const answersMost = 500;

/**
 * Returns a function that asks those who feed the exchanges: once for all who ask the same at a time. While they
 * cannot tell, the last answer serves, as old as it is.
 */
export function openQuestions<Question extends { exchange: string } | null, Value>(
  inquiry: Inquiry<Question, Reply<Value>>,
  { bus, clock, random }: QuestionContext,
  { freshMs: usualFreshMs, keptMs }: Keeping,
): (question: Question, freshMs?: number) => Promise<Finding<Value>> {
  const ask = openAsker(inquiry, { bus, clock, random, timeoutMs });
  const asking = new Map<string, Promise<Finding<Value>>>();
  const known = new Map<string, Known<Value>>();

  async function askNow(key: string, question: Question): Promise<Finding<Value>> {
    try {
      const finding = findingIn(await ask(question));
      known.delete(key);
      known.set(key, { ...finding, heardAt: clock.now() });
      forgetOld(known, clock.now() - keptMs);
      return finding;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      throw naming(question?.exchange, error);
    } finally {
      asking.delete(key);
    }
  }

  function askOnce(key: string, question: Question): Promise<Finding<Value>> {
    const running = asking.get(key) ?? askNow(key, question);
    asking.set(key, running);
    return running;
  }

  return async (question, freshMs = usualFreshMs) => {
    const key = JSON.stringify(question);
    const earlier = known.get(key);
    // A clock may be set back: then nobody knows how old it is.
    if (earlier && Math.abs(clock.now() - earlier.heardAt) < freshMs) return earlier;
    const asked = askOnce(key, question);
    if (!earlier || clock.now() - earlier.at >= keptMs) return asked;
    return soon(asked, earlier, clock);
  };
}

/** What is asked for, or the earlier answer when it does not come, or not soon. */
export async function soon<Answer>(
  asked: Promise<Answer>,
  earlier: Answer,
  clock: Clock,
): Promise<Answer> {
  const answered = new AbortController();
  try {
    return await Promise.race([
      asked.catch(orElse(earlier)),
      clock.sleep(patienceMs, answered.signal).then(() => earlier),
    ]);
  } finally {
    answered.abort();
  }
}

/** Takes the place of an answer that is not to be had. */
export function orElse<Answer>(answer: Answer): (error: unknown) => Answer {
  return (error) => {
    if (error instanceof UnavailableError) return answer;
    throw error;
  };
}

function findingIn<Value>(reply: Reply<Value>): Finding<Value> {
  if (reply.kind === "unknown") throw new CallerError("not_found", reply.message);
  if (reply.kind === "unavailable") {
    const { message, retryAfterSeconds } = reply;
    throw new UnavailableError(message, { retryAfterSeconds });
  }
  const { value, at, source } = reply;
  return { value, at, source };
}

function naming(exchange: string | undefined, error: UnavailableError): UnavailableError {
  const { message, retryAfterSeconds } = error;
  const who = exchange === undefined ? "The exchanges" : `The exchange ${exchange}`;
  return new UnavailableError(`${who} cannot be asked just now: ${message}`, { retryAfterSeconds });
}

/** The oldest come first. */
function forgetOld(known: Map<string, Known<unknown>>, before: number): void {
  for (const [key, { heardAt }] of known) {
    if (known.size <= answersMost && heardAt >= before) return;
    known.delete(key);
  }
}
