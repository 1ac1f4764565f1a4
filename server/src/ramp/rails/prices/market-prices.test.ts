import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { recordingLog } from "../../../../test/silent-log.ts";
import { steppingClock } from "../../../../test/stepping-clock.ts";
import { UnavailableError } from "../../../lib/errors.ts";
import type { Prices } from "../../ports.ts";
import { marketsOf, pricesWithFallback } from "./configured-markets.ts";
import {
  type CrossPrice,
  type MarketData,
  type MarketPricesOptions,
  type MarketQuote,
  openMarketPrices,
} from "./market-prices.ts";

const e18 = 10n ** 18n;
const start = Date.UTC(2026, 0, 1);
const usual = { staleSeconds: 30, disagreePercent: 1, leastSources: 1 };
const kraken = "kraken/ETH-USD";
const coinbase = "coinbase/ETH-USD";

/** Prices of two exchanges that say what a test lets them say. */
function openLab(
  settings: Partial<MarketPricesOptions["settings"]> = {},
  markets: MarketPricesOptions["markets"] = { ETH: [kraken, coinbase] },
) {
  const clock = steppingClock(start);
  const { lines, log } = recordingLog();
  const told = new Map<string, Partial<MarketQuote> | Error | "never">();
  const asked: string[] = [];
  let cross: CrossPrice | undefined;
  const data: MarketData = {
    async quotes(market) {
      asked.push(market);
      const quote = told.get(market);
      if (quote instanceof Error) throw quote;
      if (quote === "never") return new Promise(() => {});
      const base = { market, bid: "3499", ask: "3501", volume: "10", at: clock.now() };
      return quote && { ...base, ...quote };
    },
    crossPrice: async () => cross,
  };
  const prices = openMarketPrices({
    data,
    markets,
    settings: { ...usual, ...settings },
    clock,
    log,
  });
  const stop = new AbortController();
  const over = prices.run(stop.signal);
  /** Lets time pass, second by second, until everybody has been asked again. */
  const pass = async (seconds = 1) => {
    for (let second = 0; second < seconds; second++) {
      await setImmediate();
      clock.advance(1_000);
      await setImmediate();
    }
  };
  const lab = {
    clock,
    lines,
    told,
    asked,
    pass,
    price: (symbol = "ETH") => prices.current({ symbol }),
    tellCross: (price: Omit<CrossPrice, "at">, at = clock.now()) => {
      cross = { ...price, at };
    },
    end: () => {
      stop.abort();
      return over;
    },
  };
  labs.push(lab);
  return lab;
}

const labs: { end(): Promise<void> }[] = [];
afterEach(() => Promise.all(labs.splice(0).map((lab) => lab.end())));

describe("a price", () => {
  test("is the middle of all markets by weight, and says where it comes from", async () => {
    const { told, pass, price, tellCross } = openLab();
    told.set(kraken, { volume: "30" }).set(coinbase, { bid: "3502", ask: "3506" });
    tellCross({ source: "dex ethereum", priceE18: 3_500_900_000_000_000_000_001n }, start + 1_000);
    await pass();
    expect(price()).toEqual({
      priceE18: 3_501n * e18,
      sources: [
        "kraken/ETH-USD 3500 at 2026-01-01T00:00:01.000Z",
        "coinbase/ETH-USD 3504 at 2026-01-01T00:00:01.000Z",
        "dex ethereum 3500.9",
      ],
    });
  });

  test("follows its markets, and is there for wrapped ether too", async () => {
    const { told, pass, price } = openLab();
    told.set(kraken, {});
    await pass();
    expect(price("WETH")?.priceE18).toBe(3_500n * e18);
    told.set(kraken, { bid: "3600", ask: "3600" });
    await pass();
    expect(price()?.priceE18).toBe(3_600n * e18);
    expect(price("WETH")).toEqual(price());
  });

  test("of a stablecoin is one dollar unless it has a market", async () => {
    const usdt = "kraken/USDT-USD";
    const { told, pass, price } = openLab({}, { USDT: [usdt] });
    told.set(usdt, { bid: "0.97", ask: "0.9702" });
    await pass();
    expect(price("USDC")).toEqual({ priceE18: e18, sources: ["par"] });
    expect(price("USDT")?.priceE18).toBe(9_701n * 10n ** 14n);
  });

  test("does not wait for a market that never answers, which is not asked again meanwhile", async () => {
    const { told, asked, pass, price } = openLab();
    told.set(kraken, {}).set(coinbase, "never");
    await pass(5);
    expect(price()?.priceE18).toBe(3_500n * e18);
    // Once before it fell silent, and once since.
    expect(asked.filter((market) => market === coinbase)).toHaveLength(2);
    expect(asked.filter((market) => market === kraken).length).toBeGreaterThanOrEqual(5);
  });
});

describe("there is no price", () => {
  test.each<[string, Parameters<typeof openLab>[0], Partial<MarketQuote> | Error, string]>([
    ["while a market that is needed is unheard of", { leastSources: 2 }, new Error("gone"), "gone"],
    ["when markets disagree", {}, { bid: "3650", ask: "3651" }, "coinbase/ETH-USD is too far"],
    [
      "when too few markets make sense",
      { leastSources: 2 },
      { bid: "3502", ask: "3400" },
      "1 markets can be used of the 2 needed; coinbase/ETH-USD: its best offers are 3502 and 3400",
    ],
  ])("%s", async (_, settings, second, words) => {
    const { told, pass, price, lines } = openLab(settings);
    told.set(kraken, { volume: "1000" }).set(coinbase, second);
    await pass();
    expect(price()).toBeUndefined();
    expect(lines.join("")).toContain(words);
    expect(lines.join("")).toContain("ramp.rails.prices");
  });

  test("when everybody has been silent for too long", async () => {
    const { told, pass, price, clock, lines } = openLab();
    told.set(kraken, {});
    await pass();
    told.set(kraken, new UnavailableError("The exchange kraken cannot be asked just now"));
    clock.advance(29_000);
    expect(price()).toBeDefined();
    await pass(2);
    expect(price()).toBeUndefined();
    expect(lines.join("")).toContain("The exchange kraken cannot be asked just now");
  });

  test("when the decentralized exchange says something else, while it is fresh", async () => {
    const { told, pass, price, tellCross, clock, lines } = openLab();
    told.set(kraken, {});
    tellCross({ source: "dex ethereum", priceE18: 3_400n * e18 });
    await pass();
    expect(price()).toBeUndefined();
    expect(lines.join("")).toContain("dex ethereum is too far from the markets");
    clock.advance(30_000);
    await pass(2);
    expect(price()?.sources).toHaveLength(1);
  });

  test("of a token without a market", async () => {
    const { price, lines } = openLab();
    expect(price("SOL")).toBeUndefined();
    expect(lines.join("")).toContain("no market is configured for it");
  });

  test("and that is said once, until the cause is another or is gone", async () => {
    const { told, pass, price, lines } = openLab();
    for (let times = 0; times < 3; times++) price();
    expect(lines).toHaveLength(1);
    told.set(kraken, { volume: "1000" }).set(coinbase, { bid: "3650", ask: "3651" });
    await pass();
    for (let times = 0; times < 3; times++) price();
    expect(lines).toHaveLength(2);
    told.set(coinbase, {});
    await pass();
    for (let times = 0; times < 3; times++) price();
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toContain("there is a price again");
  });
});

describe("the markets", () => {
  const exchanges = [
    { id: "kraken", markets: ["ETH-USD", "ETH-BTC", "usdc-usd"] },
    { id: "coinbase", markets: ["ETH-USD", "DOGE-USD"] },
  ];

  test("are those that are named, or all in dollars that are configured", () => {
    expect(marketsOf({ markets: {} }, exchanges)).toEqual({
      ETH: ["kraken/ETH-USD", "coinbase/ETH-USD"],
      USDC: ["kraken/USDC-USD"],
    });
    const markets = { BTC: ["kraken/BTC-USD"] };
    expect(marketsOf({ markets }, exchanges)).toEqual(markets);
  });

  test("decide whose price counts", () => {
    const at = (priceE18: bigint): Prices => ({
      current: () => ({ priceE18: priceE18 as never, sources: [] }),
    });
    const prices = pricesWithFallback(at(1n), { ETH: [kraken], BTC: [] }, at(2n));
    const of = (symbol: string) => prices.current({ symbol })?.priceE18;
    expect([of("ETH"), of("WETH"), of("BTC"), of("USDC")]).toEqual([1n, 1n, 2n, 2n]);
  });
});
