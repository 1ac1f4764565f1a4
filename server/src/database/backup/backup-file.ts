import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { assert, messageOf, OperatorError } from "../../lib/errors.ts";

/**
 * A backup is a line that says what it is, frames in gzip, and the SHA-256 of everything before it. A frame is its
 * length in four bytes and that many bytes.
 */
const magic = Buffer.from("slipway backup 1\n");
const checksumBytes = 32;
const lengthBytes = 4;
/** Fast, and still a fraction of what the tables take. */
const gzipLevel = 3;
/** Backups hold what customers confided: nobody else may read them. */
const fileMode = 0o600;

type Progressed = (done: number, total: number) => void;

/** Writes frames into a file, which appears under its name only when it is whole. */
export async function writeFrames(file: string, frames: AsyncIterable<Buffer>): Promise<number> {
  const part = `${file}.part`;
  try {
    await pipeline(
      Readable.from(framed(frames), { objectMode: false }),
      createGzip({ level: gzipLevel }),
      sealed,
      createWriteStream(part, { mode: fileMode, flush: true }),
    );
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw isFileError(error)
      ? new OperatorError(`${file} cannot be written: ${messageOf(error)}.`, { cause: error })
      : error;
  }
  return statSync(file).size;
}

/** Checks that a file is a backup, whole and unchanged. */
export async function checkFile(file: string, progressed: Progressed): Promise<void> {
  const { size, end } = await ends(file);
  if (size < magic.length + checksumBytes || !end.begin.equals(magic)) {
    throw new OperatorError(
      `${file} is not a backup that \`slipway backup\` of this version made.`,
    );
  }
  const hash = createHash("sha256");
  let done = 0;
  for await (const chunk of createReadStream(file, { end: size - checksumBytes - 1 })) {
    hash.update(chunk);
    done += chunk.length;
    progressed(done, size - checksumBytes);
  }
  if (hash.digest().equals(end.checksum)) return;
  throw new OperatorError(
    `${file} is damaged: it is not as it was written. Nothing was changed. Use another copy of the backup.`,
  );
}

/** Reads the frames of a file that was checked. */
export async function* readFrames(
  file: string,
  progressed: Progressed,
): AsyncGenerator<Buffer, void> {
  const { size } = statSync(file);
  const end = size - checksumBytes;
  const packed = createReadStream(file, { start: magic.length, end: end - 1 });
  const unpacked = packed.pipe(createGunzip());
  packed.on("error", (error) => unpacked.destroy(error));
  try {
    yield* unframed(unpacked, () => progressed(magic.length + packed.bytesRead, end));
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
}

async function* framed(frames: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const frame of frames) {
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(frame.length);
    yield length;
    if (frame.length > 0) yield frame;
  }
}

async function* sealed(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash("sha256").update(magic);
  yield magic;
  for await (const chunk of packed) {
    hash.update(chunk);
    yield chunk;
  }
  yield hash.digest();
}

async function* unframed(
  chunks: AsyncIterable<Buffer>,
  progressed: () => void,
): AsyncGenerator<Buffer, void> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    progressed();
    rest = Buffer.concat([rest, chunk]);
    for (let frame = firstFrame(rest); frame; frame = firstFrame(rest)) {
      rest = rest.subarray(lengthBytes + frame.length);
      yield frame;
    }
  }
  assert(rest.length === 0, "a checked backup ends with a whole frame");
}

function firstFrame(bytes: Buffer): Buffer | undefined {
  if (bytes.length < lengthBytes) return undefined;
  const end = lengthBytes + bytes.readUInt32BE();
  return bytes.length < end ? undefined : bytes.subarray(lengthBytes, end);
}

/** How a file begins and ends. */
async function ends(file: string) {
  try {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      const begin = Buffer.alloc(magic.length);
      const checksum = Buffer.alloc(checksumBytes);
      await handle.read(begin, 0, begin.length, 0);
      await handle.read(checksum, 0, checksumBytes, Math.max(0, size - checksumBytes));
      return { size, end: { begin, checksum } };
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw new OperatorError(`${file} cannot be read: ${messageOf(cause)}.`, { cause });
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && "path" in error;
}
