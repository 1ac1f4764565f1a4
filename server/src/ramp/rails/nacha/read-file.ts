import type { AchFile } from "./ach-file.ts";

/** Reads a file of payments; throws `BadFile` at the first thing that is not right. */
export function readAchFile(bytes: Buffer): AchFile {
  throw new Error(`Not written yet: ${bytes.length}`);
}
