import type { CexExchange } from "@slipway/sdk";
import { answerQuestions, type Inquiry } from "../../bus/ask.ts";
import type { Bus } from "../../bus/bus.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { ConfiguredExchange } from "../configured.ts";
import {
  bookInquiry,
  candlesInquiry,
  exchangesInquiry,
  historyInquiry,
  marketsInquiry,
  priceInquiry,
  type Reply,
  statusInquiry,
} from "../messages.ts";
import { dropLease, takeLease } from "../store/leases.ts";
import { forgetTrades } from "../store/retention.ts";
import { canonicalId, exchangeIds } from "./ccxt/exchange-ids.ts";
import { describeExchange, openVenue } from "./ccxt/open-venue.ts";
import { type Desk, openDesk } from "./desk.ts";
import { type Finding, replyWith } from "./replies.ts";

/** Which exchanges are served, and how. */
export type FeedSettings = {
  exchanges: readonly ConfiguredExchange[];
  /** Whether every other exchange that ccxt knows can be asked for too. */
  otherExchanges: boolean;
  /** Trades are kept for so many days. */
  tradesDays: number;
};

export type FeedsContext = {
  settings: FeedSettings;
  /** Whether others on the same bus may feed the same exchanges. */
  isShared: boolean;
  db: Database;
  bus: Bus;
  clock: Clock;
  random: Random;
  log: Log;
};

/** Where one exchange is looked after. Without a desk somebody else does it. */
type Post = { desk: Promise<Desk> | undefined; running: Promise<void> };

const leaseSeconds = 6;
const lookEveryMs = 2_000;
const forgetEveryMs = 3_600_000;
const dayMs = 86_400_000;

/** Feeds every exchange that is configured, and those that somebody asks for, until the signal aborts. */
export async function runFeeds(context: FeedsContext, signal: AbortSignal): Promise<void> {
  const { settings, isShared, db, bus, clock, random, log } = context;
  const { exchanges, otherExchanges, tradesDays } = settings;
  const holder = random.bytes(12).toString("hex");
  const posts = new Map<string, Post>();

  function served(id: string): ConfiguredExchange | undefined {
    const configured = exchanges.find((exchange) => exchange.id === id);
    if (configured || !otherExchanges || canonicalId(id) !== id) return configured;
    return { id, baseUrl: undefined, markets: [], isSandbox: false };
  }

  async function open(exchange: ConfiguredExchange): Promise<Desk> {
    const venue = await openVenue({ exchange, clock, random, log });
    return openDesk({ venue, markets: exchange.markets, db, bus, clock, log });
  }

  async function leave(post: Post): Promise<void> {
    const desk = await post.desk?.catch(() => undefined);
    post.desk = undefined;
    await desk?.close();
  }

  /** Only one process at a time looks after an exchange: its books have one row of numbers. */
  async function keepPost(post: Post, exchange: ConfiguredExchange): Promise<void> {
    const lease = { exchange: exchange.id, holder, seconds: leaseSeconds };
    while (!signal.aborted) {
      const isOurs = !isShared || (await takeLease(db, lease).catch(() => false));
      if (isOurs) {
        post.desk ??= open(exchange);
        await post.desk.catch((error) => {
          log.error({ exchange: exchange.id, reason: messageOf(error) }, "cannot be opened");
          post.desk = undefined;
        });
      } else await leave(post);
      await clock.sleep(lookEveryMs, signal);
    }
    await leave(post);
    if (isShared) await dropLease(db, lease).catch(() => {});
  }

  function postOf(exchange: ConfiguredExchange): Post {
    const known = posts.get(exchange.id);
    if (known) return known;
    const post: Post = { desk: isShared ? undefined : open(exchange), running: Promise.resolve() };
    posts.set(exchange.id, post);
    post.running = keepPost(post, exchange);
    return post;
  }

  /** Lets the desk of the exchange that a question is about answer it. */
  function answer<Question extends { exchange: string }, Value>(
    inquiry: Inquiry<Question, Reply<Value>>,
    ask: (desk: Desk, question: Question) => Promise<Reply<Value>>,
  ): () => void {
    return answerQuestions(inquiry, bus, (question) => {
      const exchange = served(question.exchange);
      if (!exchange) return Promise.resolve(notServed(question.exchange));
      return postOf(exchange)
        .desk?.then((desk) => ask(desk, question))
        .catch(() => unavailable(exchange.id));
    });
  }

  async function describeAll(): Promise<Finding<CexExchange[]>> {
    const ids = otherExchanges ? exchangeIds() : [];
    const all = [...new Set([...exchanges.map(({ id }) => id), ...ids])];
    const value = await Promise.all(all.flatMap((id) => served(id) ?? []).map(describeExchange));
    return { value, at: clock.now(), source: "store" };
  }

  async function forgetOldTrades(): Promise<void> {
    while (!signal.aborted) {
      await forgetTrades(db, clock.now() - tradesDays * dayMs).catch((error) => {
        log.warn({ reason: messageOf(error) }, "old trades could not be removed");
      });
      await clock.sleep(forgetEveryMs, signal);
    }
  }

  for (const exchange of exchanges) postOf(exchange);
  const stopAnswering = [
    answerQuestions(exchangesInquiry, bus, () => replyWith(log, describeAll)),
    answer(statusInquiry, (desk) => desk.status()),
    answer(marketsInquiry, (desk) => desk.markets()),
    answer(bookInquiry, (desk, { market }) => desk.book(market)),
    answer(priceInquiry, (desk, { market }) => desk.price(market)),
    answer(historyInquiry, (desk, { market }) => desk.history(market)),
    answer(candlesInquiry, (desk, { market, timeframe, from }) =>
      desk.candles(market, timeframe, from),
    ),
  ];
  await forgetOldTrades();
  for (const stop of stopAnswering) stop();
  await Promise.all([...posts.values()].map(({ running }) => running));
}

function notServed(id: string): Reply<never> {
  return { kind: "unknown", message: `The exchange ${id} is not served here.` };
}

function unavailable(id: string): Reply<never> {
  const message = `The exchange ${id} cannot be asked just now.`;
  return { kind: "unavailable", message, retryAfterSeconds: lookEveryMs / 1_000 };
}
