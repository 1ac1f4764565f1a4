import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { assert, CallerError, messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Venue } from "../feeds/venue.ts";
import type { ListedMarket, Trade } from "../market.ts";
import { openMarket } from "../store/markets.ts";
import { listUnfinishedCandles } from "../store/write-candles.ts";
import { listLastTrades } from "../store/write-trades.ts";
import { timeframes } from "../timeframes.ts";
import { openCandleKeeper } from "./candle-keeper.ts";
import { catchUp } from "./catch-up.ts";
import { FollowedMarket, sequentialExchanges } from "./followed-market.ts";
import { fillGaps } from "./gap-filler.ts";
import { RecentIds } from "./recent-ids.ts";
import { isSound } from "./sound-trade.ts";
import { openTradeWriter, type WrittenMarket } from "./trade-writer.ts";

/** How far the recording of a market is. */
type RecordingProgress = {
  /** The newest trade that is known; null before the first. */
  lastTrade: Trade | null;
  /** Trades are complete since then, but for recorded gaps; null before the first. */
  tradesSince: number | null;
  /** Gaps that were noted since the start. */
  gaps: number;
};

/** Keeps the history of an exchange's markets: each trade once, candles, and a note of what could not be had. */
export type Recorder = {
  /** Starts to record a market. Resolves when its newest trades are in the tables. */
  follow(market: ListedMarket): Promise<void>;
  /** Fetches what is new over REST, for markets without a stream. */
  refresh(market: ListedMarket): Promise<void>;
  unfollow(market: string): void;
  /** Takes trades of the stream, in any order and any number of times. */
  add(market: string, trades: readonly Trade[]): void;
  /** The stream begins anew: what it may have missed is fetched. */
  interrupted(market: string): void;
  /** Resolves when the candles from a moment on are in the tables, as far as the exchange has them. */
  ensureCandles(market: ListedMarket, timeframe: string, from: number): Promise<void>;
  progressOf(market: string): RecordingProgress;
  /** Writes what is in the queue, and ends. */
  close(): Promise<void>;
};

/** What a recorder needs. */
export type RecorderOptions = {
  db: Database;
  venue: Venue;
  clock: Clock;
  log: Log;
  /** Called with trades that have just been stored, each once; those of one call are in order. */
  published(market: string, trades: readonly Trade[]): void;
  /** How long trades may wait for others to be written with. */
  flushMs?: number;
  /** How many trades may wait while the database is away. */
  queueMost?: number;
};

const heldMost = 50_000;
/** How long trades that arrive out of order may take to close their hole by themselves. */
const patienceMs = 1_500;
const patienceStepMs = 100;
const databaseIsSlow = "The database did not take the trades in time.";
const exchangeIsSlow = "More trades came than could wait.";
const tendEveryMs = 1_000;
/** An exchange that does not answer is not waited for when it is time to stop: what is queued must get written. */
const closeMs = 3_000;
/** After a failure the exchange is left alone for so long. */
const tendPauseMs = 30_000;

/** Opens the recorder of one exchange. Only one may run for an exchange at a time. */
export function openRecorder(options: RecorderOptions): Recorder {
  const { db, venue, clock, log, published, flushMs = 200, queueMost = 200_000 } = options;
  const exchange = venue.exchange.id;
  const isSequential = sequentialExchanges.has(exchange);
  const closing = new AbortController();
  const { signal } = closing;
  const markets = new Map<string, FollowedMarket>();
  const ensuring = new Map<string, Promise<void>>();
  const hasCandles = venue.nativeTimeframes.size > 0;
  const writer = openTradeWriter({
    db,
    clock,
    log,
    flushMs,
    queueMost,
    hasCandles,
    stored: published,
  });
  const keeper = openCandleKeeper({ db, venue, writer, clock });
  const context = { venue, writer, clock, log, signal };

  /** Reads what the tables know, once. */
  async function load(followed: FollowedMarket): Promise<WrittenMarket> {
    if (followed.written) return followed.written;
    const name = followed.market.id;
    // What an earlier recording of the market left in the queue.
    await writer.flush();
    const { id, tradesSince, foldedSince } = await openMarket(db, { exchange, market: name });
    followed.remember(await listLastTrades(db, id, RecentIds.most));
    followed.tradesSince = tradesSince;
    const counted = new Map<number, Map<number, number>>();
    for (const { seconds, time, until } of await listUnfinishedCandles(db, id)) {
      counted.set(seconds, (counted.get(seconds) ?? new Map()).set(time, until));
    }
    followed.written ??= { id, name, foldedSince, counted };
    return followed.written;
  }

  /** Fetches what is missing. Whoever asks meanwhile waits for the same. */
  function startCatchUp(followed: FollowedMarket): Promise<void> {
    followed.held ??= [[]];
    followed.catchingUp ??= (async () => {
      const { losses } = followed;
      try {
        const written = await load(followed);
        // Trades may have begun to wait when it had just come to its end.
        do await catchUp(context, followed, written);
        while (followed.held && !followed.isGone);
        if (followed.losses === losses) followed.lossReason = undefined;
      } finally {
        followed.catchingUp = undefined;
      }
    })();
    return followed.catchingUp;
  }

  function catchUpInBackground(followed: FollowedMarket): void {
    startCatchUp(followed).catch((error) => {
      log.warn({ market: followed.market.id, reason: messageOf(error) }, "cannot catch up");
    });
  }

  /** Trades that arrive out of order get a moment to close their hole by themselves. */
  async function awaitSequence(followed: FollowedMarket, written: WrittenMarket): Promise<void> {
    const until = clock.now() + patienceMs;
    followed.isPatient = true;
    while (followed.held && clock.now() < until && !signal.aborted) {
      await clock.sleep(patienceStepMs, signal);
      if (followed.catchingUp) break;
      writer.add(written, { trades: followed.takeContinuous() });
    }
    followed.isPatient = false;
    if (followed.held && !followed.isGone) catchUpInBackground(followed);
  }

  /** Takes what the stream gives, unless something is missing before it. */
  function take(followed: FollowedMarket, trades: readonly Trade[]): void {
    const { written } = followed;
    const isWaiting = followed.held !== undefined;
    followed.hold(trades);
    if (isWaiting) return;
    if (followed.isInDoubt || followed.lossReason || !written) {
      catchUpInBackground(followed);
      return;
    }
    writer.add(written, { trades: followed.takeContinuous() });
    if (followed.held) void awaitSequence(followed, written);
  }

  function soundOf(name: string, trades: readonly Trade[]): Trade[] {
    const now = clock.now();
    const sound = trades.filter((trade) => isSound(trade, now));
    if (sound.length < trades.length) {
      log.warn({ market: name, count: trades.length - sound.length }, "trades make no sense");
    }
    return sound;
  }

  /** Leaves trades out, to fetch them again when there is room. */
  function lose(followed: FollowedMarket): void {
    followed.lossReason = writer.isFull ? databaseIsSlow : exchangeIsSlow;
    followed.losses++;
    if (followed.held) followed.interrupt();
  }

  function add(name: string, trades: readonly Trade[]): void {
    const followed = markets.get(name);
    if (!followed || signal.aborted) return;
    const news = soundOf(name, trades).filter(({ id }) => !followed.recent.has(id));
    if (news.length === 0) return;
    if (writer.isFull || followed.heldCount > heldMost) lose(followed);
    else take(followed, news);
  }

  function open(market: ListedMarket): FollowedMarket {
    const known = markets.get(market.id);
    if (known) return known;
    const followed = new FollowedMarket(market, isSequential);
    markets.set(market.id, followed);
    return followed;
  }

  async function refresh(market: ListedMarket): Promise<void> {
    await startCatchUp(open(market));
    await writer.flush();
  }

  function follow(market: ListedMarket): Promise<void> {
    const followed = open(market);
    followed.ready ??= refresh(market).catch((error) => {
      followed.ready = undefined;
      throw error;
    });
    return followed.ready;
  }

  async function ensureCandles(market: ListedMarket, seconds: number, from: number): Promise<void> {
    if (!hasCandles) return;
    const followed = open(market);
    if (!followed.written) await follow(market);
    assert(followed.written, "a market that is followed has a row");
    await keeper.ensure(followed, followed.written, seconds, from);
  }

  /** Fetches candles of the exchange whose time has come. */
  async function tend(followed: FollowedMarket): Promise<void> {
    const { written } = followed;
    if (!written || !hasCandles) return;
    await keeper.finish(followed, written);
    if (!followed.lacksCandles || followed.catchingUp) return;
    followed.lacksCandles = false;
    try {
      await writer.flush();
      await keeper.mendGaps(followed, written);
    } catch (error) {
      followed.lacksCandles = true;
      throw error;
    }
  }

  /** Goes on where something could not be done. */
  function look(followed: FollowedMarket): void {
    const { held, catchingUp, isPatient, lossReason } = followed;
    const isStuck = held !== undefined && !catchingUp && !isPatient;
    if (isStuck || (lossReason && !writer.isFull)) catchUpInBackground(followed);
  }

  async function fill(followed: FollowedMarket): Promise<void> {
    if (!followed.hasGapsToFill || !followed.written) return;
    followed.hasGapsToFill = false;
    try {
      await writer.flush();
      await fillGaps({ ...context, db }, followed, followed.written);
    } catch (error) {
      followed.hasGapsToFill = true;
      throw error;
    }
  }

  /** Does something for each market again and again; after a failure the exchange is left alone for a while. */
  async function repeat(work: (followed: FollowedMarket) => unknown): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(tendEveryMs, signal);
      for (const followed of signal.aborted ? [] : [...markets.values()]) {
        await attempt(followed, work);
      }
    }
  }

  async function attempt(
    followed: FollowedMarket,
    work: (followed: FollowedMarket) => unknown,
  ): Promise<void> {
    try {
      if (!signal.aborted && !followed.isGone) await work(followed);
    } catch (error) {
      const reason = messageOf(error);
      log.warn({ market: followed.market.id, reason }, "the history has to wait for the exchange");
      await clock.sleep(tendPauseMs, signal);
    }
  }

  const running = Promise.all([repeat(look), repeat(fill), repeat(tend)]);

  return {
    follow,
    refresh,
    unfollow(name) {
      const followed = markets.get(name);
      if (followed) followed.isGone = true;
      markets.delete(name);
    },
    add,
    interrupted(name) {
      const followed = markets.get(name);
      if (!followed) return;
      followed.interrupt();
      catchUpInBackground(followed);
    },
    ensureCandles(market, timeframe, from) {
      const seconds = timeframes.get(timeframe);
      if (seconds === undefined) {
        throw new CallerError("bad_request", `There are no candles of ${timeframe}.`);
      }
      const key = `${market.id} ${seconds}`;
      const turn = (ensuring.get(key) ?? Promise.resolve())
        .catch(() => {})
        .then(() => ensureCandles(market, seconds, from));
      ensuring.set(key, turn);
      return turn;
    },
    progressOf(name) {
      const followed = markets.get(name);
      return {
        lastTrade: followed?.last ?? null,
        tradesSince: followed?.tradesSince ?? null,
        gaps: followed?.gaps ?? 0,
      };
    },
    async close() {
      closing.abort();
      // What waits is stored, with a note of what may be missing before it.
      const waiting = [...markets.values()].filter(({ held, written }) => held && written);
      const caughtUp = Promise.allSettled(waiting.map(startCatchUp));
      await Promise.race([caughtUp, clock.sleep(closeMs)]);
      await running;
      await writer.close();
    },
  };
}
