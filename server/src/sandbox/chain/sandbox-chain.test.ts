import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { recordingLog } from "../../../test/silent-log.ts";
import { temporaryFolder } from "../../../test/test-service.ts";
import { systemClock } from "../../lib/clock.ts";
import { OperatorError } from "../../lib/errors.ts";
import { systemRandom } from "../../lib/random.ts";
import { type SandboxChain, startSandboxChain } from "./sandbox-chain.ts";

/** A process cannot run our sources, only what is built of them. */
const file = new URL("../../../dist/sandbox/chain/chain-process.js", import.meta.url);
const started: SandboxChain[] = [];
const { log, lines } = recordingLog();
afterEach(async () => {
  for (const chain of started.splice(0)) await chain.stop();
});

async function start(dataFolder: string): Promise<SandboxChain> {
  const clock = systemClock;
  const chain = await startSandboxChain({ dataFolder, clock, random: systemRandom, log, file });
  started.push(chain);
  return chain;
}

/** The result of a call, or nothing while the chain does not answer. */
async function ask(
  { chain }: SandboxChain,
  method: string,
  ...params: unknown[]
): Promise<unknown> {
  const [url = ""] = chain.rpcUrls;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", body }).catch(() => undefined);
  return response && ((await response.json()) as { result: unknown }).result;
}

const numberOf = async (chain: SandboxChain) => Number((await ask(chain, "eth_blockNumber")) ?? 0);

async function hashOf(chain: SandboxChain, number: number): Promise<unknown> {
  const block = await ask(chain, "eth_getBlockByNumber", `0x${number.toString(16)}`, false);
  return (block as { hash: string } | undefined | null)?.hash;
}

function processes(): string[] {
  const ps = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  return ps
    .split("\n")
    .filter((line) => line.includes("chain-process.js"))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent]) => parent === String(process.pid))
    .map(([pid = ""]) => pid);
}

test("a chain that is killed comes back on the same port, with the same blocks", async () => {
  const dataFolder = temporaryFolder();
  const chain = await start(dataFolder);
  expect(chain.deployment.factory).toMatch(/^0x[0-9a-f]{40}$/);
  await expect.poll(() => numberOf(chain)).toBeGreaterThan(20);
  expect(chain.progress().done).toBeGreaterThan(0);
  const hash = await hashOf(chain, 20);

  const [pid] = processes();
  process.kill(Number(pid), "SIGKILL");
  await expect.poll(() => chain.health().restarts).toBe(1);
  await expect.poll(() => hashOf(chain, 20)).toBe(hash);
  expect(chain.health()).toEqual({
    state: "running",
    restarts: 1,
    lastError: "it ended with SIGKILL",
  });
  expect(lines.join("")).toContain("the sandbox chain crashed; starting it again");
  expect(processes()).not.toContain(pid);

  await chain.stop();
  expect(processes()).toEqual([]);
  const journal = readFileSync(join(dataFolder, "sandbox-chain", "blocks.jsonl"), "utf8");
  expect(journal).toContain(String(hash));
});

test("a chain that cannot be kept does not start, and says why", async () => {
  const dataFolder = join(temporaryFolder(), "file");
  writeFileSync(dataFolder, "");
  await expect(start(dataFolder)).rejects.toThrow(OperatorError);
  await expect(start(dataFolder)).rejects.toThrow("ENOTDIR");
  expect(processes()).toEqual([]);
});
