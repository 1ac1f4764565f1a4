import { hash } from "node:crypto";
import type { Database } from "../database/database.ts";
import type { Caller } from "../http/endpoint.ts";
import type { Clock } from "../lib/clock.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { hashKey, keyIdOf, type Mode, sameHash } from "./api-key.ts";
import { findKey, keyChanges, touchKeys } from "./store/keys.ts";

/** A key that was found good, so that most requests need no database read. */
type Known = { caller: Caller; goodUntil: number };

export type Authenticator = {
  authenticate(key: string): Caller | undefined | Promise<Caller | undefined>;
  /** Looks every key up again from now on: one of them has changed. */
  forget(): void;
  /** Writes down when keys were last used. */
  flush(): Promise<void>;
};

type AuthenticatorOptions = { db: Database; mode: Mode; secret: string; clock: Clock; log: Log };

const freshMs = 30_000;
const knownMost = 10_000;

/** Finds callers by their keys. A change to a key is heard at once, from whichever process it comes. */
export async function openAuthenticator(options: AuthenticatorOptions): Promise<Authenticator> {
  const { db, mode, secret, clock, log } = options;
  /** By a hash of the whole key, so that memory holds no key and no comparison says how near a guess was. */
  const known = new Map<string, Known>();
  let used = new Map<string, number>();
  let changes = 0;
  const forget = () => {
    changes++;
    known.clear();
  };
  await db.listen(keyChanges, forget);

  async function lookUp(key: string, keyId: string, digest: string): Promise<Caller | undefined> {
    const changesBefore = changes;
    const stored = await findKey(db, keyId);
    if (!stored || stored.revokedAt || !sameHash(hashKey(key, secret), stored.hash))
      return undefined;
    const now = clock.now();
    const endsAt = stored.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    if (now >= endsAt) return undefined;
    const caller = { keyId, userId: stored.userId, scopes: new Set(stored.scopes) };
    if (known.size >= knownMost) known.clear();
    // A change that came while we were reading may be newer than what we read.
    if (changes === changesBefore)
      known.set(digest, { caller, goodUntil: Math.min(endsAt, now + freshMs) });
    used.set(keyId, now);
    return caller;
  }

  return {
    authenticate(key) {
      const digest = hash("sha256", key, "base64");
      const now = clock.now();
      const remembered = known.get(digest);
      if (remembered && now < remembered.goodUntil) {
        used.set(remembered.caller.keyId, now);
        return remembered.caller;
      }
      const keyId = keyIdOf(key, mode);
      return keyId ? lookUp(key, keyId, digest) : undefined;
    },
    forget,
    async flush() {
      if (used.size === 0) return;
      const writing = used;
      used = new Map();
      await touchKeys(db, writing).catch((error) => {
        log.debug({ reason: messageOf(error) }, "could not write down when keys were used");
      });
    },
  };
}
