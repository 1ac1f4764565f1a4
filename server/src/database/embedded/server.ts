import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { postgresEnvironment } from "./cluster.ts";
import type { Places } from "./places.ts";
import type { RunAs } from "./unprivileged.ts";

/** A PostgreSQL process of ours. */
export type Server = {
  /** Resolves when the process has ended, whatever ended it. */
  ended: Promise<void>;
  isRunning(): boolean;
  /** Ends it in an orderly way: open transactions are rolled back, nothing committed is lost. */
  stop(): void;
};

/**
 * Runs postgres and watches standard input, which is a pipe from us. The pipe closes when we end, however we end,
 * kill -9 included; then postgres is told to stop. So there is never a server without a service.
 */
const guard = `
exec 3<&0
sockets=$1
shift
"$@" </dev/null &
server=$!
( while read -r _ <&3; do :; done; kill -INT $server ) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait $server
kill $watcher 2>/dev/null
rmdir "$sockets" 2>/dev/null
`;

const logBytesMost = 10 * 1024 * 1024;

export function startServer(binaries: string, places: Places, runAs: RunAs | undefined): Server {
  const logFile = openSync(places.logFile, isTooLong(places.logFile) ? "w" : "a", 0o600);
  const child = spawn(
    "/bin/sh",
    [
      "-c",
      guard,
      "slipway-postgres",
      places.socketFolder,
      join(binaries, "bin", "postgres"),
      ...serverArguments(places),
    ],
    {
      ...runAs,
      cwd: "/",
      env: postgresEnvironment,
      // Out of our process group: Ctrl-C reaches us, and we stop the server when our work is done.
      detached: true,
      stdio: ["pipe", logFile, logFile],
    },
  );
  closeSync(logFile);
  child.stdin?.on("error", () => {});
  return {
    ended: new Promise((resolve) => child.once("exit", () => resolve())),
    isRunning: () => isRunning(child),
    stop: () => child.stdin?.end(),
  };
}

/** The last lines PostgreSQL wrote: why it did not start. */
export function lastLogLines(places: Places): string {
  return readFileSync(places.logFile, "utf8").trimEnd().split("\n").slice(-4).join("\n");
}

function serverArguments({ cluster, socketFolder }: Places): string[] {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: socketFolder,
    unix_socket_permissions: "0700",
    max_connections: "100",
    shared_buffers: "256MB",
    max_wal_size: "2GB",
    // Our queries are short: compiling them costs more than running them.
    jit: "off",
    fsync: "on",
    synchronous_commit: "on",
    timezone: "UTC",
    log_timezone: "UTC",
  };
  return [
    "-D",
    cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function isTooLong(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logBytesMost;
}
