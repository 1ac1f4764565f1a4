import type { AchFile } from "./ach-file.ts";

/** Writes a file of payments as the bank takes it. */
export function writeAchFile(file: AchFile): Buffer {
  throw new Error(`Not written yet: ${file.modifier}`);
}
