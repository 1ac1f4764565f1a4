import { type TradeMessage, tradeMessages } from "../../cex/messages.ts";
import type { MarketName } from "../../cex/store/markets.ts";
import { type CandleQuery, readCandles } from "../../cex/store/read-candles.ts";
import { messageOf } from "../../lib/errors.ts";
import { Saying } from "../message.ts";
import { type StateSource, type StateUpdate, staleSaying } from "../source.ts";
import { type CexSourceContext, watchMarket } from "./market-watch.ts";

/** A market's candles of one length. */
export type CandleName = MarketName & { timeframe: string; seconds: number };

/** A candle as it was told. */
type Told = { time: number; json: string };

/** No more than so many new ones are told at once; a candle a minute is the most there is. */
const newMost = 5;
/** How often a market that is not live is looked after. */
const askEveryTicks = 5;

/** A market's newest candle: at most once a second while it grows, and once more when it has closed. */
export function openCandleSource(name: CandleName, context: CexSourceContext): StateSource {
  const { db, bus, live, clock, log } = context;
  const { exchange, market, timeframe, seconds } = name;
  const listeners = new Set<(update: StateUpdate) => void>();
  let told: Told | undefined;
  let saying: Saying | undefined;
  let isChanged = true;
  let isReading = false;
  let ticks = 0;

  /** The candles from the one on that was told last, oldest first. */
  async function readNew(): Promise<Told[]> {
    const query: CandleQuery = {
      ...{ exchange, market, seconds, limit: told ? newMost : 1, isFilled: false },
      ...{ direction: "desc", now: clock.now(), from: told?.time },
    };
    const found: Told[] = [];
    for (let left = query.limit; left > 0; left--) {
      const after = found.at(-1)?.time;
      const page = await readCandles(db, { ...query, limit: 1, after });
      if (page.newest === undefined) break;
      for await (const json of page.chunks) found.push({ time: page.newest, json });
    }
    return found.reverse();
  }

  async function tellNew(): Promise<void> {
    for (const candle of await readNew()) {
      if (candle.json === told?.json) continue;
      told = candle;
      saying = new Saying("candle", `"candle":${candle.json}`);
      for (const hear of [...listeners]) hear({ kind: "whole", saying });
    }
  }

  async function completeHistory(): Promise<void> {
    const from = Math.floor(clock.now() / (1_000 * seconds)) * 1_000 * seconds - 1_000 * seconds;
    const candles = { timeframe, from };
    await live.history(exchange, market, { isOfThePast: false, candles });
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.debug({ ...name, reason: messageOf(error) }, "candles that are listened to have to wait");
    }
  }

  /** The last candle ends without a trade, too. */
  const hasJustClosed = () =>
    told?.json.endsWith('"closed":false}') && told.time + seconds * 1_000 <= clock.now();

  async function tick(): Promise<void> {
    if (isReading) return;
    isReading = true;
    if (!watch.isFresh() && ticks++ % askEveryTicks === 0) {
      await attempt(completeHistory);
      isChanged = true;
    }
    if (isChanged || hasJustClosed()) {
      isChanged = false;
      await attempt(tellNew);
    }
    isReading = false;
  }

  const watch = watchMarket(name, context, {
    tick: () => void tick(),
    silent(reason) {
      for (const hear of [...listeners]) hear({ kind: "note", saying: staleSaying(reason) });
    },
  });
  const stopListening = bus.subscribe(tradeMessages(exchange), (messages: TradeMessage[]) => {
    isChanged ||= messages.some((message) => message.market === market);
  });

  return {
    kind: "state",
    ready: attempt(completeHistory),
    listeners,
    whole: () => saying,
    close() {
      stopListening();
      watch.close();
    },
  };
}
