import { spawn } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { dueLoop } from "../src/database/due.ts";
import { bankCalendar, newYorkDay, newYorkTime, nextOpenDay } from "../src/lib/calendar.ts";
import { systemClock } from "../src/lib/clock.ts";
import { assert } from "../src/lib/errors.ts";
import type { OpenRamp } from "../src/open-ramp.ts";
import { recordingLog } from "./silent-log.ts";
import { useApp } from "./test-app.ts";
import { root, temporaryFolder } from "./test-service.ts";

const guide = readFileSync(join(root, "docs/ramp.md"), "utf8");
const blocks = [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = "", text = ""]) => ({
  kind,
  text: text.trim(),
}));

let ramp: OpenRamp;
const app = useApp({}, systemClock, {
  ramp(open) {
    ramp = open;
    return {};
  },
});

const stop = new AbortController();
let working: Promise<void>;

beforeAll(async () => {
  // Does what is due all the time, as the service does.
  const { log } = recordingLog();
  const { runners } = ramp;
  working = dueLoop({ runners, everyMs: 100, clock: systemClock, log, signal: stop.signal });
  // What is printed is what happens at noon: banks work, and nothing is sent before five.
  const tomorrow = newYorkDay(systemClock.now() + 24 * 3_600_000);
  const noon = newYorkTime(nextOpenDay(bankCalendar(), tomorrow), 12);
  await app.as("master").sandbox.advanceClock(Math.ceil((noon - systemClock.now()) / 1_000));
});
afterAll(async () => {
  stop.abort();
  await working;
});

test("every command in the guide to the ramp gives the answer that is printed", async () => {
  const port = await freePort();
  const here = (text: string) =>
    text.replaceAll("http://127.0.0.1:8080", app.url).replaceAll("9000", String(port));
  const folder = temporaryFolder();
  const type = openTerminal(folder);
  let command = "";
  let answer = () => "";
  let receiver = () => "";
  let compared = 0;
  for (const { kind, text } of blocks) {
    if (kind === "sh") {
      const { out, errors } = await type(here(text));
      expect([text, errors]).toEqual([text, ""]);
      command = text;
      answer = out === "" ? receiver : () => out;
    } else if (kind === "js") {
      receiver = startReceiver(here(text), folder);
      await expect.poll(() => statusOf(`http://127.0.0.1:${port}`)).toBe(400);
    } else {
      const read = kind === "json" ? JSON.parse : String;
      const printed = { command, answer: patternOf(read(here(text))) };
      await expect.poll(() => ({ command, answer: read(answer()) })).toEqual(printed);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(20);
}, 120_000);

/** A terminal: each block goes on from what was typed before. */
function openTerminal(folder: string) {
  const end = "\u001e";
  const { written, type } = run("bash", [], folder);
  return async (text: string) => {
    const before = written.out.length;
    type(`${text}\nprintf '\\x1e'\n`);
    await expect.poll(() => written.out.endsWith(end) && written.out.length > before).toBe(true);
    return { out: written.out.slice(before, -1).trim(), errors: written.errors };
  };
}

/** Runs a webhook receiver where the terminal is. Returns what tells what it has printed. */
function startReceiver(source: string, folder: string): () => string {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "receiver.mjs"), source);
  const { written } = run(process.execPath, ["receiver.mjs"], folder);
  return () => written.out.trim();
}

/** Runs a program until the test is over. */
function run(command: string, args: readonly string[], cwd: string) {
  const child = spawn(command, args, { cwd, stdio: "pipe" });
  const written = { out: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    written.out += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    written.errors += chunk;
  });
  onTestFinished(() => void child.kill());
  return { written, type: (text: string) => child.stdin.write(text) };
}

/** What is printed, where … stands for what is different every time. */
function patternOf(printed: unknown): unknown {
  if (printed === "…") return expect.anything();
  if (Array.isArray(printed)) return printed.map(patternOf);
  if (typeof printed === "object" && printed !== null) {
    const entries = Object.entries(printed);
    return Object.fromEntries(entries.map(([key, value]) => [key, patternOf(value)]));
  }
  if (typeof printed !== "string") return printed;
  const literal = printed.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return expect.stringMatching(new RegExp(`^${literal.join(".+")}$`));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  assert(address && typeof address === "object", "a server that listens has a port");
  return address.port;
}

function statusOf(url: string): Promise<number> {
  return fetch(url).then(
    ({ status }) => status,
    () => 0,
  );
}
