import type { Queryable, Transaction } from "../../../database/database.ts";
import { prepared, sql } from "../../../database/sql.ts";
import { assert } from "../../../lib/errors.ts";
import { asCents, type Cents } from "../../../lib/money.ts";
import type { Sealer } from "../../../lib/seal.ts";
import { ledgerAccounts, usd } from "../../ledger/accounts.ts";
import type { BankDestination } from "../../ports.ts";
import type { PayoutId } from "../../transaction.ts";
import type { WireOrder } from "../iso20022/wire-file.ts";

/** Rails whose payouts go to the bank in files. */
export type BankRail = "ach" | "wire";

/** Waiting for its file, in one, and what the bank said. */
export type EntryState = "waiting" | "filed" | "settled" | "failed" | "returned";

/** A payout that the bank has been told of, or will be with the next file. */
export type BankEntry = {
  payoutId: PayoutId;
  rail: BankRail;
  trace: string;
  cents: Cents;
  state: EntryState;
  fileId: string | null;
};

/** What is kept of an instruction until its file is made, by rail. */
export type BankOrder = {
  ach: BankDestination & { memo: string };
  wire: Pick<WireOrder, "creditor" | "remittance">;
};

/** An entry whose file is to be made, opened. */
export type DueEntry<Rail extends BankRail> = BankEntry & { order: BankOrder[Rail] };

type NewEntry<Rail extends BankRail> = Pick<BankEntry, "payoutId" | "trace" | "cents"> & {
  rail: Rail;
  order: BankOrder[Rail];
  dueAt: Date;
  at: Date;
};

type EntryRow = Omit<BankEntry, "cents"> & { cents: string };

const asEntry = sql`
  payout_id as "payoutId", rail, trace, bank_entries.cents, bank_entries.state, file_id as "fileId"`;

/** Seven digits for the trace of an ACH entry, not used since ten million others. */
export async function nextTraceNumber(tx: Transaction): Promise<string> {
  const [row] = await tx.query<{ number: string }>(prepared`
    select lpad(nextval('ach_trace_numbers')::text, 7, '0') as number`);
  assert(row, "a sequence has a next number");
  return row.number;
}

/** Writes down what the bank is to be told, unless that has been done. Answers the one entry of the payout. */
export async function insertEntry<Rail extends BankRail>(
  tx: Transaction,
  { sealer }: { sealer: Sealer },
  entry: NewEntry<Rail>,
): Promise<BankEntry> {
  const { payoutId, rail, trace, cents, order, dueAt, at } = entry;
  const sealed = sealer.seal(JSON.stringify(order), placeOf(payoutId));
  await tx.query(prepared`
    insert into bank_entries (payout_id, rail, trace, cents, sealed, state, created_at, updated_at, due_at)
    values (${payoutId}, ${rail}, ${trace}, ${cents}, ${sealed}, 'waiting', ${at}, ${at}, ${dueAt})
    on conflict (payout_id) do nothing`);
  const written = await findEntry(tx, payoutId);
  assert(written, `the entry of ${payoutId} is inserted or found`);
  return written;
}

/** Whether a file of this rail is to be made. */
export async function isFileDue(db: Queryable, rail: BankRail, now: Date): Promise<boolean> {
  const due = await db.query(prepared`
    select from bank_entries
    where due_at <= ${now} and rail = ${rail} and state = 'waiting' limit 1`);
  return due.length > 0;
}

/** Makes those who make files of a rail take turns until `tx` ends. */
export async function lockFiles(tx: Transaction, rail: BankRail): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`bank files ${rail}`}))`);
}

/** What belongs into the next file of a rail, longest due first. Take turns with `lockFiles` before. */
export async function listDueEntries<Rail extends BankRail>(
  tx: Transaction,
  { sealer }: { sealer: Pick<Sealer, "open"> },
  rail: Rail,
  { now, limit }: { now: Date; limit: number },
): Promise<DueEntry<Rail>[]> {
  const rows = await tx.query<EntryRow & { sealed: Buffer }>(sql`
    select ${asEntry}, sealed from bank_entries
    where due_at <= ${now} and rail = ${rail} and state = 'waiting'
    order by due_at, trace limit ${limit} for update`);
  return rows.map(({ sealed, ...row }) => {
    // Written by `insertEntry`, for the same rail.
    const order = JSON.parse(sealer.open(sealed, placeOf(row.payoutId))) as BankOrder[Rail];
    return { ...entryOf(row), order };
  });
}

/** What the books say about payouts that a file is to carry. */
export type BookedPayouts = {
  /** Sum of those that were handed over to the rail and not confirmed. */
  cents: bigint;
  /** What is out on the rail altogether. */
  out: bigint;
  /** Ids of those whose entry says something else than they do. */
  wrong: string[];
};

/** What the books say about payouts that a file is to carry. */
export async function sumBooked(
  tx: Transaction,
  rail: BankRail,
  payoutIds: readonly string[],
): Promise<BookedPayouts> {
  const [row] = await tx.query<{ cents: string; out: string; wrong: string[] }>(sql`
    with carried as (
      select payout_id, payouts.amount, bank_entries.cents,
        payouts.state = 'submitted' and payouts.rail = ${rail} and asset = ${usd} as is_out
      from bank_entries join payouts on payouts.id = payout_id
      where payout_id = any(${payoutIds})
    )
    select coalesce(sum(amount) filter (where is_out), 0) as cents,
      coalesce((select balance from ledger_accounts where name = ${ledgerAccounts.out(rail, usd)}), 0) as out,
      coalesce(array_agg(payout_id) filter (where not is_out or amount <> cents), '{}') as wrong
    from carried`);
  assert(row, "a sum has one row");
  return { cents: BigInt(row.cents), out: BigInt(row.out), wrong: row.wrong };
}

/** Puts entries into their file. */
export async function fileEntries(
  tx: Transaction,
  payoutIds: readonly string[],
  { fileId, at, dueAt }: { fileId: string; at: Date; dueAt: Date | null },
): Promise<void> {
  await tx.query(sql`
    update bank_entries set state = 'filed', file_id = ${fileId}, updated_at = ${at}, due_at = ${dueAt}
    where payout_id = any(${payoutIds})`);
}

/** Puts off the file of a rail that could not be made. */
export async function postponeFile(
  db: Queryable,
  rail: BankRail,
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  await db.query(sql`
    update bank_entries set due_at = ${until}
    where due_at <= ${now} and rail = ${rail} and state = 'waiting'`);
}

/** Takes entries out of a file that does not leave: another one carries them at `dueAt`. */
export async function unfileEntries(
  tx: Transaction,
  fileId: string,
  { at, dueAt }: { at: Date; dueAt: Date },
): Promise<void> {
  await tx.query(sql`
    update bank_entries set state = 'waiting', file_id = null, updated_at = ${at}, due_at = ${dueAt}
    where file_id = ${fileId}`);
}

/** An ACH entry that should be settled, and how far its file is. */
export type DueSettlement = {
  payoutId: PayoutId;
  trace: string;
  fileId: string;
  /** Whether the bank has the file, as far as we know. */
  isDelivered: boolean;
};

/** Whether there are ACH entries that should be settled by now. */
export async function isSettlementDue(db: Queryable, now: Date): Promise<boolean> {
  const due = await db.query(prepared`
    select from bank_entries where due_at <= ${now} and state = 'filed' limit 1`);
  return due.length > 0;
}

/** ACH entries that should be settled by now, for us alone until `tx` ends. */
export function takeDueSettlements(
  tx: Transaction,
  now: Date,
  limit: number,
): Promise<DueSettlement[]> {
  return tx.query<DueSettlement>(sql`
    select payout_id as "payoutId", trace, file_id as "fileId",
      bank_files.state in ('delivered', 'accepted') as "isDelivered"
    from bank_entries join bank_files on bank_files.id = file_id
    where bank_entries.due_at <= ${now} and bank_entries.state = 'filed'
    order by bank_entries.due_at, trace limit ${limit} for update of bank_entries skip locked`);
}

/** Ends entries as settled. */
export async function settleEntries(
  tx: Transaction,
  payoutIds: readonly string[],
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update bank_entries set state = 'settled', updated_at = ${at}, due_at = null
    where payout_id = any(${payoutIds})`);
}

/** Puts off everything that should be settled by now. Answers how much that is. */
export async function postponeDueSettlements(
  db: Queryable,
  now: Date,
  until: Date,
): Promise<number> {
  const postponed = await db.query(sql`
    update bank_entries set due_at = ${until}
    where due_at <= ${now} and state = 'filed' returning payout_id`);
  return postponed.length;
}

/** Puts off what should be settled and is in a file that has not left. */
export async function postponeSettlements(
  tx: Transaction,
  fileId: string,
  until: Date,
): Promise<void> {
  await tx.query(sql`
    update bank_entries set due_at = ${until}
    where file_id = ${fileId} and state = 'filed' and due_at is not null`);
}

/** Says when entries of a file that left late are settled, unless that is later anyway. */
export async function settleNotBefore(
  tx: Transaction,
  fileId: string,
  settleAt: Date,
): Promise<void> {
  await tx.query(sql`
    update bank_entries set due_at = greatest(due_at, ${settleAt})
    where file_id = ${fileId} and state = 'filed' and due_at is not null`);
}

/** The entry of a payout, if the bank has been or will be told of it. */
export async function findEntry(db: Queryable, payoutId: string): Promise<BankEntry | undefined> {
  const [row] = await db.query<EntryRow>(prepared`
    select ${asEntry} from bank_entries where payout_id = ${payoutId}`);
  return row && entryOf(row);
}

/** The entry with this trace, locked: whoever takes in news of it decides alone until `tx` ends. */
export async function findEntryByTrace(
  tx: Transaction,
  trace: string,
): Promise<BankEntry | undefined> {
  const [row] = await tx.query<EntryRow>(prepared`
    select ${asEntry} from bank_entries where trace = ${trace}
    order by created_at desc limit 1 for update`);
  return row && entryOf(row);
}

/** What is in a file, in the order of the traces. */
export async function listEntriesOf(db: Queryable, fileId: string): Promise<BankEntry[]> {
  const rows = await db.query<EntryRow>(sql`
    select ${asEntry} from bank_entries where file_id = ${fileId} order by trace`);
  return rows.map(entryOf);
}

/** Writes down what the bank said of an entry. Answers whether that is new. */
export async function endEntry(
  tx: Transaction,
  payoutId: string,
  end: { state: "settled" | "failed" | "returned"; networkReference?: string | null; at: Date },
): Promise<boolean> {
  const { state, networkReference = null, at } = end;
  const changed = await tx.query(sql`
    update bank_entries set state = ${state}, updated_at = ${at}, due_at = null,
      network_reference = coalesce(${networkReference}, network_reference)
    where payout_id = ${payoutId}
      and (state <> ${state} or (network_reference is null and ${networkReference}::text is not null))
    returning payout_id`);
  return changed.length > 0;
}

function entryOf({ cents, ...rest }: EntryRow): BankEntry {
  return { ...rest, cents: asCents(BigInt(cents)) };
}

/** The only row in which what was sealed can be opened. */
const placeOf = (payoutId: string): string => `bank_entries|sealed|${payoutId}`;
