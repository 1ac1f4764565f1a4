import { parentPort, workerData } from "node:worker_threads";
import { openBus } from "./bus/open-bus.ts";
import type { Address } from "./database/address.ts";
import { openDatabase } from "./database/database.ts";
import { systemClock } from "./lib/clock.ts";
import { type LogLevel, openLog } from "./lib/log.ts";
import { systemRandom } from "./lib/random.ts";
import type { RoleName } from "./roles/roles.ts";
import { runRole } from "./roles/run-role.ts";

/** What the main thread tells a worker thread. */
export type WorkerOrders = {
  role: RoleName;
  addresses: Address[];
  natsUrl: string | undefined;
  logLevel: LogLevel;
  isTerminal: boolean;
};

const poolSize = 4;

const { role, addresses, natsUrl, logLevel, isTerminal } = workerData as WorkerOrders;
const log = openLog({
  level: logLevel,
  pretty: isTerminal,
  write: (line) => void process.stderr.write(line),
});
const db = openDatabase({ addresses, poolSize, clock: systemClock, random: systemRandom, log });
const bus = await openBus(natsUrl, log);
const stopping = new AbortController();
parentPort?.once("message", () => stopping.abort());

await runRole(role, { db, bus, clock: systemClock, log }, stopping.signal);
await bus.close();
await db.close();
