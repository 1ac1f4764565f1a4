import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { Slipway } from "@slipway/sdk";
import { expect, test } from "vitest";
import { root, startService, temporaryFolder } from "./test-service.ts";

const readme = readFileSync(join(root, "sdk/README.md"), "utf8");
/** Every example, and what it prints. */
const examples = [...readme.matchAll(/^```ts\n(.*?)^```\n\n^```text\n(.*?)^```$/gms)].map(
  ([, code = "", printed = ""]) => ({ code, printed: printed.trim() }),
);
const separator = "\u001e";

/** A folder in which the examples are a program: one after the other, each as it is printed. */
function programOf(serviceUrl: string, port: number): string {
  const folder = temporaryFolder();
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "examples"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const options = { strict: true, noEmit: true, module: "nodenext", target: "es2023" };
  const compilerOptions = { ...options, types: ["node"], skipLibCheck: true };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const imports = examples.map(({ code }, index) => {
    const here = code
      .replaceAll("http://127.0.0.1:8080", serviceUrl)
      .replaceAll("9000", String(port));
    writeFileSync(join(folder, `examples/${index + 1}.ts`), here);
    return `await import("./examples/${index + 1}.ts");\nconsole.log(${JSON.stringify(separator)});\n`;
  });
  writeFileSync(join(folder, "all.mjs"), imports.join(""));
  return folder;
}

function run(args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, { cwd, env: { PATH: process.env.PATH } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What is printed, where … stands for anything, and a line of nothing else for any lines. */
function patternOf(printed: string): RegExp {
  const literal = printed.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join("[^]+")}$`);
}

test("every example of the SDK compiles, runs, and prints what is printed", async () => {
  expect(examples).toHaveLength(readme.match(/^```ts$/gm)?.length ?? 0);
  expect(examples).toHaveLength(10);
  const service = await startService({ env: { SANDBOX_CHAIN: "true", SANDBOX_EXCHANGE: "true" } });
  const folder = programOf(service.url, await freePort());
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  expect(await run([compiler, "-p", folder], folder)).toEqual({ code: 0, output: "" });

  const { cex, dex } = new Slipway({ baseUrl: service.url, apiKey: "slp_sandbox_master" });
  await expect
    .poll(async () => (await dex.pools("uniswap-v3", "ethereum")).length, { timeout: 60_000 })
    .toBeGreaterThan(0);
  await expect
    .poll(async () => (await cex.trades("kraken", "BTC-USD", { limit: 300 })).trades.length)
    .toBe(300);
  const { code, output } = await run(["--import", "tsx", "all.mjs"], folder);
  const outputs = output.split(separator).map((text) => text.trim());
  for (const [index, { printed }] of examples.entries()) {
    expect(outputs[index], `example ${index + 1}`).toMatch(patternOf(printed));
  }
  expect(code).toBe(0);
  await service.stop();
}, 400_000);
