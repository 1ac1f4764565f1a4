import type { Market } from "./market.ts";
import { newPace } from "./pace.ts";
import { remember } from "./remember.ts";
import {
  epochAt,
  epochMicros,
  firstEpoch,
  openTape,
  type Summary,
  type TapeTrade,
} from "./tape.ts";

/** What happened to the price from `start` on, a Unix time in seconds. */
export type Candle = Summary & { start: number };

/** The past of one market. Nothing of it is stored: whatever is asked for is worked out, and some of it kept for a while. */
export type MarketHistory = {
  /** At most `limit` trades after a moment in Unix microseconds and not after `now`, the oldest first. */
  after(time: number, now: number, limit: number): TapeTrade[];
  /** The last `limit` trades up to now. */
  latest(now: number, limit: number): TapeTrade[];
  /** Trades by their ids, both ends included, as far as they have happened. */
  between(fromId: number, toId: number, now: number): TapeTrade[];
  /** The last `limit` candles up to now, the last of them still running; the oldest first. */
  candles(seconds: number, now: number, limit: number): Promise<Candle[]>;
  /** All trades from a moment on, as one. The moment is taken back to where its epoch starts. */
  since(time: number, now: number): Promise<Summary>;
};

const epochSeconds = epochMicros / 1e6;
const keptEpochs = 16;
const daySeconds = 86_400;
/** Spans that are kept once they are known, and how many of each. */
const keptSpans = new Map([
  [3_600, 1_000],
  [daySeconds, 1_200],
]);

/** Opens the past of a market. */
export function openMarketHistory(seed: number, market: Market): MarketHistory {
  const tape = openTape(seed, market);
  const epochs = new Map<number, TapeTrade[]>();
  const spans = new Map(
    [...keptSpans.keys()].map((seconds) => [seconds, new Map<number, Summary>()]),
  );
  const pace = newPace();

  function tradesOf(epoch: number): TapeTrade[] {
    return remember(epochs, keptEpochs, epoch, () => tape.trades(epoch));
  }

  function after(time: number, now: number, limit: number): TapeTrade[] {
    const found: TapeTrade[] = [];
    let epoch = Math.max(firstEpoch, epochAt(time));
    for (; epoch <= epochAt(now) && found.length < limit; epoch++) {
      found.push(...tradesOf(epoch).filter((trade) => trade.time > time && trade.time <= now));
    }
    return found.slice(0, limit);
  }

  function latest(now: number, limit: number): TapeTrade[] {
    const found: TapeTrade[][] = [];
    let count = 0;
    for (let epoch = epochAt(now); epoch >= firstEpoch && count < limit; epoch--) {
      const trades = tradesOf(epoch).filter((trade) => trade.time <= now);
      found.unshift(trades);
      count += trades.length;
    }
    return found.flat().slice(-limit);
  }

  /** A span of whole epochs that are over. */
  async function wholeSpan(start: number, seconds: number): Promise<Summary> {
    if (seconds === epochSeconds) {
      await pace();
      return tape.summary(start / epochSeconds);
    }
    const kept = spans.get(seconds);
    const known = kept?.get(start);
    if (known) return known;
    const part = seconds > daySeconds ? daySeconds : epochSeconds;
    const parts: Summary[] = [];
    for (let at = start; at < start + seconds; at += part) parts.push(await wholeSpan(at, part));
    const whole = fold(parts) ?? emptySummary;
    return kept ? remember(kept, keptSpans.get(seconds) ?? 0, start, () => whole) : whole;
  }

  /** A span that is not over yet, or that is shorter than an epoch. Nothing where nothing was traded. */
  async function openSpan(start: number, end: number, now: number): Promise<Summary | undefined> {
    const parts: (Summary | undefined)[] = [];
    for (let at = start; at < end && at * 1e6 <= now; at = nextEpochStart(at)) {
      const until = Math.min(end, nextEpochStart(at));
      const isWhole = at % epochSeconds === 0 && until - at === epochSeconds && until * 1e6 <= now;
      if (isWhole) parts.push(await wholeSpan(at, epochSeconds));
      else parts.push(summaryOf(tradesWithin(at * 1e6, Math.min(until * 1e6 - 1, now))));
      await pace();
    }
    return fold(parts.filter((part) => part !== undefined));
  }

  function tradesWithin(from: number, to: number): TapeTrade[] {
    return tradesOf(epochAt(from)).filter(({ time }) => time >= from && time <= to);
  }

  async function spanAt(start: number, seconds: number, now: number): Promise<Summary | undefined> {
    const end = start + seconds;
    const isWhole = seconds % epochSeconds === 0 && end * 1e6 <= now;
    return isWhole ? wholeSpan(start, seconds) : openSpan(start, end, now);
  }

  async function candles(seconds: number, now: number, limit: number): Promise<Candle[]> {
    const found: Candle[] = [];
    const last = Math.floor(now / 1e6 / seconds) * seconds;
    const first = Math.max(last - (limit - 1) * seconds, firstEpoch * epochSeconds);
    for (let start = Math.ceil(first / seconds) * seconds; start <= last; start += seconds) {
      const summary = (await spanAt(start, seconds, now)) ?? pauseAfter(found.at(-1));
      if (summary) found.push({ ...summary, start });
    }
    return found;
  }

  return {
    after,
    latest,
    between(fromId, toId, now) {
      const trades: TapeTrade[] = [];
      const epochOf = (id: number) => firstEpoch + Math.floor((id - 1) / market.tradesPerEpoch);
      for (
        let epoch = epochOf(Math.max(1, fromId));
        epoch <= Math.min(epochOf(toId), epochAt(now));
        epoch++
      ) {
        trades.push(
          ...tradesOf(epoch).filter(({ id, time }) => id >= fromId && id <= toId && time <= now),
        );
      }
      return trades;
    },
    candles,
    async since(time, now) {
      const start = epochAt(time) * epochSeconds;
      return (await openSpan(start, Number.POSITIVE_INFINITY, now)) ?? emptySummary;
    },
  };
}

/** Where nothing was traded, the price stays where it was. */
function pauseAfter(before: Summary | undefined): Summary | undefined {
  if (!before) return undefined;
  const { close } = before;
  return { open: close, high: close, low: close, close, volume: 0, average: 0, count: 0 };
}

const emptySummary: Summary = {
  open: 0,
  high: 0,
  low: 0,
  close: 0,
  volume: 0,
  average: 0,
  count: 0,
};

function nextEpochStart(seconds: number): number {
  return (Math.floor(seconds / epochSeconds) + 1) * epochSeconds;
}

/** What trades come to, the oldest first; nothing for none. */
export function summaryOf(trades: readonly TapeTrade[]): Summary | undefined {
  return fold(
    trades.map(({ price, size }) => ({
      open: price,
      high: price,
      low: price,
      close: price,
      volume: size,
      average: price,
      count: 1,
    })),
  );
}

/** What spans that follow each other come to; nothing for none. */
function fold(parts: readonly Summary[]): Summary | undefined {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return undefined;
  const total = { ...first, close: last.close, volume: 0, average: 0, count: 0 };
  let paid = 0;
  for (const part of parts) {
    total.high = Math.max(total.high, part.high);
    total.low = Math.min(total.low, part.low);
    total.volume += part.volume;
    total.count += part.count;
    paid += part.average * part.volume;
  }
  return { ...total, average: paid / total.volume };
}
