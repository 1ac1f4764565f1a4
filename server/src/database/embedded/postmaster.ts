import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The server that PostgreSQL's own lock file names, if that process is alive. */
export type Postmaster = { pid: number; socketFolder: string };

/** Reads `postmaster.pid`: line 1 is the process, line 4 the port, line 5 the socket folder. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const file = join(cluster, "postmaster.pid");
  const lines = readLines(file);
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (!isAlive(pid)) return undefined;
  if (!isPostgres(pid)) {
    // The number was given to another program since, as happens after a reboot or in a new container.
    rmSync(file, { force: true });
    return undefined;
  }
  return { pid, socketFolder: lines[4]?.trim() ?? "" };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Linux says what a process runs; elsewhere we take the lock file's word. */
function isPostgres(pid: number): boolean {
  if (!existsSync("/proc/self/cmdline")) return true;
  const [program = ""] = readLines(`/proc/${pid}/cmdline`).join("\n").split("\0");
  return program.includes("postgres");
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
