import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { OperatorError } from "../../lib/errors.ts";
import { moveUnlessThere } from "./binaries.ts";
import { makePrivateFolder } from "./places.ts";
import { isAlive } from "./postmaster.ts";
import type { RunAs } from "./unprivileged.ts";

/** What the server and its tools see of our environment: nothing. */
export const postgresEnvironment = { LC_ALL: "C", TZ: "UTC", PATH: "/usr/bin:/bin" };

/** The only role of an embedded server. The socket folder's mode is what keeps others out. */
export const embeddedUser = "slipway";

/** Makes the database files, once. They get their name only when they are complete. */
export function initialise(binaries: string, cluster: string, runAs: RunAs | undefined): void {
  if (existsSync(join(cluster, "PG_VERSION"))) {
    refuseOtherVersion(binaries, cluster);
    return;
  }
  removeUnfinished(cluster);
  const unfinished = `${cluster}.${process.pid}.init`;
  makePrivateFolder(unfinished, runAs);
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--encoding=UTF8"];
  try {
    execFileSync(
      join(binaries, "bin", "initdb"),
      ["-D", unfinished, "-U", embeddedUser, "--auth=trust", "--no-instructions", ...locale],
      { ...runAs, cwd: "/", env: postgresEnvironment, stdio: ["ignore", "ignore", "pipe"] },
    );
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true });
    const output = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : "";
    throw new OperatorError(`PostgreSQL could not create its files in ${cluster}. ${output}`, {
      cause,
    });
  }
  moveUnlessThere(unfinished, cluster);
}

/** A first start that was interrupted leaves a folder named after its process. */
function removeUnfinished(cluster: string): void {
  const home = dirname(cluster);
  for (const name of readdirSync(home)) {
    const [, pid] = /^postgres\.(\d+)\.init$/.exec(name) ?? [];
    const isOurs = Number(pid) === process.pid;
    if (pid && (isOurs || !isAlive(Number(pid)))) rmSync(join(home, name), { recursive: true });
  }
}

function refuseOtherVersion(binaries: string, cluster: string): void {
  const output = execFileSync(join(binaries, "bin", "postgres"), ["--version"], {
    env: postgresEnvironment,
  });
  const [, ours] = /(\d+)/.exec(String(output)) ?? [];
  const theirs = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  if (ours === theirs) return;
  throw new OperatorError(
    `${cluster} was made by PostgreSQL ${theirs}, this build brings ${ours}. ` +
      "Back up with the build that made it, then restore with this one into a new SLIPWAY_DATA.",
  );
}
