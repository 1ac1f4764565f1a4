import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** A data folder whose database is made and migrated, to be copied; empty where there is none. */
    readyFolder: string;
  }
}

export const root = fileURLToPath(new URL("../..", import.meta.url));
const command = join(root, "cli/bin/slipway.js");

/** A Slipway in a process of its own, as users run it. */
export type TestService = {
  url: string;
  pid: number;
  dataFolder: string;
  /** Everything it has written so far, on both streams. */
  output(): string;
  /** Resolves with its exit code, or the signal that ended it. */
  ended: Promise<number | string>;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<number | string>;
};

export type ServiceOptions = {
  env?: Record<string, string>;
  args?: string[];
  /** Another user, when we are root. */
  uid?: number;
};

/** The sandbox's chain and exchange cost seconds; who needs them asks for them. */
export const withoutMarkets = { SANDBOX_CHAIN: "false", SANDBOX_EXCHANGE: "false" };

const started: ChildProcess[] = [];
const folders: string[] = [];

/** Ends what a test file has started and left running, and removes its folders. */
export async function tidyUp(): Promise<void> {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("exit", resolve));
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A folder that others may enter, and that is removed when the test file is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync("/tmp/slipway-test-");
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}

/** A data folder as a first start leaves it, without the seconds that making a database takes. */
export function readyFolder(): string {
  const folder = temporaryFolder();
  const ready = inject("readyFolder");
  if (ready) execFileSync("cp", ["-a", `${ready}/.`, folder]);
  return folder;
}

/** Starts the built service on any free port and waits until it says where it listens. */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const run = runSlipway(["start", ...(options.args ?? [])], {
    ...options,
    env: {
      PORT: "0",
      ...withoutMarkets,
      SLIPWAY_DATA: options.env?.SLIPWAY_DATA ?? readyFolder(),
      ...options.env,
    },
  });
  const url = await run.saw(/http:\/\/[^\s/]+:\d+/);
  return { ...run, url, dataFolder: run.env.SLIPWAY_DATA ?? "" };
}

/** Runs any command of `slipway`. */
export function runSlipway(args: readonly string[], options: ServiceOptions = {}) {
  const env: Record<string, string> = { PATH: process.env.PATH ?? "", ...options.env };
  const child = spawn(process.execPath, [command, ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  started.push(child);
  let text = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<number | string>((resolve) =>
    child.once("close", (code, signal) => resolve(code ?? signal ?? "")),
  );
  /** Waits for its output to match, and returns the match. */
  const saw = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const [match] = pattern.exec(text) ?? [];
        if (match === undefined) return;
        listeners.delete(look);
        resolve(match);
      };
      listeners.add(look);
      look();
      void ended.then((code) => reject(new Error(`slipway ended with ${code}:\n${text}`)));
    });
  return {
    env,
    pid: child.pid ?? 0,
    output: () => text,
    ended,
    saw,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

/** Runs a command to its end. */
export async function slipway(args: readonly string[], options: ServiceOptions = {}) {
  const run = runSlipway(args, options);
  const code = await run.ended;
  return { code, output: run.output() };
}
