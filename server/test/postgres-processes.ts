import { readdirSync, readFileSync } from "node:fs";

/** Process ids of the postmasters that run on files under `folder`. */
export function postmastersUnder(folder: string): number[] {
  const servers = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const args = commandLine(pid).split("\0");
      return args[0]?.endsWith("/bin/postgres") && args[1] === "-D" && args[2]?.startsWith(folder);
    })
    .map(Number);
  // A child looks like its postmaster until it has given itself a title.
  return servers.filter((pid) => !servers.includes(parentOf(pid)));
}

/** Processes of any kind whose command line names the folder, our own excepted. */
export function processesNaming(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => commandLine(pid).includes(folder))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function parentOf(pid: number): number {
  try {
    const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(parent);
  } catch {
    return 0;
  }
}
