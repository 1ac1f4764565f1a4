import { constants } from "node:fs";
import { access, realpath, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../../config.ts";
import { messageOf } from "../../lib/errors.ts";
import { broken, type Finding, ok, warning } from "./check.ts";

const gibibyte = 2 ** 30;
const warnBelowBytes = 5 * gibibyte;
const brokenBelowBytes = gibibyte / 2;

/** Files that nobody else should be able to read. */
const privateFiles = ["secret", "encryption-keys"];

/** Whether the data folder can be used, has room, and keeps its secrets. */
export async function dataFolderFindings({
  dataFolder,
}: Pick<Config, "dataFolder">): Promise<Finding[]> {
  const place = await nearest(dataFolder);
  const isThere = place === dataFolder;
  try {
    await access(place, constants.W_OK | constants.X_OK);
    if (!(await stat(place)).isDirectory()) throw new Error("it is no folder");
  } catch (error) {
    return [
      broken({
        what: `${place} cannot be written to: ${messageOf(error)}`,
        why: "Secrets, and the embedded database, are kept in the data folder.",
        fix: "Give it to the user who runs Slipway, or set SLIPWAY_DATA to another folder.",
      }),
    ];
  }
  const words = isThere ? dataFolder : `${dataFolder} does not exist yet, but can be made`;
  const room = await roomFindings(place);
  return [...(room.length > 0 ? room : [ok(words)]), ...(await privacyFindings(dataFolder))];
}

/** The embedded database may lie on another disk than the folder. */
async function roomFindings(dataFolder: string): Promise<Finding[]> {
  const cluster = await realpath(join(dataFolder, "postgres")).catch(() => dataFolder);
  const places = cluster.startsWith(dataFolder) ? [dataFolder] : [dataFolder, cluster];
  const rooms = await Promise.all(
    places.map(async (place) => {
      const { bavail, bsize } = await statfs(place);
      return roomFinding(bavail * bsize, place);
    }),
  );
  return rooms.filter((room) => room !== undefined);
}

/** What is wrong with the room that is left on a disk, if anything. */
export function roomFinding(freeBytes: number, place: string): Finding | undefined {
  if (freeBytes >= warnBelowBytes) return undefined;
  const trouble = {
    what: `${(freeBytes / gibibyte).toFixed(1)} GiB are free at ${place}.`,
    why: "A database whose disk is full stops, and with it everything else.",
    fix: "Make room, move the data folder with SLIPWAY_DATA, or keep fewer trades (cex.tradesDays).",
  };
  return freeBytes < brokenBelowBytes ? broken(trouble) : warning(trouble);
}

async function privacyFindings(dataFolder: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of privateFiles) {
    const file = join(dataFolder, name);
    const mode = (await stat(file).catch(() => undefined))?.mode ?? 0;
    if ((mode & 0o077) === 0) continue;
    findings.push(
      warning({
        what: `Others on this machine can read ${file}.`,
        why: "Whoever has it can read what is encrypted, or make keys.",
        fix: `chmod 600 ${file}`,
      }),
    );
  }
  return findings;
}

/** The folder itself, or the nearest one above it that is there. */
async function nearest(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || folder === dirname(folder) ? folder : nearest(dirname(folder));
}
