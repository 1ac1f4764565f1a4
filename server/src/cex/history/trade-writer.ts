import type { Database, Queryable, Transaction } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf, UnavailableError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { foldTradeCandles, foldTrades, startOf, type TradeCandle } from "../candles.ts";
import type { Trade } from "../market.ts";
import { type Gap, insertGaps } from "../store/gaps.ts";
import { setTradesSince } from "../store/markets.ts";
import { addToCandles, type CandleAdditions } from "../store/write-candles.ts";
import { copyTrades, insertTrades, type MarketTrades } from "../store/write-trades.ts";
import { timeframes } from "../timeframes.ts";
import { compareKeys } from "../trade-key.ts";
import { type Turns, takeTurns } from "./turns.ts";

/** What the writer has to know of a market. */
export type WrittenMarket = {
  /** Its number in the tables. */
  id: number;
  /** Its id in paths. */
  name: string;
  /** Candles that start before this lack trades of ours: they are the exchange's. Null: all of them are. */
  foldedSince: number | null;
  /** By seconds and start: trades up to this moment are in the exchange's candle already. */
  counted: Map<number, Map<number, number>>;
};

/** What is to be written of a market. */
type Addition = {
  trades: readonly Trade[];
  /** Whether anybody is told of them. */
  isNews?: boolean;
  gaps?: readonly Gap[];
  /** Since when its trades are complete, if these are its first. */
  since?: number | undefined;
  /** What is to be written when the trades are, in the same transaction. */
  also?: ((tx: Queryable) => Promise<void>) | undefined;
};

/** The one way by which trades and candles get into the tables. */
export type TradeWriter = {
  /** Whether more is waiting than should; what comes now is better not added. */
  readonly isFull: boolean;
  /** Puts trades in the queue. Gaps are written together with the trades after them, so that none is forgotten. */
  add(market: WrittenMarket, addition: Addition): void;
  /** Writes everything that is in the queue; fails when the database does not answer, and then it stays there. */
  flush(): Promise<void>;
  /** Does something while nothing is being written. */
  inTurn: Turns;
  close(): Promise<void>;
};

type TradeWriterOptions = {
  db: Database;
  clock: Clock;
  log: Log;
  flushMs: number;
  /** How many trades may wait while the database is away. */
  queueMost: number;
  /** Whether the exchange itself has candles, so that none of ours need be half a one. */
  hasCandles: boolean;
  /** Called with trades that have just been stored, in order. */
  stored(market: string, trades: readonly Trade[]): void;
};

type Pending = {
  market: WrittenMarket;
  isNews: boolean;
  gaps: Gap[];
  since: number | undefined;
  trades: Trade[];
  also: NonNullable<Addition["also"]>[];
};
type Batch = { parts: Pending[]; isRepeated: boolean };

const batchMost = 20_000;
const retryMs = 1_000;

/** Writes the trades of all markets in batches: trades, candles and gaps of a batch in one transaction. */
export function openTradeWriter(options: TradeWriterOptions): TradeWriter {
  const { db, clock, log, flushMs, queueMost, hasCandles, stored } = options;
  const inTurn = takeTurns();
  const closing = new AbortController();
  const queue = new Map<string, Pending>();
  /** Trades that are not written, in the queue or on the way. */
  let count = 0;
  /** What the database has not taken, or may have taken without saying so. */
  const unfinished: Batch[] = [];

  function next(): Batch | undefined {
    const batch = unfinished[0] ?? take();
    if (batch) unfinished[0] = batch;
    return batch;
  }

  function take(): Batch | undefined {
    const parts: Pending[] = [];
    for (let room = batchMost; room > 0; ) {
      const [entry] = queue;
      if (!entry) break;
      const [key, pending] = entry;
      const part = takePart(pending, room);
      if (part === pending) queue.delete(key);
      room -= Math.max(1, part.trades.length);
      parts.push(part);
    }
    return parts.length > 0 ? { parts, isRepeated: false } : undefined;
  }

  function finish({ parts }: Batch): void {
    unfinished.shift();
    for (const { trades } of parts) count -= trades.length;
  }

  /** Says what is news, market by market. */
  async function write(batch: Batch): Promise<void> {
    const { parts, isRepeated } = batch;
    for (const { trades } of parts) trades.sort(compareKeys);
    const added = await writeParts(parts);
    finish(batch);
    for (const [index, { market, isNews, trades }] of parts.entries()) {
      // Those that a lost connection left in the tables have not been told to anybody.
      const news = isRepeated ? trades : (added[index]?.trades ?? []);
      if (isNews && news.length > 0) stored(market.name, news);
    }
  }

  /** Returns what was not there before. */
  async function writeParts(parts: readonly Pending[]): Promise<MarketTrades[]> {
    const batch = parts.map(({ market, trades }) => ({ market: market.id, trades }));
    try {
      return await db.transact(async (tx) => {
        await copyTrades(tx, batch);
        await writeRest(tx, parts, batch);
        return batch;
      });
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      log.debug({ reason: messageOf(error) }, "some trades are stored already");
    }
    return db.transact(async (tx) => {
      const added = await insertTrades(tx, batch);
      await writeRest(tx, parts, added);
      return added;
    });
  }

  async function writeRest(
    tx: Transaction,
    parts: readonly Pending[],
    added: readonly MarketTrades[],
  ): Promise<void> {
    for (const part of parts) await writeNotes(tx, part);
    const additions = byMarket(parts, added).flatMap(({ market, trades }) =>
      additionsOf(market, trades, hasCandles),
    );
    await addToCandles(tx, additions);
  }

  /** What is known of a market beside its trades. */
  async function writeNotes(
    tx: Transaction,
    { market, gaps, since, also }: Pending,
  ): Promise<void> {
    if (since !== undefined) await setTradesSince(tx, market.id, since);
    await insertGaps(tx, market.id, gaps, new Date(clock.now()));
    for (const write of also) await write(tx);
  }

  /** What cannot be written for reasons of its own becomes a gap: the rest must go on. */
  async function giveUp(part: Pending, error: unknown): Promise<void> {
    const { market, trades } = part;
    const reason = messageOf(error);
    log.error({ market: market.name, reason }, "trades cannot be stored; they become a gap");
    const [first, last] = [trades[0], trades.at(-1)];
    const lost = first && last ? [{ from: first.time, to: last.time, reason, isOpen: false }] : [];
    await db.transact(async (tx) => {
      await writeNotes(tx, part);
      await insertGaps(tx, market.id, lost, new Date(clock.now()));
    });
  }

  /** Goes on after a failure. Only what cannot be written by itself is given up. */
  async function recover(batch: Batch, error: unknown): Promise<void> {
    if (error instanceof UnavailableError) {
      batch.isRepeated = true;
      throw error;
    }
    const [part, ...others] = batch.parts;
    if (others.length > 0) {
      unfinished.splice(0, 1, ...batch.parts.map((each) => ({ ...batch, parts: [each] })));
      return;
    }
    if (part) await giveUp(part, error);
    finish(batch);
  }

  async function writeQueue(): Promise<void> {
    for (let batch = next(); batch; batch = next()) {
      const current = batch;
      await write(current).catch((error) => {
        // It is written: whoever was told of it failed.
        if (unfinished[0] !== current) throw error;
        return recover(current, error);
      });
    }
  }

  const flush = () => inTurn(writeQueue);

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(flushMs, closing.signal);
      await flush().catch((error) => {
        log.warn({ waiting: count, reason: messageOf(error) }, "trades wait for the database");
        return clock.sleep(retryMs, closing.signal);
      });
    }
    await flush().catch((error) => {
      log.warn({ waiting: count, reason: messageOf(error) }, "trades are left to be fetched again");
    });
  }
  const running = run();

  return {
    get isFull() {
      return count >= queueMost;
    },
    add(market, { trades, isNews = true, gaps = [], since, also }) {
      if (trades.length + gaps.length === 0 && !also) return;
      const key = `${market.id} ${isNews}`;
      const pending = queue.get(key) ?? emptyPending(market, isNews);
      for (const trade of trades) pending.trades.push(trade);
      pending.gaps.push(...gaps);
      pending.since ??= since;
      if (also) pending.also.push(also);
      queue.set(key, pending);
      count += trades.length;
    },
    flush,
    inTurn,
    async close() {
      closing.abort();
      await running;
    },
  };
}

function emptyPending(market: WrittenMarket, isNews: boolean): Pending {
  return { market, isNews, gaps: [], since: undefined, trades: [], also: [] };
}

/** The first trades of what is to be written of a market, with what belongs before them; all of it if there is room. */
function takePart(pending: Pending, room: number): Pending {
  if (pending.trades.length <= room) return pending;
  const part = { ...pending, trades: pending.trades.splice(0, room), also: [] };
  pending.gaps = [];
  pending.since = undefined;
  return part;
}

/** What was added to each market: news and what fills its gaps may be in the same candle, which can grow only once. */
function byMarket(
  parts: readonly Pending[],
  added: readonly MarketTrades[],
): { market: WrittenMarket; trades: Trade[] }[] {
  const found = new Map<number, { market: WrittenMarket; trades: Trade[] }>();
  for (const [index, { market }] of parts.entries()) {
    const { trades } = found.get(market.id) ?? { trades: [] };
    found.set(market.id, { market, trades: [...trades, ...(added[index]?.trades ?? [])] });
  }
  return [...found.values()];
}

/** What some trades add to the candles of their market in every timeframe. */
function additionsOf(
  market: WrittenMarket,
  trades: readonly Trade[],
  hasCandles: boolean,
): CandleAdditions[] {
  const shortest = foldTrades(trades, 60);
  return [...timeframes.values()].map((seconds) => {
    const counted = market.counted.get(seconds);
    const isOurs = ({ time }: TradeCandle) =>
      !hasCandles || counted?.has(time) || time >= (market.foldedSince ?? Number.POSITIVE_INFINITY);
    const candles = counted?.size
      ? foldTrades(uncounted(trades, seconds, counted), seconds)
      : foldTradeCandles(shortest, seconds);
    return { market: market.id, seconds, candles: candles.filter(isOurs) };
  });
}

/** The trades that are not in an exchange's candle already. */
function uncounted(
  trades: readonly Trade[],
  seconds: number,
  counted: ReadonlyMap<number, number>,
): Trade[] {
  return trades.filter(({ time }) => time > (counted.get(startOf(time, seconds)) ?? -1));
}
