import { once } from "node:events";
import type { RoleHealth } from "@slipway/sdk";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { superviseThread } from "../../lib/thread.ts";

/** What the exchange's thread is told. */
export type ExchangeOrders = { port: number };

/** What the exchange's thread tells. */
export type ExchangeReport =
  | { kind: "listening"; port: number }
  | { kind: "warning"; message: string };

/** A local exchange, in a thread of its own. */
export type SandboxExchange = {
  /** What stands before the host in every URL of the exchange. */
  baseUrl: string;
  health(): RoleHealth;
  stop(): Promise<void>;
};

type StartOptions = {
  clock: Clock;
  random: Random;
  log: Log;
  /** What the thread runs; only tests run another. */
  file?: URL;
};

/** Starts the sandbox's exchange and keeps it running, always on the same port. */
export async function startSandboxExchange(options: StartOptions): Promise<SandboxExchange> {
  const { clock, random, log } = options;
  const { file = new URL("./exchange-thread.js", import.meta.url) } = options;
  const orders: ExchangeOrders = { port: 0 };
  const started = new AbortController();

  function hear(report: ExchangeReport): void {
    if (report.kind === "warning") {
      log.warn(report.message);
      return;
    }
    orders.port = report.port;
    started.abort();
  }

  const thread = superviseThread({
    name: "sandbox exchange",
    file,
    workerData: orders,
    onMessage: (message) => hear(message as ExchangeReport),
    clock,
    random,
    log,
  });
  if (!started.signal.aborted) await once(started.signal, "abort");
  return {
    baseUrl: `http://127.0.0.1:${orders.port}`,
    health: thread.health,
    stop: thread.stop,
  };
}
