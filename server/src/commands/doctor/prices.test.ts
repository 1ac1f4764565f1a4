import { expect, test } from "vitest";
import { priceFindings } from "./prices.ts";

const every = ["ETH", "WBTC", "POL", "MATIC", "LINK", "UNI"];
const markets = Object.fromEntries(every.map((symbol) => [symbol, [`kraken/${symbol}-USD`]]));
const look = (changes: Partial<Parameters<typeof priceFindings>[0]> = {}) =>
  priceFindings({
    ...{ markets, settings: { leastSources: 1 }, blockchains: ["ethereum"], exchanges: ["kraken"] },
    ...changes,
  });

test("every token of the chains has a market, or is a dollar, or is wrapped ether", () => {
  expect(look()).toEqual([{ state: "ok", what: "10 tokens priced by 6 markets" }]);
});

test("tokens without a market are named", () => {
  expect(look({ markets: { ETH: ["kraken/ETH-USD"] } })).toMatchObject([
    { state: "warning", what: "No market prices WBTC, POL, MATIC, LINK, UNI." },
  ]);
  expect(look({ blockchains: ["polygon", "solana"] })).toMatchObject([
    { state: "warning", what: "No market prices SOL." },
  ]);
});

test("fewer markets than must have a price never make one", () => {
  const two = ["kraken/ETH-USD", "kraken/ETH-USDT"];
  expect(look({ markets: { ...markets, ETH: two }, settings: { leastSources: 2 } })).toMatchObject([
    { state: "broken", what: expect.stringMatching(/^WBTC, POL, MATIC, LINK, UNI have fewer/) },
  ]);
});

test("markets of an exchange that is not served make no price", () => {
  expect(look({ exchanges: ["coinbase"] })).toMatchObject([
    { state: "broken", fix: expect.stringContaining("`exchanges`") },
  ]);
});
