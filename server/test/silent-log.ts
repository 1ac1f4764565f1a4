import { openLog } from "../src/lib/log.ts";

export const silentLog = openLog({ level: "silent", pretty: false, write: () => {} });

/** A log that keeps its lines, for tests that look at them. */
export function recordingLog() {
  const lines: string[] = [];
  return {
    lines,
    log: openLog({ level: "trace", pretty: false, write: (line) => void lines.push(line) }),
  };
}
