import { parentPort, workerData } from "node:worker_threads";
import { systemClock as clock } from "../../lib/clock.ts";
import { openLog } from "../../lib/log.ts";
import { sandboxSeed as seed } from "../chain/market/fair-price.ts";
import { openExchangeServer } from "./exchange-server.ts";
import type { ExchangeOrders, ExchangeReport } from "./sandbox-exchange.ts";

const { port } = workerData as ExchangeOrders;
const log = openLog({
  level: "warn",
  pretty: false,
  write: (line) => void process.stderr.write(line),
});
const server = await openExchangeServer({ clock, seed, port, log });
parentPort?.once("message", () => void server.close());
const report: ExchangeReport = { kind: "listening", port: server.port };
parentPort?.postMessage(report);
