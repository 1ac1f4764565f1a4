import type { Database, Transaction } from "../database/database.ts";
import type { DueWork } from "../database/due.ts";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import { hashKey, type Mode, newApiKey, sameHash } from "./api-key.ts";
import { ourselves, recordAudit } from "./audit.ts";
import { rememberSecret } from "./store/installation.ts";
import {
  expireKey,
  findKey,
  hasSandboxKeys,
  insertKey,
  postponeDueKey,
  revokeKey,
  takeDueKey,
} from "./store/keys.ts";
import { findUser } from "./store/users.ts";

export type KeyContext = { db: Database; mode: Mode; secret: string; clock: Clock; random: Random };

type KeyRequest = {
  userId: string;
  label: string;
  scopes: readonly string[];
  expiresAt: Date | null;
};

/** Makes a key for a user. This is the only moment at which anybody sees it. */
export function issueKey(
  context: KeyContext,
  request: KeyRequest,
): Promise<{ id: string; key: string }> {
  return context.db.transact(async (tx) => {
    const issued = await issueIn(tx, context, request);
    const { userId, label, scopes, expiresAt } = request;
    await recordKey(tx, context, "key.issued", issued.id, { userId, label, scopes, expiresAt });
    return issued;
  });
}

/** Makes a successor with the same rights; the old key goes on working for the overlap. */
export function rotateKey(
  context: KeyContext,
  id: string,
  overlapMs: number,
): Promise<{ id: string; key: string }> {
  return context.db.transact(async (tx) => {
    const old = await findKey(tx, id);
    if (!old || old.revokedAt) throw new OperatorError(`There is no key ${id} that still works.`);
    const { userId, label, scopes } = old;
    const issued = await issueIn(tx, context, { userId, label, scopes, expiresAt: null });
    const endsAt = new Date(context.clock.now() + overlapMs);
    await expireKey(tx, id, endsAt);
    await recordKey(tx, context, "key.rotated", id, { userId, successor: issued.id, endsAt });
    return issued;
  });
}

/** Ends a key at once, everywhere. Says whether there was one that still worked. */
export function endKey(context: Pick<KeyContext, "db" | "clock">, id: string): Promise<boolean> {
  return context.db.transact(async (tx) => {
    if (!(await revokeKey(tx, id, new Date(context.clock.now())))) return false;
    await recordKey(tx, context, "key.revoked", id, {});
    return true;
  });
}

/** Retires keys whose time is over, so that lists tell the truth and caches let go of them. */
export const retireKeys: DueWork<{ id: string }> = {
  name: "retire API keys",
  take: takeDueKey,
  handle: async (tx, { id }, now) => {
    await revokeKey(tx, id, now);
  },
  postpone: ({ id }, now) => postponeDueKey(id, new Date(now.getTime() + 60_000)),
};

/** Refuses a database whose keys could not work, or must not. */
export async function checkInstallation({ db, mode, secret, clock }: KeyContext): Promise<void> {
  const check = hashKey("installation", secret);
  if (!sameHash(await rememberSecret(db, check, new Date(clock.now())), check)) {
    throw new OperatorError(
      "This database was set up with another secret, so none of its API keys would work. " +
        "Set SLIPWAY_SECRET to the secret it was set up with (the file `secret` in the data folder, if none was set).",
    );
  }
  if (mode === "live" && (await hasSandboxKeys(db))) {
    throw new OperatorError(
      "This database holds the sandbox keys, which everybody knows. Live mode needs a database of its own: " +
        "set DATABASE_URL or SLIPWAY_DATA to a new one.",
    );
  }
}

async function issueIn(
  tx: Transaction,
  { mode, secret, clock, random }: KeyContext,
  { userId, label, scopes, expiresAt }: KeyRequest,
): Promise<{ id: string; key: string }> {
  if (!(await findUser(tx, userId))) throw new OperatorError(`There is no account ${userId}.`);
  const { id, key } = newApiKey(mode, random);
  const hash = hashKey(key, secret);
  await insertKey(tx, {
    id,
    userId,
    label,
    hash,
    scopes: [...scopes],
    expiresAt,
    now: new Date(clock.now()),
  });
  return { id, key };
}

/** Keys are made and ended on the command line only. */
function recordKey(
  tx: Transaction,
  { clock }: Pick<KeyContext, "clock">,
  action: string,
  target: string,
  detail: Record<string, unknown>,
): Promise<void> {
  return recordAudit(tx, { ...ourselves, action, target, detail, at: new Date(clock.now()) });
}
