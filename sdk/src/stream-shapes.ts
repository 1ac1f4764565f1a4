import type { RampEvent } from "./ramp-shapes.ts";
import type { CexCandle, CexLevel, CexTrade, PoolBar, PoolSwap } from "./shapes.ts";

/**
 * What can be listened to: `cex.trades:{exchange}:{market}`, `cex.book:{exchange}:{market}`,
 * `cex.candles:{exchange}:{market}:{timeframe}`, `dex.swaps:{exchange}:{blockchain}:{pool}`,
 * `dex.bars:{exchange}:{blockchain}:{pool}:{timeframe}`, `ramp.transactions`, `ramp.transactions:{transactionId}`.
 */
export type StreamChannel = string;

/** What the stream says. Over SSE and WebSocket the messages are the same. `channel` is spelled as it was asked for. */
export type StreamMessage =
  /** The channel is heard from here on. `resumed`: what was missed since `Last-Event-ID` came, or comes next. */
  | { type: "subscribed"; channel: StreamChannel; resumed: boolean }
  | { type: "unsubscribed"; channel: StreamChannel }
  /** Oldest first, each once. */
  | { type: "trades"; channel: StreamChannel; trades: CexTrade[] }
  /** The book as a whole, best prices first: at the start, and whenever changes were skipped. */
  | ({ type: "book"; channel: StreamChannel; nonce: number } & StreamLevels)
  /** Applies to the book with the nonce `after`. A size of 0 takes the level away. */
  | ({ type: "bookChange"; channel: StreamChannel; after: number; nonce: number } & StreamLevels)
  | { type: "candle"; channel: StreamChannel; candle: CexCandle }
  /** Oldest first, each once, unless their blocks were replaced. */
  | { type: "swaps"; channel: StreamChannel; swaps: StreamSwap[] }
  /** The chain replaced its newest blocks: swaps from this block on were never there. */
  | { type: "rollback"; channel: StreamChannel; fromBlock: number }
  | { type: "bar"; channel: StreamChannel; bar: PoolBar }
  | { type: "event"; channel: StreamChannel; event: RampEvent }
  /** Something was missed that does not come: ask `refetch`, a path of this API, to have it. */
  | { type: "gap"; channel: StreamChannel; reason: string; refetch: string }
  /** The source is silent. The channel goes on by itself, with a whole book or the trades that were missed. */
  | { type: "stale"; channel: StreamChannel; reason: string }
  /** Something that was sent over the WebSocket cannot be done. */
  | { type: "error"; channel?: StreamChannel; message: string }
  /** Every 15 seconds, in Unix milliseconds: whoever hears nothing for longer has lost the connection. */
  | { type: "ping"; at: number };

/** A swap, and the block it is in: what a rollback takes away is told by that. */
export type StreamSwap = PoolSwap & { block: number };

export type StreamLevels = { bids: CexLevel[]; asks: CexLevel[] };

/** What is said to the WebSocket. */
export type StreamRequest =
  | { action: "subscribe"; channels: StreamChannel[]; lastEventId?: string }
  | { action: "unsubscribe"; channels: StreamChannel[] };
