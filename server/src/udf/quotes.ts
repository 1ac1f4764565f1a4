import type { Bar, Charted } from "./feed.ts";

/** What the protocol tells of the price of one symbol. */
export type QuoteAnswer =
  | { s: "ok"; n: string; v: Record<string, string | number> }
  | { s: "error"; n: string; v: Record<string, never>; errmsg: string };

/** The last price, and what it did since the day began in UTC. */
export async function quoteOf(
  charted: Charted,
  symbol: string,
  nowSeconds: number,
): Promise<QuoteAnswer> {
  const { info } = charted;
  const days = { resolution: "1D", before: nowSeconds + 1, from: 0, count: 2 };
  const [bars, heard] = await Promise.all([charted.bars(days), charted.quote?.()]);
  const today = bars.at(-1);
  const last = heard?.last ?? today?.close;
  if (last === undefined) return { s: "error", n: symbol, v: {}, errmsg: "There is no price yet." };
  const names = {
    short_name: info.name,
    original_name: info.ticker,
    exchange: info.exchange,
    description: info.description,
  };
  const prices = { lp: last, ask: heard?.ask ?? last, bid: heard?.bid ?? last };
  const rounded = (value: number) => Math.round(value * info.pricescale) / info.pricescale;
  const spread = rounded(prices.ask - prices.bid);
  const { ch = 0, ...rest } = changeOf(last, today, bars.at(-2));
  return { s: "ok", n: symbol, v: { ...names, ...prices, spread, ch: rounded(ch), ...rest } };
}

function changeOf(last: number, today: Bar | undefined, before: Bar | undefined) {
  if (!today) return {};
  const { open, high, low, volume } = today;
  const close = before?.close ?? open;
  const ch = last - close;
  return {
    ch,
    chp: close === 0 ? 0 : Math.round((ch / close) * 1_000_000) / 10_000,
    open_price: open,
    high_price: Math.max(high, last),
    low_price: Math.min(low, last),
    prev_close_price: close,
    volume,
  };
}
