import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, startService, temporaryFolder } from "../../server/test/test-service.ts";

const guide = readFileSync(join(root, "docs/cli.md"), "utf8");
const blocks = [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = "", text = ""]) => ({
  kind,
  text: text.trim(),
}));

/** What is printed, where … stands for what is different every time. */
function patternOf(printed: unknown): unknown {
  if (printed === "…") return expect.anything();
  if (typeof printed === "object" && printed !== null) {
    const entries = Object.entries(printed);
    return Object.fromEntries(entries.map(([key, value]) => [key, patternOf(value)]));
  }
  if (typeof printed !== "string") return printed;
  const literal = printed.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return expect.stringMatching(new RegExp(`^${literal.join(".+")}$`));
}

test("every command in the guide to the command line gives the answer that is printed", async () => {
  const { url, dataFolder } = await startService({ env: { SANDBOX_EXCHANGE: "true" } });
  const folder = temporaryFolder();
  const newFolder = join(folder, "new");
  mkdirSync(newFolder);
  const env: Record<string, string> = {
    ...{ PATH: process.env.PATH ?? "", HOME: folder },
    ...{ SLIPWAY_URL: url, SLIPWAY_DATA: dataFolder, NEW_FOLDER: newFolder },
  };
  const slipway = `"${process.execPath}" "${join(root, "cli/bin/slipway.js")}"`;
  let compared = 0;
  for (const [index, { kind, text }] of blocks.entries()) {
    if (kind !== "sh") continue;
    const [, name, value] = /^export (\w+)=(\S+)$/.exec(text) ?? [];
    if (name && value) {
      env[name] = value;
      continue;
    }
    const command = text.replaceAll("npx slipway", slipway);
    const { stdout, stderr } = spawnSync("bash", ["-c", command], {
      ...{ cwd: folder, env, encoding: "utf8" },
    });
    expect([text, stderr]).toEqual([text, ""]);
    const printed = blocks[index + 1];
    const read = printed?.kind === "json" ? JSON.parse : String;
    expect([text, read(stdout.trim())]).toEqual([text, patternOf(read(printed?.text ?? ""))]);
    compared++;
  }
  expect(compared).toBe(11);
}, 120_000);
