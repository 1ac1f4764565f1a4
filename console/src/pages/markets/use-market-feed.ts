import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import { type CexLevel, type CexTrade, StreamBook, type StreamMessage } from "@slipway/sdk";
import { useEffect, useMemo } from "react";
import { live } from "../../live/connection.ts";
import { perFrame } from "../../live/per-frame.ts";
import { useChannel } from "../../live/use-channel.ts";
import { useFallback } from "../../live/use-fallback.ts";
import { useAnswer } from "../../session/use-answer.ts";
import { mergeTrades } from "./trades.ts";

/** A book and when it was heard. */
export type ShownBook = {
  nonce: number;
  bids: readonly CexLevel[];
  asks: readonly CexLevel[];
  heardAt: number;
};

/** What changes many times a second: whoever reads a signal is drawn anew alone. */
export type MarketFeed = {
  book: ReadonlySignal<ShownBook | undefined>;
  trades: ReadonlySignal<readonly CexTrade[]>;
  /** Why the market is silent, while it is. */
  silence: ReadonlySignal<string | undefined>;
};

const tapeMost = 100;
const levels = 500;

/** The book and the trades of a market: asked for once, then told by the stream; asked for again while that is broken. */
export function useMarketFeed(exchange: string, market: string): MarketFeed {
  const book = useSignal<ShownBook | undefined>(undefined);
  const trades = useSignal<readonly CexTrade[]>([]);
  const silence = useSignal<string | undefined>(undefined);
  useAskedBook(exchange, market, book);
  useAskedTrades(exchange, market, trades);
  useToldBook(exchange, market, book, silence);
  return { book, trades, silence };
}

function useAskedBook(exchange: string, market: string, book: Signal<ShownBook | undefined>): void {
  const { data, dataUpdatedAt } = useAnswer({
    key: ["cex", exchange, market, "book", levels],
    ask: (client) => client.cex.book(exchange, market, { limit: levels }),
    ...useFallback(),
  });
  useEffect(() => {
    if (!data || (book.peek()?.nonce ?? 0) >= data.nonce) return;
    book.value = { ...data, heardAt: dataUpdatedAt };
  }, [data, dataUpdatedAt, book]);
}

function useAskedTrades(
  exchange: string,
  market: string,
  trades: Signal<readonly CexTrade[]>,
): void {
  const answer = useAnswer({
    key: ["cex", exchange, market, "trades", tapeMost],
    ask: (client) => client.cex.trades(exchange, market, { limit: tapeMost }),
    ...useFallback(),
  });
  const add = (told: readonly CexTrade[]) => {
    trades.value = mergeTrades(trades.peek(), told, tapeMost);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new in an answer is added once
  useEffect(() => {
    if (answer.data) add(answer.data.trades);
  }, [answer.data]);
  useChannel(`cex.trades:${exchange}:${market}`, (message) => {
    if (message.type === "trades") add(message.trades);
    else if (message.type === "gap") void answer.refetch();
  });
}

function useToldBook(
  exchange: string,
  market: string,
  shown: Signal<ShownBook | undefined>,
  silence: Signal<string | undefined>,
): void {
  const channel = `cex.book:${exchange}:${market}`;
  const followed = useMemo(() => new StreamBook(channel), [channel]);
  const show = useMemo(
    () =>
      perFrame(() => {
        const { nonce, bids, asks } = followed;
        if (nonce !== undefined) shown.value = { nonce, bids, asks, heardAt: Date.now() };
      }),
    [followed, shown],
  );
  useChannel(channel, (message: StreamMessage) => {
    if (message.type === "stale") silence.value = message.reason;
    const outcome = followed.apply(message);
    if (outcome === "broken") live.renew(channel);
    if (outcome !== "changed") return;
    silence.value = undefined;
    show();
  });
}
