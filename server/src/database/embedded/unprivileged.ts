import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { OperatorError } from "../../lib/errors.ts";

/** A user that PostgreSQL, which refuses to run as root, can run as. */
export type RunAs = { uid: number; gid: number };

/** Nobody else when we are a plain user; `postgres` or `nobody` when we are root. */
export function chooseRunAs(currentUid: number, passwd = readPasswd()): RunAs | undefined {
  if (currentUid !== 0) return undefined;
  const users = new Map(passwd.split("\n").map((line) => [line.split(":", 1)[0], line.split(":")]));
  const fields = users.get("postgres") ?? users.get("nobody");
  if (!fields) {
    throw new OperatorError(
      "PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody. Start Slipway as another user, or set DATABASE_URL.",
    );
  }
  return { uid: Number(fields[2]), gid: Number(fields[3]) };
}

/** Whether a user may enter every folder on the way to `path`, itself included when it is a folder. */
export function canReach(path: string, runAs: RunAs | undefined): boolean {
  if (!runAs) return true;
  for (let folder = path; ; folder = dirname(folder)) {
    if (!maySearch(folder, runAs)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function maySearch(folder: string, { uid, gid }: RunAs): boolean {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat) return true;
  const search = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
  return (stat.mode & search) !== 0;
}

function readPasswd(): string {
  return readFileSync("/etc/passwd", "utf8");
}
