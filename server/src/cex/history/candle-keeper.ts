import type { Queryable } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { foldCandles, startOf } from "../candles.ts";
import type { Venue } from "../feeds/venue.ts";
import type { Candle } from "../market.ts";
import { type Gap, listGapsWithoutCandles, setHasCandles } from "../store/gaps.ts";
import { findCandleReach } from "../store/read-candles.ts";
import { type ExchangeCandle, putExchangeCandles, setCandleReach } from "../store/write-candles.ts";
import { timeframes } from "../timeframes.ts";
import type { FollowedMarket } from "./followed-market.ts";
import type { TradeWriter, WrittenMarket } from "./trade-writer.ts";

/** Fetches from the exchange what cannot be folded from trades. */
export type CandleKeeper = {
  /** Fetches the candles from a moment on, as far as they are not there and not ours to fold. */
  ensure(
    followed: FollowedMarket,
    written: WrittenMarket,
    seconds: number,
    from: number,
  ): Promise<void>;
  /** Fetches the candles of gaps. */
  mendGaps(followed: FollowedMarket, written: WrittenMarket): Promise<void>;
  /** Fetches again what was still growing when it was fetched and is finished now. */
  finish(followed: FollowedMarket, written: WrittenMarket): Promise<void>;
};

type CandleKeeperOptions = { db: Queryable; venue: Venue; writer: TradeWriter; clock: Clock };

/** No answer has more of them. */
const candlesMost = 50_000;
/** An exchange that answers by windows of time has at least so many candles in each. */
const windowCandles = 300;
const pagesMost = 200;
/** Exchanges need a moment to finish a candle. */
const graceMs = 3_000;

/** A timeframe of the exchange. */
type Source = { label: string; seconds: number };
type Span = { seconds: number; from: number; to: number };

/** Looks after the candles of one exchange's markets. */
export function openCandleKeeper({ db, venue, writer, clock }: CandleKeeperOptions): CandleKeeper {
  const exchange = venue.exchange.id;

  /** The longest timeframe of the exchange that candles of this length can be folded from. */
  function sourceOf(seconds: number): Source | undefined {
    return [...venue.nativeTimeframes]
      .map(([label, length]) => ({ label, seconds: length }))
      .filter((source) => seconds % source.seconds === 0)
      .sort((one, other) => other.seconds - one.seconds)[0];
  }

  /** All that an exchange has of its own timeframe in a span, page by page. */
  async function readPages(
    { market }: FollowedMarket,
    source: Source,
    from: number,
    end: number,
  ): Promise<Candle[]> {
    const step = source.seconds * 1_000;
    const found = new Map<number, Candle>();
    let since = from;
    for (let pages = 0; since < end && pages < pagesMost; pages++) {
      const page = await venue.candles(market, source.label, since);
      for (const candle of page) found.set(candle.time, candle);
      const last = page.at(-1)?.time;
      // Some exchanges answer by windows of time, which may be empty; what follows is not.
      since = last === undefined ? since + windowCandles * step : Math.max(last, since) + step;
    }
    return [...found.values()].filter(({ time }) => time >= from && time < end);
  }

  /** An exchange's candles that start in a span, both ends included; none where nothing was traded. */
  async function fetchCandles(
    followed: FollowedMarket,
    { seconds, from, to }: Span,
  ): Promise<Candle[]> {
    const source = sourceOf(seconds);
    if (!source) return [];
    const end = Math.min(startOf(to, seconds) + seconds * 1_000, clock.now());
    const candles = await readPages(followed, source, startOf(from, seconds), end);
    return foldCandles(candles.filter(isSoundCandle(source.seconds)), seconds);
  }

  /** Up to when the trades of an exchange's candle are in it, as far as can be known. */
  function untilOf(followed: FollowedMarket, candle: Candle, seconds: number, askedAt: number) {
    const end = candle.time + seconds * 1_000;
    if (end + graceMs <= askedAt) return end - 1;
    return Math.min(Math.max(askedAt, followed.last?.time ?? 0), end - 2);
  }

  /** Puts those of an exchange's candles in the tables that are not ours to fold. */
  async function replace(
    followed: FollowedMarket,
    written: WrittenMarket,
    span: Span,
    isTheirs: (start: number) => boolean,
  ): Promise<void> {
    const { seconds } = span;
    const askedAt = clock.now();
    const candles = await fetchCandles(followed, span);
    // While nothing else is written: trades that come later have to know what is counted already.
    await writer.inTurn(async () => {
      const theirs = candles
        .filter(({ time }) => isTheirs(time))
        .map((candle) => ({ ...candle, until: untilOf(followed, candle, seconds, askedAt) }));
      if (theirs.length > 0) await putExchangeCandles(db, written.id, seconds, theirs);
      for (const candle of theirs) noteCounted(written, seconds, candle);
    });
  }

  async function ensure(
    followed: FollowedMarket,
    written: WrittenMarket,
    seconds: number,
    wantedFrom: number,
  ): Promise<void> {
    const step = seconds * 1_000;
    const now = clock.now();
    const from = startOf(Math.max(wantedFrom, now - candlesMost * step, 0), seconds);
    const name = { exchange, market: written.name };
    const reach = await findCandleReach(db, { ...name, seconds });
    if (reach !== undefined && reach <= from) return;
    const folded = written.foldedSince ?? Number.POSITIVE_INFINITY;
    const to = Math.min(reach ?? now, folded, now);
    if (from <= to) {
      await replace(followed, written, { seconds, from, to }, (start) => start < folded);
    }
    await setCandleReach(db, written.id, seconds, from);
  }

  async function mendGap(
    followed: FollowedMarket,
    written: WrittenMarket,
    gap: Gap,
  ): Promise<void> {
    for (const seconds of timeframes.values()) {
      const step = seconds * 1_000;
      const from = Math.max(gap.from, clock.now() - candlesMost * step);
      const span = { seconds, from, to: gap.to };
      await replace(followed, written, span, (start) => start <= gap.to && start + step > gap.from);
    }
    await setHasCandles(db, written.id, gap);
  }

  return {
    ensure,
    async mendGaps(followed, written) {
      for (const gap of await listGapsWithoutCandles(db, written.id)) {
        await mendGap(followed, written, gap);
      }
    },
    async finish(followed, written) {
      for (const [seconds, counted] of written.counted) {
        for (const start of [...counted.keys()]) {
          if (start + seconds * 1_000 + graceMs > clock.now()) continue;
          const span = { seconds, from: start, to: start };
          await replace(followed, written, span, (time) => time === start);
          counted.delete(start);
        }
      }
    },
  };
}

/** Remembers what is in a candle that still grows; one that is finished needs no care. */
function noteCounted(written: WrittenMarket, seconds: number, { time, until }: ExchangeCandle) {
  const counted = written.counted.get(seconds) ?? new Map<number, number>();
  written.counted.set(seconds, counted);
  if (until < time + seconds * 1_000 - 1) counted.set(time, until);
  else counted.delete(time);
}

const decimal = /^\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,2})?$/i;

/** Whether a candle starts where candles of its length start, and has figures that can be stored. */
function isSoundCandle(seconds: number): (candle: Candle) => boolean {
  return ({ time, open, high, low, close, volume }) =>
    time % (seconds * 1_000) === 0 &&
    [open, high, low, close, volume].every((figure) => decimal.test(figure)) &&
    Number(volume) > 0;
}
