import { readdirSync, readFileSync } from "node:fs";

/** Process ids of the postmasters (not their children) that run on files under `folder`. */
export function postmastersUnder(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const args = commandLine(pid).split("\0");
      return args[0]?.endsWith("/bin/postgres") && args[1] === "-D" && args[2]?.startsWith(folder);
    })
    .map(Number);
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
