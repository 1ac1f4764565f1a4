import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { root } from "./test-service.ts";

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; src?: string };

const folder = join(root, "console/dist");
const manifest: Record<string, Chunk> = JSON.parse(
  readFileSync(join(folder, ".vite/manifest.json"), "utf8"),
);
const entry = "index.html";
const overview = "src/pages/markets/overview-page.tsx";
const pages = Object.keys(manifest).filter((name) => /^src\/pages\/.*-page\.tsx$/.test(name));

/** Loaded with every page; what it loads later are the other pages. */
const shell = loadedWith([entry], false);

/** Everything that is loaded with these chunks; what a page loads later is its own, too. */
function loadedWith(names: readonly string[], withLater: boolean): Set<string> {
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const { imports = [], dynamicImports = [] } = manifest[name] ?? {};
    for (const each of imports) add(each);
    if (withLater && !shell.has(name)) for (const each of dynamicImports) add(each);
  };
  for (const name of names) add(name);
  return found;
}

function gzipKilobytes(names: Iterable<string>): number {
  const bytes = [...names]
    .map((name) => manifest[name]?.file ?? "")
    .filter((file) => file.endsWith(".js"))
    .map((file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length);
  return bytes.reduce((sum, each) => sum + each, 0) / 1_000;
}

describe("how much script a browser has to load", () => {
  test("the first page takes at most 60 kB", () => {
    expect(manifest[overview]).toBeDefined();
    expect(gzipKilobytes(loadedWith([entry, overview], false))).toBeLessThan(60);
  });

  test.each(pages)("%s takes at most 150 kB, with what it loads later", (page) => {
    expect(gzipKilobytes(loadedWith([entry, page], true))).toBeLessThan(150);
  });
});
