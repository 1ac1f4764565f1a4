import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { kraken } from "ccxt";
import { built, context } from "../built.ts";
import { obey } from "../process.ts";

export type PassThroughAnswer = { url: string };

const { startSandboxExchange } = await built<
  typeof import("../../server/src/sandbox/exchange/sandbox-exchange.ts")
>("sandbox/exchange/sandbox-exchange");

/** What is had without us: a server that asks the exchange through ccxt for every request. */
obey(async (): Promise<PassThroughAnswer> => {
  const { baseUrl } = await startSandboxExchange(context);
  const exchange = new kraken({ enableRateLimit: false });
  exchange.urls.api = { ...exchange.urls.api, public: `${baseUrl}/api.kraken.com` };
  exchange.has.fetchCurrencies = false;
  await exchange.loadMarkets();
  const server = createServer(async (_, response) => {
    const { bids, asks } = await exchange.fetchOrderBook("BTC/USD", 200);
    const body = JSON.stringify({ exchange: "kraken", market: "BTC-USD", nonce: 0, bids, asks });
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});
