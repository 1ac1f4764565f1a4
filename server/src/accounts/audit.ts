import { createHash } from "node:crypto";
import type { Queryable, Transaction } from "../database/database.ts";
import type { Caller } from "../http/endpoint.ts";
import { type AuditRow, appendRow, lockEnd, readForward } from "./store/audit.ts";

/** Who acts: the key, the account and the address; all null when it is not done over HTTP. */
export type Actor = { keyId: string | null; userId: string | null; ip: string | null };

/** Who did what, to what. */
export type AuditEntry = Actor & {
  /** Such as `key.issued`. */
  action: string;
  target: string;
  /** Masked: nothing that may not be shown to an operator. */
  detail: Record<string, unknown>;
  at: Date;
};

/** Whether the log is as it was written, and where it first is not. */
export type AuditState = { ok: boolean; checked: number; brokenAt: number | null };

/** Whoever has the command line, or the service itself. */
export const ourselves: Actor = { keyId: null, userId: null, ip: null };

/** Whoever sent a request. */
export function actorOf({ caller, address }: { caller: Caller; address: string }): Actor {
  return { keyId: caller.keyId, userId: caller.userId, ip: address };
}

const beforeFirst = Buffer.alloc(32);
const pageSize = 1_000;

/**
 * Appends to the audit log. Other appends wait until the transaction ends, so this comes late in it. Each line holds
 * the hash of the one before: whoever changes the past has to change everything after it.
 */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const last = await lockEnd(tx);
  const row = {
    ...entry,
    detail: JSON.stringify(entry.detail),
    sequence: (last?.sequence ?? 0n) + 1n,
    previousHash: last?.hash ?? beforeFirst,
  };
  await appendRow(tx, { ...row, hash: hashOf(row) });
}

/** Walks through the whole log and checks every link. */
export async function verifyAudit(db: Queryable): Promise<AuditState> {
  let checked = 0;
  let previousHash: Buffer = beforeFirst;
  for (;;) {
    const rows = await readForward(db, BigInt(checked), pageSize);
    for (const row of rows) {
      if (!follows(row, checked, previousHash))
        return { ok: false, checked, brokenAt: checked + 1 };
      checked++;
      previousHash = row.hash;
    }
    if (rows.length < pageSize) return { ok: true, checked, brokenAt: null };
  }
}

function follows(row: AuditRow, sequence: number, previousHash: Buffer): boolean {
  return (
    row.sequence === BigInt(sequence) + 1n &&
    row.previousHash.equals(previousHash) &&
    row.hash.equals(hashOf(row))
  );
}

function hashOf(row: Omit<AuditRow, "hash">): Buffer {
  const { sequence, at, keyId, userId, ip, action, target, detail, previousHash } = row;
  const text = JSON.stringify([
    String(sequence),
    at.toISOString(),
    keyId,
    userId,
    ip,
    action,
    target,
    detail,
  ]);
  return createHash("sha256").update(previousHash).update(text).digest();
}
