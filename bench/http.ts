import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { median } from "./usage.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const path = "/v2/ramp/blockchains";
const apiKey = "slp_sandbox_master";
const rounds = 10;
const secondsPerRound = 2;
const connections = 32;

type Target = {
  name: string;
  url: string;
  process: ChildProcess;
  perSecond: number[];
  p99: number[];
};

/** Loads our service and two bare servers in turn, several times, so that a noisy machine is fair to all. */
export async function benchHttp(): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), "slipway-bench-"));
  chmodSync(dataFolder, 0o755);
  const ours = await start("slipway", ["cli/bin/slipway.js", "start"], {
    SLIPWAY_DATA: dataFolder,
    PORT: "0",
    // What is measured is the edge, not who shares the machine with it.
    SANDBOX_CHAIN: "false",
    SANDBOX_EXCHANGE: "false",
  });
  const body = await (await fetch(ours.url + path, { headers: { apiKey } })).text();
  const bare = (kind: string) => ["--import", "tsx", "bench/bare-server.ts", kind, body];
  const targets = [
    await start("node:http, the floor", bare("node")),
    await start("Fastify, bare", bare("fastify")),
    ours,
  ];
  console.log(
    `GET ${path}, ${body.length} bytes, ${connections} connections, ${rounds} rounds of ${secondsPerRound} s each`,
  );

  for (const target of targets) await load(target, 1);
  for (let round = 1; round <= rounds; round++) {
    for (const target of targets) {
      const { requests, latency } = await load(target, secondsPerRound);
      target.perSecond.push(requests.average);
      target.p99.push(latency.p99);
    }
    console.log(`round ${round} of ${rounds} done`);
  }
  report(targets);
  for (const target of targets) target.process.kill();
  await new Promise((resolve) => ours.process.once("exit", resolve));
  rmSync(dataFolder, { recursive: true });
}

function load({ url }: Target, duration: number): Promise<autocannon.Result> {
  return autocannon({ url: url + path, connections, duration, headers: { apiKey } });
}

/** Ratios are taken within each round, where the machine was equally busy for all, and then their median. */
function report(targets: readonly Target[]): void {
  const floor = targets[0]?.perSecond ?? [];
  console.log(`\n${row("server", "requests/s", "p99 ms", "of floor")}`);
  for (const { name, perSecond, p99 } of targets) {
    const ratio = median(perSecond.map((rate, round) => rate / (floor[round] ?? 1)));
    const percent = `${(100 * ratio).toFixed(0)} %`;
    console.log(row(name, median(perSecond).toFixed(0), median(p99).toFixed(1), percent));
  }
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(22) + cells.map((cell) => cell.padStart(12)).join("");
}

/** Starts a server and waits for the line that says where it listens. */
async function start(
  name: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Target> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url) return { name, url, process: child, perSecond: [], p99: [] };
  }
  throw new Error(`${name} did not start.`);
}
