import type { BookView, Quote } from "./book-view.ts";
import { digitsOf } from "./digits.ts";
import type { Candle } from "./history.ts";
import type { Market } from "./market.ts";
import type { dayOf } from "./rest.ts";
import type { TapeTrade } from "./tape.ts";

type Kind = "snapshot" | "update";

/** A book or its changes. Figures are JSON numbers with all their digits, which JSON.stringify would cut. */
export function bookText(
  kind: Kind,
  market: Market,
  { bids, asks }: BookView,
  checksum: number,
  time: number,
): string {
  const stamp = kind === "update" ? `,"timestamp":"${timeText(time)}"` : "";
  const sides = `"bids":[${levelsText(market, bids)}],"asks":[${levelsText(market, asks)}]`;
  const data = `{"symbol":"${market.symbol}",${sides},"checksum":${checksum}${stamp}}`;
  return `{"channel":"book","type":"${kind}","data":[${data}]}`;
}

/** Trades, the oldest first. */
export function tradesText(kind: Kind, market: Market, trades: readonly TapeTrade[]): string {
  const data = trades.map(({ id, time, price, size, side, kind }) => {
    const figures = `"price":${priceText(market, price)},"qty":${sizeText(market, size)}`;
    const rest = `"ord_type":"${kind}","trade_id":${id},"timestamp":"${timeText(time)}"`;
    return `{"symbol":"${market.symbol}","side":"${side}",${figures},${rest}}`;
  });
  return `{"channel":"trade","type":"${kind}","data":[${data.join(",")}]}`;
}

/** How a market's last day looks. */
export function tickerText(
  kind: Kind,
  market: Market,
  { day, last, bid, ask }: Awaited<ReturnType<typeof dayOf>>,
): string {
  const price = (ticks: number | undefined) => priceText(market, Math.round(ticks ?? 0));
  const size = (lots: number | undefined) => sizeText(market, lots ?? 0);
  const lastPrice = last?.price ?? day.close;
  const change = lastPrice - day.open;
  const percent = ((100 * change) / day.open).toFixed(2);
  const best = `"bid":${price(bid?.price)},"bid_qty":${size(bid?.size)},"ask":${price(ask?.price)},"ask_qty":${size(ask?.size)}`;
  const range = `"last":${price(lastPrice)},"volume":${size(day.volume)},"vwap":${price(day.average)},"low":${price(day.low)},"high":${price(day.high)}`;
  const sign = change < 0 ? "-" : "";
  const changes = `"change":${sign}${price(Math.abs(change))},"change_pct":${percent}`;
  return `{"channel":"ticker","type":"${kind}","data":[{"symbol":"${market.symbol}",${best},${range},${changes}}]}`;
}

/** Candles of one interval in minutes, the oldest first. */
export function candlesText(
  kind: Kind,
  market: Market,
  interval: number,
  candles: readonly Candle[],
  time: number,
): string {
  const price = (ticks: number) => priceText(market, Math.round(ticks));
  const data = candles.map(({ start, open, high, low, close, average, volume, count }) => {
    const prices = `"open":${price(open)},"high":${price(high)},"low":${price(low)},"close":${price(close)}`;
    const amounts = `"trades":${count},"volume":${sizeText(market, volume)},"vwap":${price(average)}`;
    const begin = timeText(start * 1e6);
    const end = timeText((start + interval * 60) * 1e6);
    const span = `"interval_begin":"${begin}","interval":${interval},"timestamp":"${end}"`;
    return `{"symbol":"${market.symbol}",${prices},${amounts},${span}}`;
  });
  const stamp = timeText(time);
  return `{"channel":"ohlc","type":"${kind}","timestamp":"${stamp}","data":[${data.join(",")}]}`;
}

/** Unix microseconds as people write them. */
export function timeText(micros: number): string {
  const milliseconds = Math.floor(micros / 1_000);
  const rest = String(micros - milliseconds * 1_000).padStart(3, "0");
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}Z`;
}

function levelsText(market: Market, quotes: readonly Quote[]): string {
  return quotes
    .map(
      ({ price, size }) => `{"price":${priceText(market, price)},"qty":${sizeText(market, size)}}`,
    )
    .join(",");
}

function priceText({ priceDecimals }: Market, ticks: number): string {
  return digitsOf(ticks, priceDecimals);
}

function sizeText({ sizeDecimals }: Market, lots: number): string {
  return digitsOf(lots, sizeDecimals);
}
