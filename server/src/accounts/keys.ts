import type { Database, Transaction } from "../database/database.ts";
import type { DueWork } from "../database/due.ts";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import { hashKey, type Mode, newApiKey, sameHash } from "./api-key.ts";
import { type Actor, type AuditEntry, ourselves, recordAudit } from "./audit.ts";
import { rememberSecret } from "./store/installation.ts";
import {
  expireKey,
  hasSandboxKeys,
  insertKey,
  lockKey,
  postponeDueKey,
  revokeKey,
  takeDueKey,
} from "./store/keys.ts";
import { findUser } from "./store/users.ts";

/** What it takes to make a key. */
type KeyMaking = { mode: Mode; secret: string; clock: Clock; random: Random };

export type KeyContext = KeyMaking & { db: Database };

/** A key that was just made. */
type IssuedKey = { id: string; key: string };

type KeyRequest = {
  userId: string;
  label: string;
  scopes: readonly string[];
  expiresAt: Date | null;
};

/** Makes a key for a user. This is the only moment at which anybody sees it. */
export function issueKey(context: KeyContext, request: KeyRequest): Promise<IssuedKey> {
  return context.db.transact((tx) => issueKeyIn(tx, context, request, ourselves));
}

/** The same as a part of something else, by somebody. */
export async function issueKeyIn(
  tx: Transaction,
  context: KeyMaking,
  request: KeyRequest,
  actor: Actor,
): Promise<IssuedKey> {
  const issued = await insertNew(tx, context, request);
  const { userId, label, scopes, expiresAt } = request;
  const detail = { userId, label, scopes, expiresAt };
  await recordKey(tx, context, { ...actor, action: "key.issued", target: issued.id, detail });
  return issued;
}

/** Makes a successor with the same rights; the old key goes on working for the overlap. */
export function rotateKey(context: KeyContext, id: string, overlapMs: number): Promise<IssuedKey> {
  return context.db.transact(async (tx) => {
    const issued = await rotateKeyIn(tx, context, { id, overlapMs }, ourselves);
    if (!issued) throw new OperatorError(`There is no key ${id} that still works.`);
    return issued;
  });
}

/** The same as a part of something else, by somebody; nothing when there is no such key that still works. */
export async function rotateKeyIn(
  tx: Transaction,
  context: KeyMaking,
  { id, overlapMs }: { id: string; overlapMs: number },
  actor: Actor,
): Promise<IssuedKey | undefined> {
  const now = context.clock.now();
  const old = await lockKey(tx, id);
  if (!old || old.revokedAt || (old.expiresAt && old.expiresAt.getTime() <= now)) return undefined;
  const { userId, label, scopes } = old;
  const issued = await insertNew(tx, context, { userId, label, scopes, expiresAt: null });
  const endsAt = new Date(now + overlapMs);
  await expireKey(tx, id, endsAt);
  const detail = { userId, successor: issued.id, endsAt };
  await recordKey(tx, context, { ...actor, action: "key.rotated", target: id, detail });
  return issued;
}

/** Ends a key at once, everywhere. Says whether there was one that still worked. */
export function endKey(context: Pick<KeyContext, "db" | "clock">, id: string): Promise<boolean> {
  return context.db.transact((tx) => endKeyIn(tx, context, id, ourselves));
}

/** The same as a part of something else, by somebody. */
export async function endKeyIn(
  tx: Transaction,
  context: Pick<KeyContext, "clock">,
  id: string,
  actor: Actor,
): Promise<boolean> {
  if (!(await revokeKey(tx, id, new Date(context.clock.now())))) return false;
  await recordKey(tx, context, { ...actor, action: "key.revoked", target: id, detail: {} });
  return true;
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

async function insertNew(
  tx: Transaction,
  { mode, secret, clock, random }: KeyMaking,
  { userId, label, scopes, expiresAt }: KeyRequest,
): Promise<IssuedKey> {
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

function recordKey(
  tx: Transaction,
  { clock }: Pick<KeyContext, "clock">,
  entry: Omit<AuditEntry, "at">,
): Promise<void> {
  return recordAudit(tx, { ...entry, at: new Date(clock.now()) });
}
