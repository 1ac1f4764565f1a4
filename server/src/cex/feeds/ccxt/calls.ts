import { backoffMs } from "../../../lib/backoff.ts";
import type { Clock } from "../../../lib/clock.ts";
import { CallerError, messageOf, UnavailableError } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/is-object.ts";
import type { Log } from "../../../lib/log.ts";
import type { Random } from "../../../lib/random.ts";
import type { CcxtExchange } from "./ccxt-exchange.ts";
import { readNumber } from "./figures.ts";

/** Nobody waits much longer than this for the exchange's rate limit to let them pass. */
const longestQueueMs = 10_000;
const mostWaiting = 64;
const mostInLine = 1_000;
/** ccxt gives up when no answer begins in 10 s; this is for those that begin and do not end. */
const deadlineMs = 30_000;
const rest = { firstMs: 2_000, mostMs: 300_000 };
const longestRestMs = 3_600_000;
const reasonLength = 200;

/** Asks an exchange something, and turns its failures into ours. */
export type Call = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

export type Calls = {
  /** Somebody waits for the answer. */
  now: Call;
  /** Goes one at a time, so that those for whom somebody waits never stand behind many. The last to come is the first. */
  later: Call;
};

type CallOptions = { exchange: CcxtExchange; clock: Clock; random: Random; log: Log };

/**
 * Lets calls to an exchange through as long as not too many wait. An exchange that has had enough of us is left
 * alone for as long as it asks, or for longer each time; until then calls fail at once.
 */
export function openCalls({ exchange, clock, random, log }: CallOptions): Calls {
  const capacity = Math.max(2, Math.min(mostWaiting, longestQueueMs / exchange.rateLimit));
  const line: (() => void)[] = [];
  let isLaterBusy = false;
  let waiting = 0;
  let restUntil = 0;
  let refusals = 0;

  /** Refusals of calls that were under way at the same time count as one. */
  function restNow(askedSeconds: number | undefined): void {
    const isResting = restUntil > clock.now();
    if (isResting && askedSeconds === undefined) return;
    const ownMs = backoffMs(isResting ? 0 : refusals++, rest, random);
    const ms = askedSeconds === undefined ? ownMs : Math.min(askedSeconds * 1_000, longestRestMs);
    restUntil = Math.max(restUntil, clock.now() + ms);
    log.warn({ exchange: exchange.id, ms }, "the exchange wants fewer calls: we pause");
  }

  /** Throws when it makes no sense to ask now. */
  function admit(): void {
    const restMs = restUntil - clock.now();
    if (restMs > 0) {
      const seconds = Math.ceil(restMs / 1_000);
      throw new UnavailableError(`${exchange.name} wants no calls for ${seconds} more seconds.`);
    }
    if (waiting >= capacity)
      throw new UnavailableError(`Too many calls to ${exchange.name} are waiting already.`);
  }

  async function call<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    admit();
    waiting++;
    try {
      const answer = await withDeadline(ask(), exchange.name);
      refusals = 0;
      return answer;
    } catch (error) {
      if (isRefusal(error)) restNow(undefined);
      throw inOurWords(error, exchange.name);
    } finally {
      waiting--;
    }
  }

  async function callLater<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (line.length >= mostInLine)
      throw new UnavailableError(`Too many calls to ${exchange.name} are waiting already.`);
    if (isLaterBusy) await new Promise<void>((resolve) => line.push(resolve));
    isLaterBusy = true;
    try {
      return await call(ask);
    } finally {
      const next = line.pop();
      if (next) next();
      else isLaterBusy = false;
    }
  }

  const handleRestResponse = exchange.handleRestResponse.bind(exchange);
  exchange.handleRestResponse = (response, ...more) => {
    const status = statusOf(response);
    if (status === 429 || status === 418)
      restNow(readNumber(exchange.getResponseHeaders(response)["Retry-After"]));
    return handleRestResponse(response, ...more);
  };
  return { now: call, later: callLater };
}

/** Whether an exchange says that it is asked too often. */
export function isRefusal(error: unknown): boolean {
  return isKind(error, "RateLimitExceeded") || isKind(error, "DDoSProtection");
}

/** Whether something that ccxt threw is of a class or of one derived from it. */
export function isKind(error: unknown, name: string): boolean {
  let kind: unknown = error instanceof Error ? error.constructor : undefined;
  while (typeof kind === "function") {
    if (kind.name === name) return true;
    kind = Object.getPrototypeOf(kind);
  }
  return false;
}

function withDeadline<Answer>(answer: Promise<Answer>, name: string): Promise<Answer> {
  const deadline = AbortSignal.timeout(deadlineMs);
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new UnavailableError(`${name} does not answer in time.`));
    deadline.addEventListener("abort", giveUp);
    answer.then(resolve, reject).finally(() => deadline.removeEventListener("abort", giveUp));
  });
}

/** Says what went wrong without the URLs and pages that ccxt's messages carry. */
function inOurWords(error: unknown, name: string): Error {
  if (error instanceof UnavailableError || error instanceof CallerError) return error;
  if (isKind(error, "BadSymbol"))
    return new CallerError("not_found", `${name} has no such market.`);
  const [, sentence] = sentences.find(([kind]) => isKind(error, kind)) ?? [];
  const words = sentence ?? `refuses: ${withoutUrls(error)}`;
  return new UnavailableError(`${name} ${words}`, { cause: error });
}

/** The first that fits counts. */
const sentences: [kind: string, sentence: string][] = [
  ["RateLimitExceeded", "wants fewer calls."],
  ["DDoSProtection", "wants fewer calls."],
  ["OnMaintenance", "is under maintenance."],
  ["RequestTimeout", "does not answer in time."],
  ["ExchangeNotAvailable", "is not available."],
  ["NetworkError", "cannot be reached."],
  ["AuthenticationError", "wants a key for that."],
  ["NotSupported", "cannot be asked that."],
  // An answer that was no answer: ccxt stumbled over it.
  ["TypeError", "sends something that makes no sense."],
];

/** The text of something that ccxt threw, short, and without the URLs that it likes to name. */
export function withoutUrls(error: unknown): string {
  const text = messageOf(error).replace(/\b(https?|wss?):\/\/\S+/g, "");
  return text.replace(/\s+/g, " ").trim().slice(0, reasonLength);
}

function statusOf(response: unknown): unknown {
  return isObject(response) ? response.status : undefined;
}
