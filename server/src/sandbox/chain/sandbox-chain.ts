import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { RoleHealth } from "@slipway/sdk";
import type { Chain } from "../../chains/chain.ts";
import type { Deployment } from "../../dex/deployment.ts";
import { backoffMs } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import { OperatorError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { barOf } from "../../lib/progress.ts";
import type { Random } from "../../lib/random.ts";
import type { Progress } from "./open-sandbox-chain.ts";
import { sandboxChainAt, sandboxDeployment } from "./sandbox-deployment.ts";

/** What the chain's process is told. */
export type ChainOrders = { journalFile: string; port: number };

/** What the chain's process tells. */
export type ChainReport =
  | { kind: "listening"; port: number }
  | { kind: "progress"; progress: Progress }
  | { kind: "warning"; message: string };

/** A local Ethereum with Uniswap v3 on it, in a process of its own. */
export type SandboxChain = {
  chain: Chain;
  deployment: Deployment;
  /** How much of the chain's past is there: all, when `done` is `total`. */
  progress(): Progress;
  health(): RoleHealth;
  stop(): Promise<void>;
};

type StartOptions = {
  dataFolder: string;
  clock: Clock;
  random: Random;
  log: Log;
  /** What the process runs; only tests run another. */
  file?: URL;
};

const steadyMs = 30_000;
const stopWithinMs = 5_000;
const lastWordsLength = 2_000;

/**
 * Starts the sandbox's chain and keeps it running, always on the same port. It is a process, not a thread: when its
 * native engine fails it takes everything around it along.
 */
export async function startSandboxChain(options: StartOptions): Promise<SandboxChain> {
  const { dataFolder, clock, random, log } = options;
  const { file = new URL("./chain-process.js", import.meta.url) } = options;
  const orders: ChainOrders = {
    journalFile: join(dataFolder, "sandbox-chain", "blocks.jsonl"),
    port: 0,
  };
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  let progress: Progress = { done: 0, total: 1 };
  let health: RoleHealth = { state: "restarting", restarts: 0, lastError: null };
  const started = new AbortController();

  /** A line for every quarter: enough to see that something happens. */
  function noteProgress(now: Progress): void {
    const quarter = ({ done, total }: Progress) => Math.floor((4 * done) / total);
    const hasMoved = quarter(now) > quarter(progress);
    progress = now;
    const percent = 25 * quarter(now);
    if (hasMoved)
      log.info(`the sandbox's Ethereum makes its history ${barOf(percent)} ${percent} %`);
  }

  function hear(report: ChainReport): void {
    if (report.kind === "progress") noteProgress(report.progress);
    if (report.kind === "warning") log.warn(report.message);
    if (report.kind !== "listening") return;
    orders.port = report.port;
    health = { ...health, state: "running" };
    started.abort();
  }

  /** Runs the process until it ends, and says why it did. */
  function runOnce(): Promise<string> {
    return new Promise((resolve) => {
      let lastWords = "";
      child = fork(file, [JSON.stringify(orders)], {
        execArgv: [],
        // It needs nothing of the environment, and the service has secrets there.
        env: {},
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
      child.stderr?.on("data", (words: Buffer) => {
        lastWords = `${lastWords}${words}`.slice(-lastWordsLength);
      });
      child.on("message", (report) => hear(report as ChainReport));
      child.once("error", (error) => resolve(error.message));
      child.once("close", (code, signal) =>
        resolve(errorIn(lastWords) ?? `it ended with ${signal ?? code}`),
      );
    });
  }

  async function keepRunning(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures++) {
      const startedAt = clock.now();
      const reason = await runOnce();
      if (stopping.signal.aborted) return;
      // What has never worked will not work at the next try.
      if (orders.port === 0) throw new OperatorError(`The sandbox chain does not start: ${reason}`);
      if (clock.now() - startedAt > steadyMs) failures = 0;
      health = { state: "restarting", restarts: health.restarts + 1, lastError: reason };
      const waitMs = backoffMs(failures, { firstMs: 200, mostMs: 30_000 }, random);
      log.error({ reason, waitMs }, "the sandbox chain crashed; starting it again");
      await clock.sleep(waitMs, stopping.signal);
    }
  }

  const running = keepRunning();
  await Promise.race([running, once(started.signal, "abort")]);
  return {
    chain: sandboxChainAt(`http://127.0.0.1:${orders.port}`),
    deployment: sandboxDeployment,
    progress: () => progress,
    health: () => health,
    async stop() {
      stopping.abort();
      if (child?.connected) child.send("stop");
      const killer = setTimeout(() => child?.kill("SIGKILL"), stopWithinMs);
      await running;
      clearTimeout(killer);
    },
  };
}

/** The error that a process printed as it died, without the trace; nothing if it said nothing. */
function errorIn(lastWords: string): string | undefined {
  const [error = lastWords.trim().split("\n").at(-1)] = /^\w*Error\b.*$/m.exec(lastWords) ?? [];
  return error || undefined;
}
