import type { AchReturnFile } from "./ach-file.ts";

/** Writes a file of returns and corrections as a bank would. */
export function writeAchReturns(file: AchReturnFile): Buffer {
  throw new Error(`Not written yet: ${file.modifier}`);
}
