import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileExchange } from "../file-exchange.ts";
import {
  checkLength,
  checkName,
  freeName,
  isLeft,
  isWholeFile,
  oldestFirst,
} from "./exchange-files.ts";

/** A folder that is shared with the bank: our files go to `outbox`, the bank's are read from `inbox` and end in `taken`. */
export function openFolderExchange(folder: string): FileExchange {
  const outbox = join(folder, "outbox");
  const inbox = join(folder, "inbox");
  const taken = join(folder, "taken");
  return {
    async put(name, bytes) {
      checkName(name);
      await mkdir(outbox, { recursive: true });
      const path = join(outbox, name);
      if (isLeft(name, bytes, await unlessMissing(readFile(path)))) return;
      await leaveWhole(folder, path, bytes);
      await sync(outbox, "r");
    },
    async list() {
      await mkdir(inbox, { recursive: true });
      const found = await readdir(inbox, { withFileTypes: true });
      const files = found.filter((entry) => entry.isFile() && isWholeFile(entry.name));
      const dated = await Promise.all(
        files.map(async ({ name }) => ({
          name,
          changedAt: (await unlessMissing(stat(join(inbox, name))))?.mtimeMs,
        })),
      );
      return oldestFirst(dated);
    },
    async get(name) {
      checkName(name);
      const path = join(inbox, name);
      checkLength(name, (await stat(path)).size);
      return readFile(path);
    },
    async setAside(name) {
      checkName(name);
      await mkdir(taken, { recursive: true });
      const free = await freeName(
        name,
        async (candidate) => (await unlessMissing(stat(join(taken, candidate)))) !== undefined,
      );
      await unlessMissing(rename(join(inbox, name), join(taken, free)));
      await sync(taken, "r");
    },
  };
}

/** Whoever looks sees all of it or nothing, also after a power cut. */
async function leaveWhole(folder: string, path: string, bytes: Buffer): Promise<void> {
  const workshop = await mkdtemp(join(folder, ".part-"));
  try {
    const draft = join(workshop, "file");
    await sync(draft, "wx", bytes);
    await rename(draft, path);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** Makes what is written to a file or folder outlast a power cut. */
async function sync(path: string, flags: "r" | "wx", bytes?: Buffer): Promise<void> {
  const handle = await open(path, flags);
  try {
    if (bytes) await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Nothing when there is no such file. */
async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
