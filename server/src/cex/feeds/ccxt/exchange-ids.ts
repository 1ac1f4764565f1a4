import { ccxtIds } from "./ccxt-package.ts";

/** Ids that ccxt had once, and what became of them. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["bitcoincom", "fmfwio"],
  ["bitfinex2", "bitfinex"],
  ["bitpanda", "onetrading"],
  ["coinbaseadvanced", "coinbase"],
  ["coinbasepro", "coinbaseexchange"],
  ["gateio", "gate"],
  ["gdax", "coinbaseexchange"],
  ["hitbtc2", "hitbtc"],
  ["hitbtc3", "hitbtc"],
  ["huobi", "htx"],
  ["huobijp", "bittrade"],
  ["huobipro", "htx"],
  ["krakenfu", "krakenfutures"],
  ["kucoin2", "kucoin"],
  ["mexc3", "mexc"],
  ["okex", "okx"],
  ["okex3", "okx"],
  ["okex5", "okx"],
]);

/** The ids of all exchanges that ccxt knows. No class is loaded for it. */
export function exchangeIds(): string[] {
  return [...ccxtIds];
}

/** What ccxt calls an exchange today, whatever it was called before; nothing when it has no such exchange. */
export function canonicalId(text: string): string | undefined {
  const lower = text.toLowerCase();
  const id = renamed.get(lower) ?? lower;
  return ccxtIds.includes(id) ? id : undefined;
}
