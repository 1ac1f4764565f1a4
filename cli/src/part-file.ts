import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandError } from "./errors.ts";

/** Writes a file that appears under its name only when it is whole; what ends early leaves nothing behind. */
export async function writeWhole(
  file: string,
  chunks: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const part = `${file}.part`;
  try {
    const written = createWriteStream(part, { flush: true });
    await pipeline(Readable.from(chunks, { objectMode: false }), written, { signal });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    if (!(error instanceof Error && "syscall" in error && "path" in error)) throw error;
    throw new CommandError(`${file} cannot be written: ${error.message}.`, { cause: error });
  }
}
