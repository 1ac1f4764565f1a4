import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { processesNaming } from "./postgres-processes.ts";
import { root, temporaryFolder } from "./test-service.ts";

const documents = ["README.md", "docs/quick-start.md"].map((file) => ({
  file,
  text: readFileSync(join(root, file), "utf8"),
}));
const blocks = documents.flatMap(({ text }) =>
  [...text.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, kind = "", content = ""]) => ({
    kind,
    text: content.trim(),
  })),
);
const guides = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter(Boolean);
const startCommand = "npm ci && npm start";
const testCommand = "npm ci && npm test";

/** Every command as printed, with the answer that is printed below it. */
const commands = blocks.flatMap(({ kind, text }, index) => {
  const next = blocks[index + 1];
  const lines = kind === "sh" ? text.split("\n") : [];
  return lines.map((line) => ({
    line,
    answer: next?.kind === "json" && lines.length === 1 ? next.text : undefined,
  }));
});

/** What a new terminal would have: nothing of the npm and the test runner that started us. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(package|lifecycle|command|execpath|node_execpath|config_local_prefix)|INIT_CWD|VITEST|TEST|NODE_ENV|PORT|HOST|SLIPWAY_)/.test(
        name,
      ),
  ),
);

function cloneInto(folder: string): void {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of files.split("\n").filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
}

/** Runs the start command in a folder until the screen is complete. Returns the port it got, and how to stop it. */
async function start(folder: string, env: Record<string, string | undefined>) {
  const service = spawn("bash", ["-c", startCommand], {
    cwd: folder,
    env,
    detached: true,
    stdio: "pipe",
  });
  const ended = new Promise((resolve) => service.once("close", resolve));
  let output = "";
  service.stdout.on("data", (chunk) => {
    output += chunk;
  });
  service.stderr.on("data", (chunk) => {
    output += chunk;
  });
  await expect
    .poll(() => output, { timeout: 240_000, interval: 200 })
    .toContain("Stop with Ctrl-C");
  const [, port = ""] = /API +http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? [];
  return {
    port,
    async stop() {
      process.kill(-(service.pid ?? 0), "SIGTERM");
      await ended;
    },
  };
}

/** An answer as printed, where … stands for what is different every time. */
function patternOf(answer: string): RegExp {
  const literal = answer.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join(".+")}$`);
}

describe("the README and the first hour", () => {
  test("prints the two commands, and .ci/run runs the second one", () => {
    const lines = commands.map(({ line }) => line);
    expect(lines[0]).toBe(startCommand);
    expect(lines).toContain(testCommand);
    expect(readFileSync(join(root, ".ci/run"), "utf8")).toContain(`'${testCommand}' README.md`);
  });

  test("every picture and every link of the documents is there", () => {
    const broken = guides.flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g)]
        .map(([, target = ""]) => join(dirname(file), target))
        .filter((target) => !existsSync(join(root, target)))
        .map((target) => `${file} leads to ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test("every command in it works as printed, on a fresh copy, and gives the answer that is printed", async () => {
    const folder = temporaryFolder();
    cloneInto(folder);
    const env = { ...environment, npm_config_prefer_offline: "true" };
    const { port, stop } = await start(folder, env);
    const others = commands.filter(({ line }) => line !== startCommand && line !== testCommand);
    expect(others.length).toBeGreaterThan(3);
    for (const { line, answer } of others) {
      // Where another program has the port, the service took the next one and said so.
      const command = line.replaceAll(":8080", `:${port}`);
      const where = { ...env, SLIPWAY_URL: `http://127.0.0.1:${port}` };
      const run = () =>
        spawnSync("bash", ["-c", command], { cwd: folder, env: where, encoding: "utf8" });
      const { status, stderr } = run();
      expect([line, status, status === 0 ? "" : stderr]).toEqual([line, 0, ""]);
      // The first trades are there some seconds after the start.
      if (answer) await expect.poll(() => run().stdout.trim()).toMatch(patternOf(answer));
    }
    await stop();
    await expect.poll(() => processesNaming(folder)).toEqual([]);
  }, 400_000);
});
