import { Worker } from "node:worker_threads";
import { backoffMs } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Random } from "./random.ts";

/** How a thread is doing. */
type ThreadHealth = {
  state: "running" | "restarting";
  restarts: number;
  /** Why it last ended, or null. */
  lastError: string | null;
};

/** A thread that is kept running. */
export type Thread = { health(): ThreadHealth; stop(): Promise<void> };

type ThreadOptions = {
  name: string;
  /** The file the thread runs. It ends by itself when it gets the message "stop". */
  file: URL;
  /** What the thread is told, each time it starts. */
  workerData: unknown;
  /** Hears what the thread says. */
  onMessage?: (message: unknown) => void;
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
  onMessage = () => {},
  clock,
  random,
  log,
}: ThreadOptions): Thread {
  const stopping = new AbortController();
  let worker: Worker | undefined;
  let health: ThreadHealth = { state: "restarting", restarts: 0, lastError: null };

  async function runOnce(): Promise<string> {
    return new Promise((resolve) => {
      let reason = "it ended without being asked to";
      worker = new Worker(file, { workerData, name });
      worker.once("online", () => {
        health = { ...health, state: "running" };
      });
      worker.on("message", onMessage);
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
