import type { Queryable, Transaction } from "../../database/database.ts";
import { prepared, sql } from "../../database/sql.ts";
import { assert } from "../../lib/errors.ts";
import type { Sealer } from "../../lib/seal.ts";
import type { BankDestination } from "../ports.ts";
import type { BankAccountId, UserId } from "../transaction.ts";
import { findParticipant } from "./routing-directory.ts";

type AccountType = BankDestination["accountType"];

/** Where a bank or a person is. `country` in words: `UNITED_STATES`. */
export type PostalAddress = {
  line1: string;
  line2: string | null;
  city: string;
  province: string;
  country: string;
};

/** Whom the account belongs to. */
export type Holder = PostalAddress & { fullName: string; phone: string; postalCode: string };

/** What of a bank account may be known without opening what is sealed. */
export type MaskedBankAccount = {
  id: BankAccountId;
  userId: UserId;
  routingNumber: string;
  accountNumberLast4: string;
  accountType: AccountType;
  bankName: string;
  bankAddress: PostalAddress;
  fiatCurrency: string;
  /** The return code that stopped it, such as R03; null while it may be used. */
  stoppedCode: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** When name and address of the bank were last taken from a directory. */
  bankUpdatedAt: Date;
};

export type StoredBankAccount = MaskedBankAccount & { accountNumber: string; holder: Holder };

type SealedPart = { accountNumber: string; holder: Holder };
type BankAccountRow = MaskedBankAccount & { sealed: Buffer };

type Opener = { sealer: Pick<Sealer, "open"> };

const asMasked = sql`
  id, user_id as "userId", routing_number as "routingNumber",
  account_number_last4 as "accountNumberLast4", account_type as "accountType",
  bank_name as "bankName", bank_address as "bankAddress", fiat_currency as "fiatCurrency",
  stopped_code as "stoppedCode", created_at as "createdAt", updated_at as "updatedAt",
  bank_updated_at as "bankUpdatedAt"`;

const asRow = sql`${asMasked}, sealed`;

export type NewBankAccountRow = SealedPart & {
  id: BankAccountId;
  userId: string;
  routingNumber: string;
  accountType: AccountType;
  bankName: string;
  bankAddress: PostalAddress;
  now: Date;
};

/** Registers an account. The answer has another id when the user had registered it already. */
export async function insertBankAccount(
  tx: Transaction,
  { sealer }: { sealer: Sealer },
  account: NewBankAccountRow,
): Promise<StoredBankAccount> {
  const { id, userId, routingNumber, accountNumber, holder, now } = account;
  const sealed = sealer.seal(JSON.stringify({ accountNumber, holder }), placeOf(account));
  const digest = digestOf(sealer, account);
  // A row that is there already is touched to be returned, and locked until the transaction ends.
  const [row] = await tx.query<BankAccountRow>(sql`
    insert into bank_accounts (id, user_id, routing_number, account_number_last4, account_type, sealed, digest,
      bank_name, bank_address, bank_updated_at, created_at, updated_at)
    values (${id}, ${userId}, ${routingNumber}, ${accountNumber.slice(-4)}, ${account.accountType}, ${sealed},
      ${digest}, ${account.bankName}, ${account.bankAddress}, ${now}, ${now}, ${now})
    on conflict (user_id, digest) where deleted_at is null
    do update set updated_at = bank_accounts.updated_at
    returning ${asRow}`);
  assert(row, "an account is inserted or found");
  return opened(row, { sealer });
}

/** A user's bank accounts, newest first; all of them when there is no limit. */
export async function listBankAccounts(
  db: Queryable,
  context: Opener,
  userId: string,
  { limit, skip }: { limit: number | null; skip: number },
): Promise<StoredBankAccount[]> {
  const rows = await db.query<BankAccountRow>(sql`
    select ${asRow} from bank_accounts where user_id = ${userId} and deleted_at is null
    order by created_at desc, id limit ${limit} offset ${skip}`);
  return rows.map((row) => opened(row, context));
}

/** One bank account of one user, to be shown. Somebody else's is the same as none. */
export async function readBankAccount(
  db: Queryable,
  context: Opener,
  userId: string,
  id: string,
): Promise<StoredBankAccount | undefined> {
  const [row] = await db.query<BankAccountRow>(sql`
    select ${asRow} from bank_accounts
    where user_id = ${userId} and id = ${id} and deleted_at is null`);
  return row && opened(row, context);
}

/** One bank account of one user, to be used: nobody deletes it before the transaction ends. */
export async function findBankAccount(
  tx: Transaction,
  context: Opener,
  userId: string,
  id: string,
): Promise<StoredBankAccount | undefined> {
  const [row] = await tx.query<BankAccountRow>(prepared`
    select ${asRow} from bank_accounts
    where user_id = ${userId} and id = ${id} and deleted_at is null
    for key share`);
  return row && opened(row, context);
}

/** Where to send money for an account, whoever owns it. ACH follows a routing number that was replaced. */
export async function openDestination(
  tx: Queryable,
  context: Opener,
  id: BankAccountId,
  rail: "ach" | "wire",
): Promise<BankDestination> {
  const [row] = await tx.query<BankAccountRow & { isBusiness: boolean }>(prepared`
    select ${asRow}, (select kind from users where users.id = user_id) = 'business' as "isBusiness"
    from bank_accounts where id = ${id}`);
  assert(row, `there is a bank account ${id}`);
  const { routingNumber, accountNumber, accountType, holder } = opened(row, context);
  const participant = rail === "ach" ? await findParticipant(tx, "ach", routingNumber) : undefined;
  return {
    routingNumber: participant?.routingNumber ?? routingNumber,
    accountNumber,
    accountType,
    holderName: holder.fullName,
    ...(row.isBusiness ? { isBusiness: true as const } : {}),
  };
}

/** Takes an account out of lists. What refers to it goes on doing so. */
export async function deleteBankAccount(
  tx: Transaction,
  userId: string,
  id: string,
  now: Date,
): Promise<MaskedBankAccount | "unknown" | "in_use"> {
  // Whoever uses the account holds a lock on it until the use can be seen.
  const found = await tx.query(sql`
    select from bank_accounts
    where user_id = ${userId} and id = ${id} and deleted_at is null for update`);
  if (found.length === 0) return "unknown";
  const uses = await tx.query(sql`
    select from ramp_transactions
    where user_id = ${userId} and bank_account_id = ${id} and is_open limit 1`);
  if (uses.length > 0) return "in_use";
  const [account] = await tx.query<MaskedBankAccount>(sql`
    update bank_accounts set deleted_at = ${now}, updated_at = ${now}
    where user_id = ${userId} and id = ${id}
    returning ${asMasked}`);
  return account ?? "unknown";
}

/** Bars an account from new payouts because of a return. Answers nothing when it was barred before. */
export async function stopBankAccount(
  tx: Queryable,
  id: string,
  code: string,
  at: Date,
): Promise<MaskedBankAccount | undefined> {
  const [account] = await tx.query<MaskedBankAccount>(sql`
    update bank_accounts set stopped_code = ${code}, stopped_at = ${at}, updated_at = ${at}
    where id = ${id} and stopped_code is null
    returning ${asMasked}`);
  return account;
}

/** An account that is not deleted, whoever owns it, for us alone until `tx` ends. */
export async function lockBankAccount(
  tx: Transaction,
  context: Opener,
  id: string,
): Promise<StoredBankAccount | undefined> {
  const [row] = await tx.query<BankAccountRow>(sql`
    select ${asRow} from bank_accounts where id = ${id} and deleted_at is null for update`);
  return row && opened(row, context);
}

/** What a bank may correct of an account, with the name and address of the bank at which it is then. */
export type AccountCorrection = Pick<
  StoredBankAccount,
  "routingNumber" | "accountNumber" | "accountType" | "bankName" | "bankAddress" | "bankUpdatedAt"
>;

/** Makes an account that `tx` has locked what its bank says it is; not when its owner has that account as well. */
export async function correctBankAccount(
  tx: Transaction,
  { sealer }: { sealer: Sealer },
  { id, userId, holder }: StoredBankAccount,
  corrected: AccountCorrection,
  at: Date,
): Promise<MaskedBankAccount | "duplicate"> {
  const { routingNumber, accountNumber, accountType } = corrected;
  const digest = digestOf(sealer, { routingNumber, accountNumber });
  const others = await tx.query(sql`
    select from bank_accounts
    where user_id = ${userId} and digest = ${digest} and id <> ${id} and deleted_at is null`);
  if (others.length > 0) return "duplicate";
  const sealed = sealer.seal(JSON.stringify({ accountNumber, holder }), placeOf({ id, userId }));
  const [account] = await tx.query<MaskedBankAccount>(sql`
    update bank_accounts set routing_number = ${routingNumber},
      account_number_last4 = ${accountNumber.slice(-4)}, account_type = ${accountType},
      sealed = ${sealed}, digest = ${digest}, bank_name = ${corrected.bankName},
      bank_address = ${corrected.bankAddress}, bank_updated_at = ${corrected.bankUpdatedAt},
      updated_at = ${at}
    where id = ${id}
    returning ${asMasked}`);
  assert(account, `there is a bank account ${id}`);
  return account;
}

/** The banks at which somebody has an account. */
export async function listRoutingNumbers(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ routingNumber: string }>(sql`
    select distinct routing_number as "routingNumber" from bank_accounts where deleted_at is null`);
  return rows.map(({ routingNumber }) => routingNumber);
}

/** Gives accounts at a bank its name and address of now. Answers how many had others. */
export async function updateBank(
  tx: Queryable,
  routingNumber: string,
  { name, address }: { name: string; address: PostalAddress },
  at: Date,
): Promise<number> {
  const changed = await tx.query(sql`
    update bank_accounts
    set bank_name = ${name}, bank_address = ${address}, bank_updated_at = ${at}, updated_at = ${at}
    where routing_number = ${routingNumber} and deleted_at is null
      and (bank_name <> ${name} or bank_address <> ${address}::jsonb)
    returning id`);
  return changed.length;
}

function opened(row: BankAccountRow, { sealer }: Opener): StoredBankAccount {
  const { sealed, ...masked } = row;
  const { accountNumber, holder } = JSON.parse(sealer.open(sealed, placeOf(row))) as SealedPart;
  return { ...masked, accountNumber, holder };
}

/** Finds the same account again, however its letters are written. */
function digestOf(
  sealer: Sealer,
  { routingNumber, accountNumber }: Pick<StoredBankAccount, "routingNumber" | "accountNumber">,
): Buffer {
  return sealer.digest(`${routingNumber}|${accountNumber.toUpperCase()}`);
}

/** The only row in which what was sealed can be opened. */
function placeOf({ id, userId }: { id: string; userId: string }): string {
  return `bank_accounts|sealed|${id}|${userId}`;
}
