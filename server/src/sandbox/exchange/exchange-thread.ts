import { parentPort, workerData } from "node:worker_threads";
import { systemClock as clock } from "../../lib/clock.ts";
import { openLog } from "../../lib/log.ts";
import { sandboxSeed as seed } from "../chain/market/fair-price.ts";
import { openExchangeServer } from "./exchange-server.ts";
import type { ExchangeOrders, ExchangeReport } from "./sandbox-exchange.ts";

const report = (message: ExchangeReport) => parentPort?.postMessage(message);

/** The service has one log: what the exchange has to say goes there. */
const log = openLog({
  level: "warn",
  pretty: false,
  write(line) {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } };
    report({ kind: "warning", message: err ? `${msg}: ${err.message}` : msg });
  },
});
const { port } = workerData as ExchangeOrders;
const server = await openExchangeServer({ clock, seed, port, log });
parentPort?.once("message", () => void server.close());
report({ kind: "listening", port: server.port });
