import { tradeCursor } from "../../cex/cursor.ts";
import { RecentIds } from "../../cex/history/recent-ids.ts";
import type { Trade } from "../../cex/market.ts";
import { exchangeStatuses, type TradeMessage, tradeMessages } from "../../cex/messages.ts";
import { readGaps } from "../../cex/store/gaps.ts";
import { findMarket, type MarketName } from "../../cex/store/markets.ts";
import { compareKeys, type TradeKey } from "../../cex/trade-key.ts";
import { messageOf } from "../../lib/errors.ts";
import { Saying } from "../message.ts";
import { type DurableSource, type Gap, gapSaying, type Page, staleSaying } from "../source.ts";
import {
  findNewestTrade,
  listNewestIds,
  readTradesAfter,
  readTradesByKey,
} from "../store/trades.ts";
import { followTail, type Tail } from "../tail.ts";
import { type CexSourceContext, watchMarket } from "./market-watch.ts";

const pageMost = 500;
/** Who missed more is not told all of it. */
export const replayedMost = 10_000;
const gapsMost = 20;
/** How often a market that is not live is looked after. */
const askEveryTicks = 5;
const positionForm = /^(\d{1,15})\.([^\0]{0,200})$/s;

/** A market's trades, as they get into the tables. */
export function openTradeSource(name: MarketName, context: CexSourceContext): DurableSource {
  const { db, bus, live, clock, log } = context;
  const path = `/v2/cex/${encodeURIComponent(name.exchange)}/${encodeURIComponent(name.market)}`;
  const recent = new RecentIds();
  let gapsKnown: number | undefined;
  let ticks = 0;

  async function begin(): Promise<string> {
    await completeHistory();
    const [newest, ids] = await Promise.all([
      findNewestTrade(db, name),
      listNewestIds(db, name, RecentIds.most),
    ]);
    remember(ids);
    return positionOf(newest ?? { time: 0, id: "" });
  }

  /** Makes the market live, and sees to it that the newest trades are stored. An exchange may be down. */
  async function completeHistory(): Promise<void> {
    try {
      await live.history(name.exchange, name.market, { isOfThePast: false });
    } catch (error) {
      log.debug(
        { ...name, reason: messageOf(error) },
        "trades that are listened to may be missing",
      );
    }
  }

  async function read(after: string, hear?: (ids: readonly string[]) => void): Promise<Page> {
    const run = await readTradesAfter(db, name, keyOf(after), pageMost);
    if (!run) return { sayings: [], isEnd: true };
    hear?.(run.ids);
    const saying = new Saying("trades", `"trades":[${run.json}]`);
    const sayings = [{ saying, position: positionOf(run.last) }];
    return { sayings, isEnd: run.ids.length < pageMost };
  }

  const remember = (ids: readonly string[]) => {
    for (const id of ids) recent.add(id);
  };
  const readNew = (after: string) => read(after, remember);
  const tail: Tail = followTail({ begin, read: readNew, clock, log });

  /** An exchange may tell a trade after later ones. It is told as it comes, and moves nobody. */
  async function tellLate(trades: readonly Trade[]): Promise<void> {
    const json = await readTradesByKey(db, name, trades);
    if (json !== undefined) tail.tell("late", new Saying("trades", `"trades":[${json}]`));
  }

  function hear(messages: readonly TradeMessage[]): void {
    for (const { market, trades } of messages) {
      if (market !== name.market) continue;
      void tail.ready.then(() => hearTrades(trades)).catch(() => {});
    }
  }

  async function hearTrades(trades: readonly Trade[]): Promise<void> {
    await tail.advance();
    const head = keyOf(tail.head());
    const late = trades.filter((trade) => compareKeys(trade, head) <= 0 && recent.add(trade.id));
    if (late.length > 0) await tellLate(late);
  }

  /** Says what could not be had, as soon as the recorder has noted it. */
  async function hearGaps(gaps: number): Promise<void> {
    const isNew = gapsKnown !== undefined && gaps > gapsKnown;
    gapsKnown = gaps;
    if (!isNew) return;
    const { time } = keyOf(tail.head());
    for (const gap of await recordedGaps(time)) tail.tell("late", gapSaying(gap));
  }

  async function recordedGaps(from: number): Promise<Gap[]> {
    const json = await readGaps(db, { ...name, limit: gapsMost, from });
    const gaps = JSON.parse(json) as { from: string; reason: string }[];
    return gaps.reverse().map(({ from, reason }) => ({
      reason,
      refetch: `${path}/trades?since=${from}`,
    }));
  }

  async function missedSince(position: string): Promise<{ gaps: Gap[]; position: string }> {
    const key = keyOf(position);
    const [stored, cut, gaps] = await Promise.all([
      findMarket(db, name),
      findNewestTrade(db, name, { after: key, skip: replayedMost }),
      recordedGaps(key.time),
    ]);
    const since = stored?.tradesSince ?? Number.POSITIVE_INFINITY;
    if (key.time > 0 && since > key.time) gaps.unshift(notKept(since));
    if (!cut) return { gaps, position };
    const reason = `More than ${replayedMost} trades were missed; only the newest of them follow.`;
    const refetch = `${path}/trades?before=${tradeCursor(key)}&limit=50000`;
    return { gaps: [{ reason, refetch }, ...gaps], position: positionOf(cut) };
  }

  function notKept(since: number): Gap {
    const isKept = Number.isFinite(since);
    const reason = isKept
      ? `Trades from before ${new Date(since).toISOString()} are not kept.`
      : "The trades of this market are not kept yet.";
    return { reason, refetch: isKept ? `${path}/trades?since=${since}` : `${path}/trades` };
  }

  const watch = watchMarket(name, context, {
    tick() {
      if (watch.isFresh() || ticks++ % askEveryTicks > 0) return;
      void completeHistory().then(() => tail.advance());
    },
    silent: (reason) => tail.tell("note", staleSaying(reason)),
  });
  const stopListening = [
    bus.subscribe(tradeMessages(name.exchange), hear),
    bus.subscribe(exchangeStatuses, ({ exchange, markets }) => {
      const status = markets.find(({ market }) => market === name.market);
      if (exchange === name.exchange && status) void hearGaps(status.gaps).catch(() => {});
    }),
  ];

  return {
    ...tail,
    kind: "durable",
    read: (after) => read(after),
    accepts: (position) => positionForm.test(position),
    missedSince,
    isBeyond: (position) => compareKeys(keyOf(position), keyOf(tail.head())) > 0,
    lost: () => ({
      reason: "These trades are not known here, so those after them cannot be told apart.",
      refetch: `${path}/trades`,
    }),
    close() {
      tail.close();
      watch.close();
      for (const stop of stopListening) stop();
    },
  };
}

function positionOf({ time, id }: TradeKey): string {
  return `${time}.${id}`;
}

function keyOf(position: string): TradeKey {
  const [, time = "0", id = ""] = positionForm.exec(position) ?? [];
  return { time: Number(time), id };
}
