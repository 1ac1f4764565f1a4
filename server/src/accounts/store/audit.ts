import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

/** One line of the audit log, as it is stored. */
export type AuditRow = {
  sequence: bigint;
  at: Date;
  keyId: string | null;
  userId: string | null;
  ip: string | null;
  action: string;
  target: string;
  /** JSON. */
  detail: string;
  previousHash: Buffer;
  hash: Buffer;
};

/** An arbitrary number that only this lock uses. */
const appendLock = 7_264_512;

const asRow = sql`
  sequence, at, key_id as "keyId", user_id as "userId", ip, action, target, detail,
  previous_hash as "previousHash", hash`;

/** The end of the log, which nobody else can append to until the transaction ends. */
export async function lockEnd(
  tx: Transaction,
): Promise<Pick<AuditRow, "sequence" | "hash"> | undefined> {
  await tx.query(sql`select pg_advisory_xact_lock(${appendLock})`);
  const [row] = await tx.query<Pick<AuditRow, "sequence" | "hash">>(sql`
    select sequence, hash from audit_log order by sequence desc limit 1`);
  return row;
}

export async function appendRow(tx: Transaction, row: AuditRow): Promise<void> {
  const { sequence, at, keyId, userId, ip, action, target, detail, previousHash, hash } = row;
  await tx.query(sql`
    insert into audit_log (sequence, at, key_id, user_id, ip, action, target, detail, previous_hash, hash)
    values (${sequence}, ${at}, ${keyId}, ${userId}, ${ip}, ${action}, ${target}, ${detail},
      ${previousHash}, ${hash})`);
}

/** The next lines after one, oldest first. */
export function readForward(db: Queryable, after: bigint, limit: number): Promise<AuditRow[]> {
  return db.query<AuditRow>(sql`
    select ${asRow} from audit_log where sequence > ${after} order by sequence limit ${limit}`);
}

/** The lines before one, or up to the end, newest first. */
export function readBackward(
  db: Queryable,
  before: bigint | null,
  limit: number,
): Promise<AuditRow[]> {
  return db.query<AuditRow>(sql`
    select ${asRow} from audit_log
    where ${before}::bigint is null or sequence < ${before}::bigint
    order by sequence desc limit ${limit}`);
}
