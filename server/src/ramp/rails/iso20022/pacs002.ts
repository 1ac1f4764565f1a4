import type { WireStatusReport } from "./wire-file.ts";

/** Writes what became of wires as pacs.002. */
export function writePacs002(report: WireStatusReport): Buffer {
  throw new Error(`not written yet: ${report.messageId}`);
}

/** Reads what became of wires as pacs.002. */
export function readPacs002(bytes: Buffer): WireStatusReport {
  throw new Error(`not written yet: ${bytes.length}`);
}
