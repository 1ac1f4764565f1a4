import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Address } from "../../server/src/database/address.ts";
import type { Usage } from "../usage.ts";
import { ponderApp } from "./ponder-app.ts";
import { benchExchange, lastSwapBlock } from "./synthetic-chain.ts";

/** The newest that runs on Node 20, with what it needs beside it. */
export const ponderVersion = "0.16.10";
const packages = [`ponder@${ponderVersion}`, "viem@2.57.1", "hono@4.13.17", "typescript@5.9.3"];
const folder = join(tmpdir(), `slipway-bench-ponder-${ponderVersion}`);
const program = join(folder, "node_modules/ponder/dist/esm/bin/ponder.js");

const startWithinMs = 120_000;
const tellEveryMs = 10_000;
const lookEveryMs = 500;

/** Installs Ponder beside the other temporary files, where the next run finds it. Returns whether it is there. */
export function installPonder(): boolean {
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), `{ "private": true, "type": "module" }`);
    const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
    const { status, stderr } = spawnSync("npm", install, { cwd: folder, encoding: "utf8" });
    if (status !== 0) console.log(`Ponder cannot be installed here:\n${stderr?.slice(-600)}`);
  }
  for (const [path, text] of Object.entries(ponderApp)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return existsSync(program);
}

export type PonderOrders = {
  database: Address;
  /** Where the chain is. Ponder begins with 20 requests a second to each, and is in no hurry to make more. */
  urls: string[];
  swaps: number;
  mostMs: number;
};

/** Indexes the first swaps of the chain with Ponder, or as many of them as it manages in the time. */
export async function runPonder(orders: PonderOrders): Promise<Usage & { events: number }> {
  const { database, urls, swaps, mostMs } = orders;
  const port = await freePort();
  const child = spawn(process.execPath, [program, "start", ...options(port)], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      BENCH_END_BLOCK: String(lastSwapBlock(swaps)),
      BENCH_FACTORY: benchExchange().deployment.factory,
      BENCH_DATABASE: `postgres://${database.user}@localhost/${database.database}?host=${database.host}`,
      BENCH_RPC: urls.join(","),
      PONDER_TELEMETRY_DISABLED: "1",
      NODE_NO_WARNINGS: "1",
    },
  });
  try {
    return await follow(child, `http://127.0.0.1:${port}`, mostMs);
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}

function options(port: number): string[] {
  return ["--schema", "bench", "--port", String(port), "--log-level", "error"];
}

/** Measures from when it is up until it is done, by what it says about itself. */
async function follow(child: ChildProcess, url: string, mostMs: number) {
  await until(startWithinMs, () => isRunning(child) && isWell(`${url}/health`));
  const before = await readMetrics(url);
  const began = performance.now();
  let toldAt = began;
  let peakMiB = 0;
  await until(mostMs, async () => {
    const metrics = await readMetrics(url);
    peakMiB = Math.max(peakMiB, metrics.residentMiB);
    if (performance.now() - toldAt > tellEveryMs) {
      toldAt = performance.now();
      console.log(`  Ponder has done ${metrics.events} events`);
    }
    return isRunning(child) && isWell(`${url}/ready`);
  }).catch(() => console.log("  Ponder's time is up"));
  const { events, cpuSeconds } = await readMetrics(url);
  const seconds = (performance.now() - began) / 1_000;
  return { events, seconds, cpuSeconds: cpuSeconds - before.cpuSeconds, peakMiB };
}

async function until(mostMs: number, isDone: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await isDone())) {
    if (performance.now() - began > mostMs) throw new Error("Ponder took too long.");
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

function isRunning({ exitCode }: ChildProcess): true {
  if (exitCode !== null) throw new Error(`Ponder ended with ${exitCode}.`);
  return true;
}

function isWell(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function readMetrics(url: string) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const sumOf = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "gm"))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    );
  return {
    events: sumOf("ponder_indexing_completed_events"),
    cpuSeconds: sumOf("process_cpu_seconds_total"),
    residentMiB: sumOf("process_resident_memory_bytes") / 2 ** 20,
  };
}

/** Ponder takes no port of its own choice. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}
