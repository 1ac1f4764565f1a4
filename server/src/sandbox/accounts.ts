import { customerScopes, hashKey, sandboxKeys, scopes } from "../accounts/api-key.ts";
import { findKey, insertKey, setScopes } from "../accounts/store/keys.ts";
import { insertUser, type Verification } from "../accounts/store/users.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";

type SandboxAccount = {
  id: string;
  key: string;
  label: string;
  name: string;
  email: string;
  verification: Verification;
  scopes: readonly string[];
};

/** The accounts that every example uses. Their keys are no secret. */
const sandboxAccounts: readonly SandboxAccount[] = [
  {
    id: "usr-10000000000001",
    key: sandboxKeys.master,
    label: "a verified master account",
    name: "Sandbox Master",
    email: "master@sandbox.example",
    verification: "approved",
    scopes: [...customerScopes, "keys:write"],
  },
  {
    id: "usr-10000000000002",
    key: sandboxKeys.unverified,
    label: "an account that is not verified",
    name: "Sandbox Unverified",
    email: "unverified@sandbox.example",
    verification: "none",
    scopes: customerScopes,
  },
  {
    id: "usr-10000000000003",
    key: sandboxKeys.operator,
    label: "the operator",
    name: "Sandbox Operator",
    email: "operator@sandbox.example",
    verification: "approved",
    scopes,
  },
];

/** The keys and what they are for, to be shown at start. */
export const sandboxKeyList = sandboxAccounts.map(({ key, label }) => ({ key, label }));

/** Adds the sandbox accounts and their keys, once. */
export function seedAccounts(db: Database, secret: string, clock: Clock): Promise<void> {
  return db.transact(async (tx) => {
    const now = new Date(clock.now());
    for (const { id, key, label, name, email, verification, scopes } of sandboxAccounts) {
      const keyId = key.slice("slp_".length);
      if (await findKey(tx, keyId)) {
        // A sandbox of an earlier version knows fewer rights.
        await setScopes(tx, keyId, scopes);
        continue;
      }
      await insertUser(tx, { id, masterId: null, name, email, verification, now });
      const hash = hashKey(key, secret);
      await insertKey(tx, {
        id: keyId,
        userId: id,
        label,
        hash,
        scopes: [...scopes],
        expiresAt: null,
        now,
      });
    }
  });
}
