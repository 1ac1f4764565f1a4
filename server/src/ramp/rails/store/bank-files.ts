import { hash } from "node:crypto";
import type { Queryable, Transaction } from "../../../database/database.ts";
import { prepared, sql } from "../../../database/sql.ts";
import { assert } from "../../../lib/errors.ts";
import { asCents, type Cents } from "../../../lib/money.ts";
import type { Sealer } from "../../../lib/seal.ts";

export type FileFormat =
  | "nacha"
  | "nacha_return"
  | "acknowledgement"
  | "pain.001"
  | "pain.002"
  | "pacs.002"
  | "camt.054"
  | "camt.053"
  | "webhook"
  | "unknown";

export type FileState =
  | "held"
  | "ready"
  | "delivered"
  | "accepted"
  | "rejected"
  | "withdrawn"
  | "taken"
  | "refused";

/** A file to or from the bank, without its content. */
export type BankFile = {
  id: string;
  direction: "out" | "in";
  format: FileFormat;
  name: string;
  sha256: Buffer;
  bytes: number;
  state: FileState;
  entries: number;
  cents: Cents;
  /** Ids of the keys of those who approved. */
  approvals: string[];
  approvalsNeeded: number;
  problem: string | null;
  /** How often somebody began to deliver it. */
  attempts: number;
  createdAt: Date;
  deliveredAt: Date | null;
  updatedAt: Date;
};

/** A file with its content, which `openBankFile` gives back. */
export type SealedBankFile = BankFile & { sealed: Buffer };

type NewBankFile = Pick<
  BankFile,
  "id" | "direction" | "format" | "name" | "state" | "entries" | "cents"
> & {
  content: Buffer;
  approvalsNeeded?: number;
  problem?: string | null;
  dueAt?: Date | null;
  at: Date;
};

type FileRow<Row extends BankFile> = Omit<Row, "cents"> & { cents: string };

const asFile = sql`
  id, direction, format, name, sha256, bytes, state, entries, cents, approvals,
  approvals_needed as "approvalsNeeded", problem, attempts, created_at as "createdAt",
  delivered_at as "deliveredAt", updated_at as "updatedAt"`;

/** Keeps a file. The same bytes under the same name are the file that is there already, which stays as it is. */
export async function insertBankFile(
  tx: Transaction,
  { sealer }: { sealer: Sealer },
  file: NewBankFile,
): Promise<{ id: string; isNew: boolean }> {
  const { id, direction, format, name, content, state, entries, cents, at } = file;
  const { approvalsNeeded = 0, problem = null, dueAt = null } = file;
  const sha256 = digestOf(content);
  const sealed = sealer.seal(content.toString("latin1"), placeOf(id));
  const [inserted] = await tx.query(sql`
    insert into bank_files (id, direction, format, name, sha256, bytes, sealed, state, entries,
      cents, approvals_needed, problem, created_at, updated_at, due_at)
    values (${id}, ${direction}, ${format}, ${name}, ${sha256}, ${content.length}, ${sealed}, ${state},
      ${entries}, ${cents}, ${approvalsNeeded}, ${problem}, ${at}, ${at}, ${dueAt})
    on conflict (direction, name, sha256) do nothing
    returning id`);
  if (inserted) return { id, isNew: true };
  const [known] = await tx.query<{ id: string }>(sql`
    select id from bank_files
    where direction = ${direction} and name = ${name} and sha256 = ${sha256}`);
  assert(known, `the file ${name} is inserted or found`);
  return { id: known.id, isNew: false };
}

/** One file with its content. */
export async function findBankFile(db: Queryable, id: string): Promise<SealedBankFile | undefined> {
  const [row] = await db.query<FileRow<SealedBankFile>>(sql`
    select ${asFile}, sealed from bank_files where id = ${id}`);
  return row && fileOf(row);
}

/** The file of ours that has this name. */
export async function findSentFile(db: Queryable, name: string): Promise<BankFile | undefined> {
  const [row] = await db.query<FileRow<BankFile>>(sql`
    select ${asFile} from bank_files where direction = 'out' and name = ${name}`);
  return row && fileOf(row);
}

/** Files to and from the bank, newest first. */
export async function listBankFiles(
  db: Queryable,
  page: {
    direction: BankFile["direction"] | undefined;
    state: FileState | undefined;
    limit: number;
    after: string | undefined;
  },
): Promise<BankFile[]> {
  const { direction, state, limit, after } = page;
  const rows = await db.query<FileRow<BankFile>>(sql`
    select ${asFile} from bank_files
    where ${direction === undefined ? sql`true` : sql`direction = ${direction}`}
      and ${state === undefined ? sql`true` : sql`state = ${state}`}
      and ${
        after === undefined
          ? sql`true`
          : sql`(created_at, id) < (select created_at, id from bank_files where id = ${after})`
      }
    order by created_at desc, id desc limit ${limit}`);
  return rows.map(fileOf);
}

/** The bytes of a file as they were sent or came. */
export function openBankFile(
  sealer: Pick<Sealer, "open">,
  { id, sha256, sealed }: Pick<SealedBankFile, "id" | "sha256" | "sealed">,
): Buffer {
  const content = Buffer.from(sealer.open(sealed, placeOf(id)), "latin1");
  assert(digestOf(content).equals(sha256), `the content of ${id} is what was kept`);
  return content;
}

/** Takes the file that is due longest for us alone until `until`, and counts that its delivery begins. */
export async function claimBankFile(
  db: Queryable,
  now: Date,
  until: Date,
): Promise<SealedBankFile | undefined> {
  const [row] = await db.query<FileRow<SealedBankFile>>(prepared`
    update bank_files set leased_until = ${until}, attempts = attempts + 1
    where id = (
      select id from bank_files
      where due_at <= ${now} and (leased_until is null or leased_until <= ${now}) and state = 'ready'
      order by due_at limit 1 for update skip locked
    )
    returning ${asFile}, sealed`);
  return row && fileOf(row);
}

/** Writes down why a file could not be delivered, and when to try again. */
export async function postponeDelivery(
  db: Queryable,
  id: string,
  { problem, until }: { problem: string; until: Date },
): Promise<void> {
  await db.query(sql`
    update bank_files set problem = ${problem}, due_at = ${until}, leased_until = null
    where id = ${id} and state = 'ready'`);
}

/** Writes down that the bank has a file. Answers whether that is new. */
export async function markDelivered(tx: Transaction, id: string, at: Date): Promise<boolean> {
  const changed = await tx.query(sql`
    update bank_files set state = 'delivered', problem = null, delivered_at = ${at},
      updated_at = ${at}, due_at = null, leased_until = null
    where id = ${id} and state = 'ready' returning id`);
  return changed.length > 0;
}

/** A file without its content, locked until `tx` ends. */
export async function lockBankFile(tx: Transaction, id: string): Promise<BankFile | undefined> {
  const [row] = await tx.query<FileRow<BankFile>>(sql`
    select ${asFile} from bank_files where id = ${id} for update`);
  return row && fileOf(row);
}

/** Adds an approval to a file that is held; with `isEnough` it is ready to leave. */
export async function approveFile(
  tx: Transaction,
  id: string,
  { keyId, isEnough, at }: { keyId: string; isEnough: boolean; at: Date },
): Promise<void> {
  await tx.query(sql`
    update bank_files set approvals = array_append(approvals, ${keyId}), updated_at = ${at},
      state = ${isEnough ? "ready" : "held"}, due_at = ${isEnough ? at : null}
    where id = ${id}`);
}

/** How many files of ours have names that begin so. */
export async function countSentFiles(db: Queryable, prefix: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from bank_files
    where direction = 'out' and starts_with(name, ${prefix})`);
  return row?.count ?? 0;
}

/** Writes down what became of a file; nothing more is due. */
export async function markFile(
  tx: Queryable,
  id: string,
  { state, problem, at }: { state: FileState; problem: string | null; at: Date },
): Promise<void> {
  await tx.query(sql`
    update bank_files set state = ${state}, problem = ${problem}, updated_at = ${at}, due_at = null,
      leased_until = null
    where id = ${id}`);
}

function fileOf<Row extends BankFile>(row: FileRow<Row>): Row {
  return { ...row, cents: asCents(BigInt(row.cents)) } as unknown as Row;
}

const digestOf = (content: Buffer): Buffer => hash("sha256", content, "buffer");

/** One character for each byte is sealed, so that any bytes come back as they were. */
const placeOf = (id: string): string => `bank_files|sealed|${id}`;
