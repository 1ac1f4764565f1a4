import { expect, test } from "vitest";
import { openMarketIndex } from "./find-market.ts";
import type { ListedMarket } from "./market.ts";

const market = (id: string, symbol: string, nativeId: string) =>
  ({ id, symbol, nativeId }) as ListedMarket;

const index = openMarketIndex([
  market("BTC-USD", "BTC/USD", "XXBTZUSD"),
  market("ETH2.S-ETH", "ETH2.S/ETH", "ETH2.SETH"),
  market("BTC-USDT:USDT", "BTC/USDT:USDT", "BTC-USDT"),
  market("BTC-USDT", "BTC/USDT", "btcusdt"),
]);

test.each([
  ["BTC-USD", "BTC-USD"],
  ["btc-usd", "BTC-USD"],
  ["Btc/Usd", "BTC-USD"],
  ["xxbtzusd", "BTC-USD"],
  ["eth2.s-eth", "ETH2.S-ETH"],
  ["btc-usdt:usdt", "BTC-USDT:USDT"],
  // What is the id of one market and the native id of another is the id.
  ["BTC-USDT", "BTC-USDT"],
  ["BTCUSDT", "BTC-USDT"],
  ["BTC", undefined],
  ["", undefined],
  ["__proto__", undefined],
])("%s is %s", (text, id) => {
  expect(index.find(text)?.id).toBe(id);
});
