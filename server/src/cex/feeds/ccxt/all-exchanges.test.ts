import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { isObject } from "../../../lib/is-object.ts";
import { loadExchange, urlAt } from "./ccxt-exchange.ts";
import { describeClass, nativeTimeframes } from "./describe-exchange.ts";
import { canonicalId, exchangeIds } from "./exchange-ids.ts";
import { describeExchange } from "./open-venue.ts";

const ids = exchangeIds();
const base = "http://127.0.0.1:1/through";
const configured = (id: string, baseUrl?: string) => ({
  id,
  baseUrl,
  markets: [],
  isSandbox: false,
});

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

test("there are as many exchanges as ccxt says", async () => {
  const { default: ccxt } = await import("ccxt");
  expect(ids.toSorted()).toEqual(ccxt.exchanges.toSorted());
});

test("what we say about them is what ccxt says", async () => {
  const exchanges = await Promise.all(ids.map((id) => loadExchange(configured(id))));
  const all = exchanges.map(describeClass);
  const text = `# What ccxt says about its exchanges. Written by a test.\n${stringify(all, { lineWidth: 0 })}`;
  await expect(text).toMatchFileSnapshot("../../../../data/exchanges.yaml");
});

describe.each(ids)("%s", (id) => {
  test("is described without a hole", async () => {
    const { url, fees, docs, logo, ...rest } = await describeExchange(configured(id));
    expect(rest).toEqual({
      name: expect.stringMatching(/\S/),
      id,
      countries: expect.toSatisfy((countries: string[]) =>
        countries.every((country) => /^[A-Z]{2}$/.test(country)),
      ),
      hasTrades: expect.any(Boolean),
      hasAggregates: expect.any(Boolean),
      aggregateTimeframes: {
        "1m": 60,
        "5m": 300,
        "15m": 900,
        "1h": 3600,
        "6h": 21600,
        "1d": 86400,
      },
    });
    expect([fees].flat()).toSatisfy((texts: unknown[]) =>
      texts.every((t) => typeof t === "string"),
    );
    expect(url).toMatch(/^https:/);
    expect(logo).toMatch(/^https:/);
    expect(docs).toBeTypeOf("string");
  });

  test("goes nowhere but through the base URL", async () => {
    const exchange = await loadExchange(configured(id, base));
    const urls = textsIn(exchange.urls.api);
    expect(urls).not.toHaveLength(0);
    for (const url of urls)
      expect(url).toMatch(
        /^(http|ws):\/\/127\.0\.0\.1:1\/through\/[a-z0-9.-]+\.[a-z]+(:\d+)?(\/|\?|$)/,
      );
  });
});

describe("an exchange", () => {
  test("has a country where ccxt has a language", async () => {
    const all = await Promise.all(ids.map((id) => loadExchange(configured(id))));
    const odd = all.filter(({ countries }) => textsIn(countries).includes("pt-BR"));
    expect(odd).not.toHaveLength(0);
    for (const { id } of odd) {
      expect((await describeExchange(configured(id))).countries).toContain("BR");
    }
  });

  test("of the sandbox says so in its name", async () => {
    const sandbox = { ...configured("kraken"), isSandbox: true };
    expect((await describeExchange(sandbox)).name).toBe("Kraken (sandbox)");
  });

  test("tells one place where its documentation is, and all where its fees are", async () => {
    expect(await describeExchange(configured("coinbaseexchange"))).toMatchObject({
      docs: "https://docs.cloud.coinbase.com/exchange/docs/",
      fees: [expect.stringMatching(/^https:/), expect.stringMatching(/^https:/)],
    });
  });

  test("gets from us what ccxt does not know of its fees", async () => {
    expect((await describeExchange(configured("bitstamp"))).fees).toMatch(/^https:/);
  });

  test("has timeframes with a length, in seconds", async () => {
    const exchange = await loadExchange(configured("okx"));
    const native = nativeTimeframes(exchange);
    expect(native.get("6h")).toBe(21_600);
    expect(native.get("1w")).toBe(604_800);
    expect(native.has("1M")).toBe(false);
  });

  test("is unknown when ccxt has no such class", async () => {
    await expect(loadExchange(configured("mtgox"))).rejects.toThrow(
      'There is no exchange "mtgox" to be had.',
    );
    await expect(loadExchange(configured("../kraken"))).rejects.toThrow("There is no exchange");
  });
});

test.each([
  ["Kraken", "kraken"],
  ["coinbasepro", "coinbaseexchange"],
  ["GDAX", "coinbaseexchange"],
  ["huobi", "htx"],
  ["gateio", "gate"],
  ["bitfinex2", "bitfinex"],
  ["okex5", "okx"],
  ["mtgox", undefined],
  ["", undefined],
  ["base/Exchange", undefined],
])("%s is called %s today", (text, id) => {
  expect(canonicalId(text)).toBe(id);
});

describe("a base URL", () => {
  test("is encrypted or not for both kinds of URLs", async () => {
    const over = (baseUrl: string) => loadExchange(configured("kraken", baseUrl));
    expect(urlAt(await over("http://proxy:8080/"), "ws.publicV2")).toBe(
      "ws://proxy:8080/ws.kraken.com/v2",
    );
    expect(urlAt(await over("https://proxy"), "ws.publicV2")).toBe("wss://proxy/ws.kraken.com/v2");
    expect(urlAt(await over("https://proxy"), "public")).toBe("https://proxy/api.kraken.com");
  });

  test("is also used for URLs that an exchange tells only later", async () => {
    const exchange = await loadExchange(configured("kucoin", base));
    const client = exchange.client("wss://push.kucoin.example/endpoint?token=1");
    expect(isObject(client) && client.url).toBe(
      "ws://127.0.0.1:1/through/push.kucoin.example/endpoint?token=1",
    );
    await exchange.close();
  });

  test("is left alone by whoever has none", async () => {
    const exchange = await loadExchange(configured("bybit"));
    expect(urlAt(exchange, "ws.public.spot")).toBe("wss://stream.bybit.com/v5/public/spot");
  });
});
