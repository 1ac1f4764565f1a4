import { describe, expect, test } from "vitest";
import { useFakeExchange } from "../../../test/fake-http-exchange.ts";
import { silentLog as log } from "../../../test/silent-log.ts";
import { systemClock as clock } from "../../lib/clock.ts";
import { systemRandom as random } from "../../lib/random.ts";
import { exchangeFindings } from "./exchanges.ts";

const fake = useFakeExchange();
const host = "/api.kraken.com/0/public";

const pair = {
  ...{ altname: "XBTUSD", wsname: "XBT/USD", base: "XXBT", quote: "ZUSD", status: "online" },
  ...{ pair_decimals: 1, lot_decimals: 8, fees: [[0, 0.26]], fees_maker: [[0, 0.16]] },
};

function serve(bids: unknown[] = [["99", "1", 1]]): void {
  fake.on(`${host}/AssetPairs`, () => ({ body: { error: [], result: { XXBTZUSD: pair } } }));
  const book = { bids, asks: [["101", "1", 1]] };
  fake.on(`${host}/Depth`, () => ({ body: { error: [], result: { XXBTZUSD: book } } }));
}

const look = (markets: string[], priceMarkets: string[] = []) => {
  // The sandbox's pace: nobody has to be spared here.
  const exchange = { id: "kraken", baseUrl: fake.baseUrl, markets, isSandbox: true };
  return exchangeFindings({ exchange, priceMarkets, clock, random, log });
};

describe("an exchange", () => {
  test("is well when it answers and has the markets and prices that are wanted", async () => {
    serve();
    expect(await look(["BTC-USD"], ["BTC-USD"])).toEqual([
      { state: "ok", what: "Kraken (sandbox) answers: 1 market" },
    ]);
  });

  test("that has not the markets that are configured is broken", async () => {
    serve();
    expect(await look(["BTC-USD", "BTC-USDD"], ["ETH-USD"])).toMatchObject([
      {
        state: "broken",
        what: "kraken has no market BTC-USDD, ETH-USD.",
        fix: expect.stringContaining("exchanges.kraken.markets"),
      },
    ]);
  });

  test("whose book is empty makes no price", async () => {
    serve([]);
    expect(await look([], ["BTC-USD"])).toMatchObject([
      { state: "broken", what: "Nobody offers anything at kraken/BTC-USD." },
    ]);
  });

  test.each([451, 403])("that answers %i does not serve this place", async (status) => {
    fake.on(`${host}/AssetPairs`, () => ({ status, body: "Service unavailable from here" }));
    expect(await look([])).toMatchObject([
      {
        state: "broken",
        what: `kraken refuses to serve this machine (${status}).`,
        fix: expect.stringContaining("exchanges.kraken.baseUrl"),
      },
    ]);
  });

  test("that is away is said to be so", async () => {
    fake.on(`${host}/AssetPairs`, () => ({ status: 503, body: "" }));
    expect(await look([])).toMatchObject([
      { state: "broken", what: "Kraken is not available.", why: expect.stringContaining("kraken") },
    ]);
  });
});
