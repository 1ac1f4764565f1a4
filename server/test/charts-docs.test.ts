import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { useChartsScene } from "./charts-scene.ts";
import { root, temporaryFolder } from "./test-service.ts";

const guide = readFileSync(join(root, "docs/charts.md"), "utf8");
const blocks = [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = "", text = ""]) => ({
  kind,
  text: text.trim(),
}));
/** Every command, with what is printed below it. */
const commands = blocks.flatMap(({ kind, text }, at) => {
  const printed = blocks[at + 1];
  return kind === "sh" && printed ? [{ command: text, printed }] : [];
});

const { app, feed } = useChartsScene();
const folder = temporaryFolder();

beforeEach(() => feed.tellStatus());

test("the guide to charts has commands with answers", () => {
  expect(commands.length).toBeGreaterThan(7);
});

test.each(commands)("$command", async ({ command, printed }) => {
  const script = command.replaceAll("http://127.0.0.1:8080", app.url);
  const { stdout } = await promisify(execFile)("bash", ["-ec", script], { cwd: folder });
  if (printed.kind === "json") {
    expect(JSON.parse(stdout)).toEqual(patternOf(JSON.parse(printed.text)));
  } else {
    const lines = stdout.trim().split("\r\n");
    expect(lines).toEqual(printed.text.split("\n").map(patternOf));
  }
});

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
  return expect.stringMatching(new RegExp(`^${literal.join(".*")}$`));
}
