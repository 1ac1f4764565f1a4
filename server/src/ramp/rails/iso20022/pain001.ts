import type { WireFile } from "./wire-file.ts";

/** Writes wires to send as pain.001. */
export function writePain001(file: WireFile): Buffer {
  throw new Error(`not written yet: ${file.messageId}`);
}

/** Reads wires to send as pain.001. */
export function readPain001(bytes: Buffer): WireFile {
  throw new Error(`not written yet: ${bytes.length}`);
}
