import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));
const stampFile = join(root, ".build-stamp");
const sources = [
  "sdk",
  "server/src",
  "server/tsconfig.json",
  "cli",
  "console",
  "tsconfig.base.json",
  "package-lock.json",
];
const outputs = ["sdk/dist", "server/dist", "cli/dist", "console/dist"];
const compressBytesLeast = 1024;

/** Compiles the workspaces and the console, unless nothing changed since the last time. */
export function build() {
  const stamp = stampOf(sources.flatMap((source) => filesUnder(join(root, source))));
  if (outputs.every((output) => existsSync(join(root, output))) && readStamp() === stamp) return;
  process.stderr.write("Building (only after a change)…\n");
  run(join(root, "node_modules/typescript/bin/tsc"), ["-b", root], root);
  run(
    join(root, "node_modules/vite/bin/vite.js"),
    ["build", "--logLevel", "warn"],
    join(root, "console"),
  );
  for (const file of filesUnder(join(root, "console/dist"))) compress(file);
  writeFileSync(stampFile, stamp);
}

function run(script, args, cwd) {
  execFileSync(process.execPath, [script, ...args], { cwd, stdio: "inherit" });
}

/** Every file below a path, except what is built, installed or only tested. */
function filesUnder(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter(
      (name) =>
        !["dist", "node_modules"].includes(name) && !/\.(test\.ts|tsbuildinfo|br|gz)$/.test(name),
    )
    .flatMap((name) => filesUnder(join(path, name)));
}

function stampOf(files) {
  const hash = createHash("sha256");
  for (const file of files.sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function readStamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
}

/** The server sends these as they are, so the work is done once. Brotli above 9 takes ten times as long. */
function compress(file) {
  const content = readFileSync(file);
  if (content.length < compressBytesLeast) return;
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) build();
