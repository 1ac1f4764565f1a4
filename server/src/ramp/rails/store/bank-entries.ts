import type { Queryable, Transaction } from "../../../database/database.ts";
import { prepared, sql } from "../../../database/sql.ts";
import { assert } from "../../../lib/errors.ts";
import { asCents, type Cents } from "../../../lib/money.ts";
import type { Sealer } from "../../../lib/seal.ts";
import type { PayoutId } from "../../transaction.ts";

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

type EntryRow = Omit<BankEntry, "cents"> & { cents: string };

const asEntry = sql`
  payout_id as "payoutId", rail, trace, bank_entries.cents, bank_entries.state, file_id as "fileId"`;

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
    select ${asEntry} from bank_entries where trace = ${trace} for update`);
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
