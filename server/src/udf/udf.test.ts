import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import {
  chartedPool,
  chartsNow,
  storedHours,
  storedMinutes,
  useChartsScene,
} from "../../test/charts-scene.ts";
import type { History } from "./history.ts";

const { app, feed } = useChartsScene();
const now = Math.floor(chartsNow / 1_000);
const midnight = now - 30;
const market = "KRAKEN:BTC-USD";
const pool = `UNISWAP-V3:ETHEREUM:${chartedPool}`;

beforeEach(() => feed.tellStatus());

async function ask(path: string, query: Record<string, string | number> = {}): Promise<unknown> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  const response = await app.ask(`/udf/${path}?${search}`);
  expect(response.status).toBe(200);
  return response.json();
}
const history = (query: Record<string, string | number>) =>
  ask("history", query) as Promise<History>;
const times = (answer: History) => (answer.s === "ok" ? answer.t : []);

/** When bars start, oldest first. */
const minutes = storedMinutes.map((ago) => midnight - ago * 60).reverse();
const hours = storedHours.map((ago) => midnight - ago * 3_600).reverse();

describe("/udf/config", () => {
  test("tells the exchanges, and in which resolutions there are bars", async () => {
    expect(await ask("config")).toMatchObject({
      supports_search: true,
      supports_group_request: false,
      supports_time: true,
      supported_resolutions: ["1", "5", "15", "60", "360", "1D"],
      exchanges: [
        { value: "", name: "All" },
        { value: "UNISWAP-V3" },
        { value: "PANCAKESWAP-V3" },
        { value: "KRAKEN", name: "Kraken" },
      ],
    });
  });
});

describe("/udf/time", () => {
  test("is a number of seconds and nothing else", async () => {
    expect(await (await app.ask("/udf/time")).text()).toBe(String(now));
  });
});

describe("/udf/symbols", () => {
  test("tells of a market, in any case", async () => {
    expect(await ask("symbols", { symbol: "kraken:btc-usd" })).toMatchObject({
      name: "BTC-USD",
      ticker: market,
      exchange: "KRAKEN",
      type: "crypto",
      session: "24x7",
      timezone: "Etc/UTC",
      pricescale: 10,
      minmov: 1,
      supported_resolutions: ["1", "5", "15", "60", "360", "1D"],
      intraday_multipliers: ["1", "5", "15", "60", "360"],
      currency_code: "USD",
    });
  });

  test("tells of a pool, with as many digits as its price needs", async () => {
    expect(await ask("symbols", { symbol: pool })).toMatchObject({
      name: "WETH/USDC",
      ticker: pool,
      exchange: "UNISWAP-V3",
      pricescale: 100,
      supported_resolutions: ["60", "1D"],
      currency_code: "USDC",
    });
  });

  test.each([
    ["", "Required field is missing: symbol"],
    ["BTC", "A symbol has an exchange: KRAKEN:BTC-USD, for example."],
    ["KRAKEN:NO-SUCH", expect.stringContaining("market")],
    ["NOBODY:BTC-USD", expect.stringContaining("exchange")],
    ["UNISWAP-V3:ETHEREUM:nonsense", expect.stringContaining("must be an address")],
    ["UNISWAP-V3:NOWHERE:0x1", expect.stringContaining("not served on such a blockchain")],
    [`UNISWAP-V3:BASE:${chartedPool}`, expect.stringContaining("was not found")],
  ])("says what is wrong with %j in the protocol's manner", async (symbol, errmsg) => {
    expect(await ask("symbols", { symbol })).toEqual({ s: "error", errmsg });
  });
});

describe("/udf/search", () => {
  const tickers = async (query: Record<string, string | number>) =>
    ((await ask("search", query)) as { ticker: string }[]).map(({ ticker }) => ticker);

  test.each<[Record<string, string | number>, string[]]>([
    [{ query: "btc" }, [market, "KRAKEN:BTC-EUR"]],
    [{ query: "btcusd" }, [market]],
    [{ query: "eth" }, ["KRAKEN:ETH-USD", pool]],
    [{ query: "weth/usdc" }, [pool]],
    [{ query: chartedPool }, [pool]],
    [{ query: "", exchange: "UNISWAP-V3" }, [pool]],
    [{ query: "", exchange: "KRAKEN", limit: 1 }, [market]],
    [{ query: "btc", exchange: "NOBODY" }, []],
    [{ query: "btc", type: "stock" }, []],
  ])("%j", async (query, expected) => {
    expect(await tickers(query)).toEqual(expected);
  });
});

describe("/udf/history", () => {
  test("tells the bars from a time up to another, which is not included", async () => {
    const [first = 0, second = 0, third = 0, fourth = 0] = minutes;
    const answer = await history({ symbol: market, resolution: "1", from: second, to: fourth });
    expect(answer).toEqual({
      s: "ok",
      t: [second, third],
      o: [63999.9, 63999.9],
      h: [64100, 64100],
      l: [63000.00000001, 63000.00000001],
      c: [64011.5, 64010.5],
      v: [0.01076655, 0.01076655],
    });
    expect(first).toBeLessThan(second);
  });

  test("tells as many as countback says, however far back and whatever from says", async () => {
    const query = { symbol: market, resolution: "1", from: midnight, to: now + 999, countback: 8 };
    expect(times(await history(query))).toEqual(minutes.slice(-8));
  });

  test("tells bars of pools, with their volume in dollars", async () => {
    const query = { symbol: pool, resolution: "60", to: now, countback: 2 };
    expect(await history(query)).toEqual({
      s: "ok",
      t: hours.slice(-2),
      o: [3000.5, 3000.5],
      h: [3400, 3400],
      l: [2900, 2900],
      c: [3001, 3001],
      v: [12345.678, 12345.678],
    });
    expect(times(await history({ symbol: pool, resolution: "D", from: 0, to: now }))).toEqual([
      midnight,
    ]);
  });

  test.each([
    ["a market", { symbol: market, resolution: "1" }, 30 * 60, minutes[0]],
    ["a pool", { symbol: pool, resolution: "60" }, 40 * 3_600, hours[0]],
  ])("names the newest bar before a span of %s without any", async (_, query, ago, nextTime) => {
    const to = midnight - ago;
    expect(await history({ ...query, from: to - 60, to })).toEqual({ s: "no_data", nextTime });
  });

  test("names none when there is none", async () => {
    for (const more of [{ from: 0 }, { countback: 5 }]) {
      const query = { symbol: pool, resolution: "60", to: 1_000_000, ...more };
      expect(await history(query)).toEqual({ s: "no_data" });
    }
  });

  test.each<[Record<string, string | number>, string]>([
    [{}, "Required field is missing: to must be a time in Unix seconds"],
    [{ to: "x" }, "to must be a time in Unix seconds"],
    [{ to: 5, from: 6 }, "from must not be later than to"],
    [{ to: 5 }, "Required field is missing: from must be a time in Unix seconds"],
    [{ to: now, countback: -1 }, "countback must be a whole number of bars"],
    [{ to: now, countback: 1, resolution: "7" }, "resolution must be one of 1, 5, 15, 60, 360, 1D"],
  ])("says what is wrong with %j", async (query, errmsg) => {
    const asked = { symbol: market, resolution: "1", ...query };
    expect(await history(asked)).toEqual({ s: "error", errmsg });
  });

  /** As a chart does that is scrolled back to the beginning, in steps of so many bars or of so many seconds. */
  async function scrollBack(symbol: object, step: { bars: number } | { seconds: number }) {
    const seen: number[] = [];
    let to = now + 100;
    for (;;) {
      const size = "bars" in step ? { countback: step.bars } : { from: to - step.seconds };
      const answer = await history({ ...symbol, to, ...size });
      seen.unshift(...times(answer));
      if (answer.s === "no_data" && answer.nextTime === undefined) return seen;
      to = nextEnd(answer, "seconds" in step ? to - step.seconds : 0);
    }
  }

  function nextEnd(answer: History, start: number): number {
    if (answer.s === "no_data") return (answer.nextTime ?? 0) + 1;
    return start || (answer.s === "ok" ? (answer.t[0] ?? 0) : 0);
  }

  test("paging back through time tells every bar exactly once", async () => {
    const symbols = fc.constantFrom(
      { symbol: { symbol: market, resolution: "1" }, bars: minutes, unit: 60 },
      { symbol: { symbol: pool, resolution: "60" }, bars: hours, unit: 3_600 },
    );
    const steps = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(symbols, steps, async ({ symbol, bars, unit }, [size, isCount]) => {
        const step = isCount ? { bars: size } : { seconds: size * unit + 7 };
        expect(await scrollBack(symbol, step)).toEqual(bars);
      }),
      { numRuns: 20 },
    );
  });
});

describe("/udf/quotes", () => {
  test("tells last prices, and what is wrong with a symbol beside them", async () => {
    const symbols = `${market},NOBODY:X,${pool}`;
    expect(await ask("quotes", { symbols })).toMatchObject({
      s: "ok",
      d: [
        {
          s: "ok",
          n: market,
          v: {
            lp: 64000.1,
            bid: 64000.1,
            ask: 64000.2,
            open_price: 63999.9,
            high_price: 64100,
            prev_close_price: 62000,
            ch: 2000.1,
            chp: 3.226,
            spread: 0.1,
            short_name: "BTC-USD",
            exchange: "KRAKEN",
          },
        },
        { s: "error", n: "NOBODY:X", errmsg: expect.stringContaining("exchange") },
        { s: "ok", n: pool, v: { lp: 3001, short_name: "WETH/USDC" } },
      ],
    });
    expect(await ask("quotes")).toMatchObject({ s: "error" });
  });
});

test("a chart without a key is refused like anybody else", async () => {
  const response = await fetch(`${app.url}/udf/time`);
  expect(response.status).toBe(401);
  expect((await fetch(`${app.url}/udf/time?apiKey=slp_sandbox_master`)).status).toBe(200);
});
