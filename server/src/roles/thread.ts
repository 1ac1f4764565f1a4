import { Worker } from "node:worker_threads";
import type { RoleHealth } from "@slipway/sdk";
import { backoffMs } from "../lib/backoff.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";

export type Thread = { health(): RoleHealth; stop(): Promise<void> };

type ThreadOptions = {
  name: string;
  /** The file the thread runs. It ends by itself when it gets the message "stop". */
  file: URL;
  workerData: unknown;
  clock: Clock;
  random: Random;
  log: Log;
};

const steadyMs = 30_000;
const stopWithinMs = 5_000;

/** Runs a file in a thread of its own and starts it again whenever it ends, waiting longer each time. */
export function superviseThread({
  name,
  file,
  workerData,
  clock,
  random,
  log,
}: ThreadOptions): Thread {
  const stopping = new AbortController();
  let worker: Worker | undefined;
  let health: RoleHealth = { state: "restarting", restarts: 0, lastError: null };

  async function runOnce(): Promise<string> {
    return new Promise((resolve) => {
      let reason = "it ended without being asked to";
      worker = new Worker(file, { workerData, name });
      worker.once("online", () => {
        health = { ...health, state: "running" };
      });
      worker.once("error", (error) => {
        reason = error instanceof Error ? error.message : String(error);
      });
      worker.once("exit", () => resolve(reason));
    });
  }

  async function keepRunning(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures++) {
      const startedAt = clock.now();
      const reason = await runOnce();
      worker = undefined;
      if (stopping.signal.aborted) return;
      if (clock.now() - startedAt > steadyMs) failures = 0;
      health = { state: "restarting", restarts: health.restarts + 1, lastError: reason };
      const waitMs = backoffMs(failures, { firstMs: 200, mostMs: 30_000 }, random);
      log.error({ role: name, reason, waitMs }, "a worker thread crashed; starting it again");
      await clock.sleep(waitMs, stopping.signal);
    }
  }
  const running = keepRunning();

  return {
    health: () => health,
    async stop() {
      stopping.abort();
      worker?.postMessage("stop");
      const killer = setTimeout(() => void worker?.terminate(), stopWithinMs);
      await running;
      clearTimeout(killer);
    },
  };
}
