import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../../lib/errors.ts";
import { canReach, type RunAs } from "./unprivileged.ts";

/** Where the parts of one embedded PostgreSQL lie. */
export type Places = {
  /** PostgreSQL's own data. */
  cluster: string;
  /** Folder of the unix socket, which only `runAs` and root can enter. */
  socketFolder: string;
  logFile: string;
  /** Where a copy of the binaries goes, should one be needed. */
  copyHome: string;
};

/** Where an unprivileged PostgreSQL keeps what it cannot keep in a closed folder of root's. */
const rootHome = "/var/lib/slipway";

/** Chooses and makes the folders. A data folder closed to `runAs` gets a link to one that is open to it. */
export function choosePlaces(dataFolder: string, runAs: RunAs | undefined): Places {
  mkdirSync(dataFolder, { recursive: true });
  const nameOfData = createHash("sha256").update(dataFolder).digest("hex").slice(0, 12);
  return {
    cluster: clusterFolder(dataFolder, nameOfData, runAs),
    // A socket's path may have 107 bytes, so it cannot lie in the data folder.
    socketFolder: join("/tmp", `slipway-${nameOfData}`),
    logFile: join(dataFolder, "postgres.log"),
    copyHome: runAs ? rootHome : dataFolder,
  };
}

function clusterFolder(dataFolder: string, nameOfData: string, runAs: RunAs | undefined): string {
  const usual = join(dataFolder, "postgres");
  const stat = lstatSync(usual, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) return readlinkSync(usual);
  if (canReach(dataFolder, runAs)) return usual;
  if (stat) {
    throw new OperatorError(
      `${usual} lies in a folder that is closed to the user PostgreSQL runs as (uid ${runAs?.uid}). ` +
        `Open the folders above it (chmod o+x), or move it to ${rootHome} and leave a link.`,
    );
  }
  // A new name each time: removing the data folder means starting over, not finding old data again.
  mkdirSync(rootHome, { recursive: true, mode: 0o755 });
  const elsewhere = mkdtempSync(join(rootHome, `${nameOfData}-`));
  chmodSync(elsewhere, 0o755);
  const cluster = join(elsewhere, "postgres");
  symlinkSync(cluster, usual);
  return cluster;
}

/** Makes a folder that only `runAs` (or we) can enter, and refuses one that somebody else put there. */
export function makePrivateFolder(folder: string, runAs: RunAs | undefined): void {
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (runAs) chownSync(folder, runAs.uid, runAs.gid);
  }
  const stat = lstatSync(folder);
  const owner = runAs?.uid ?? process.getuid?.();
  if (!stat.isDirectory() || stat.uid !== owner || (stat.mode & 0o077) !== 0) {
    throw new OperatorError(
      `${folder} must be a folder of uid ${owner} with mode 700. Remove it and start again.`,
    );
  }
}
