import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Each check and what runs it. All of them run, also after one has failed. */
const checks = [
  ["types", ["node_modules/typescript/bin/tsc", "-b"]],
  ["types of tests", ["node_modules/typescript/bin/tsc", "-p", "tsconfig.tests.json"]],
  ["types of the console", ["node_modules/typescript/bin/tsc", "-p", "console"]],
  [
    "format and lint",
    ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."],
  ],
  ["dead code", ["node_modules/knip/bin/knip.js"]],
];

const failed = checks.filter(([name, args]) => {
  const { status } = spawnSync(process.execPath, args, {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
  });
  process.stdout.write(`${status === 0 ? "ok    " : "FAILED"} ${name}\n`);
  return status !== 0;
});
process.exit(failed.length === 0 ? 0 : 1);
