import type { PoolSwap, StreamLevels, StreamMessage } from "@slipway/sdk";
import type { Paint } from "./terminal.ts";

/** A message as people read it: when, which channel, and what; nothing about what only keeps the connection alive. */
export function messageLines(message: StreamMessage, now: number, paint: Paint): string[] {
  if (message.type === "ping") return [];
  const channel = message.channel ?? "";
  const line = (at: number, text: string) =>
    `${paint(timeOf(at), "dim")}  ${paint(channel, "cyan")}  ${text}`;
  switch (message.type) {
    case "trades":
      return message.trades.map(({ timestamp, side, price, size }) =>
        line(
          Number(timestamp),
          `${paint(side.padEnd(4), side === "buy" ? "green" : "red")}  ${price}  × ${size}`,
        ),
      );
    case "book":
      return [line(now, `book  ${bestOf(message)}`)];
    case "bookChange":
      return [line(now, `change  ${levelsOf(message)}`)];
    case "candle": {
      const { timestamp, o, h, l, c, volume, closed } = message.candle;
      const state = closed ? "closed" : "open";
      return [
        line(Number(timestamp), `o ${o}  h ${h}  l ${l}  c ${c}  volume ${volume}  ${state}`),
      ];
    }
    case "bar": {
      const { timestamp, o, h, l, c, volumeUSD } = message.bar;
      return [line(timestamp * 1_000, `o ${o}  h ${h}  l ${l}  c ${c}  volume ${volumeUSD} USD`)];
    }
    case "swaps":
      return message.swaps.map((swap) => line(Number(swap.timestamp) * 1_000, swapInWords(swap)));
    case "event":
      return [
        line(
          Date.parse(message.event.createdAt),
          `${message.event.sequence}  ${message.event.type}`,
        ),
      ];
    default:
      return [line(now, remarkOf(message, paint))];
  }
}

type Remark = Extract<
  StreamMessage,
  { type: "subscribed" | "unsubscribed" | "rollback" | "gap" | "stale" | "error" }
>;

/** What is said about a channel. */
function remarkOf(message: Remark, paint: Paint): string {
  switch (message.type) {
    case "subscribed":
      return paint(message.resumed ? "goes on where it was" : "begins", "dim");
    case "unsubscribed":
      return paint("ends", "dim");
    case "rollback":
      return paint(`from block ${message.fromBlock} on nothing of it happened`, "yellow");
    case "gap":
      return paint(`something was missed: ${message.reason} Ask ${message.refetch}`, "yellow");
    case "stale":
      return paint(`silent: ${message.reason}`, "yellow");
    case "error":
      return paint(message.message, "red");
  }
}

function bestOf({ bids, asks }: StreamLevels): string {
  return `${bids[0]?.[0] ?? "-"} / ${asks[0]?.[0] ?? "-"}  (${bids.length} bids, ${asks.length} asks)`;
}

function levelsOf({ bids, asks }: StreamLevels): string {
  const shown = [
    ...bids.map(([price, size]) => `bid ${price} × ${size}`),
    ...asks.map(([price, size]) => `ask ${price} × ${size}`),
  ];
  const most = 4;
  return (
    shown.slice(0, most).join(", ") + (shown.length > most ? `, ${shown.length - most} more` : "")
  );
}

function swapInWords({ amount0, amount1, amountUSD }: PoolSwap): string {
  return `${amount0} for ${amount1}  (${amountUSD} USD)`;
}

function timeOf(ms: number): string {
  return Number.isNaN(ms) ? "?" : new Date(ms).toISOString().slice(11, 23);
}
