import type { ListedMarket } from "../src/cex/market.ts";

/** A spot market by its symbol or id, named as exchanges name it that have no better idea. */
export function listedMarket(name: string, more: Partial<ListedMarket> = {}): ListedMarket {
  const [base = "", quote = ""] = name.split(/[-/]/);
  const id = `${base}-${quote}`;
  const names = { symbol: `${base}/${quote}`, base, quote, id, nativeId: id };
  const fees = { percentage: true, taker: 0.002, maker: 0.001 };
  const kind = { exchange: "test", active: true, type: "spot" };
  return { ...names, ...fees, ...kind, priceDecimals: 1, sizeDecimals: 8, ...more };
}
