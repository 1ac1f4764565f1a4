import type { Database } from "../database/database.ts";
import type { MayActFor } from "../http/acting-account.ts";
import { isId } from "../lib/ids.ts";
import { findSubaccount } from "./store/users.ts";

const knownMost = 10_000;

/**
 * A master may act for its own subaccounts, and not for theirs. A subaccount never changes its master, so that one
 * that has been found need not be looked for again.
 */
export function mayActFor(db: Database): MayActFor {
  const known = new Map<string, string>();

  async function lookUp(callerId: string, userId: string): Promise<boolean> {
    if (!(await findSubaccount(db, callerId, userId))) return false;
    if (known.size >= knownMost) known.clear();
    known.set(userId, callerId);
    return true;
  }

  return (callerId, userId) => {
    if (known.get(userId) === callerId) return true;
    return isId("usr", userId) && lookUp(callerId, userId);
  };
}
