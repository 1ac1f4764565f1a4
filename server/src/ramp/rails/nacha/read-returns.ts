import type { AchReturnFile } from "./ach-file.ts";

/** Reads a bank's file of returns and corrections; throws `BadFile` at the first thing that is not right. */
export function readAchReturns(bytes: Buffer): AchReturnFile {
  throw new Error(`Not written yet: ${bytes.length}`);
}
