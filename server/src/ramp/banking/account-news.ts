import { ourselves, recordAudit } from "../../accounts/audit.ts";
import type { Transaction } from "../../database/database.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { tell } from "../events/tell.ts";
import {
  type AccountCorrection,
  correctBankAccount,
  type MaskedBankAccount,
  type StoredBankAccount,
  stopBankAccount,
} from "../store/bank-accounts.ts";

type NewsContext = { random: Random };

/** Bars an account from new payouts because of a return, and tells its owner. */
export async function stopAccount(
  tx: Transaction,
  context: NewsContext,
  { id, code, at }: { id: string; code: string; at: Date },
): Promise<void> {
  const account = await stopBankAccount(tx, id, code, at);
  if (account) await tellAccount(tx, context, "stopped", account, at);
}

/** What the bank corrected, and in answer to which payout. */
type Correction = {
  corrected: AccountCorrection;
  payoutId: string;
  /** C01–C07. */
  code: string;
  at: Date;
};

/** Makes an account that `tx` has locked what its bank says it is, and tells its owner. */
export async function correctAccount(
  tx: Transaction,
  context: NewsContext & { sealer: Sealer },
  account: StoredBankAccount,
  { corrected, payoutId, code, at }: Correction,
): Promise<"corrected" | "same" | "duplicate"> {
  if (isSameAccount(account, corrected)) return "same";
  const changed = await correctBankAccount(tx, context, account, corrected, at);
  if (changed === "duplicate") return "duplicate";
  await tellAccount(tx, context, "corrected", changed, at);
  const detail = { payoutId, code, before: auditable(account), after: auditable(changed) };
  const target = account.id;
  await recordAudit(tx, { ...ourselves, action: "bank_account.corrected", target, detail, at });
  return "corrected";
}

function isSameAccount(one: AccountCorrection, other: AccountCorrection): boolean {
  return (
    one.routingNumber === other.routingNumber &&
    one.accountNumber === other.accountNumber &&
    one.accountType === other.accountType
  );
}

/** What an operator may see of an account. */
function auditable(account: MaskedBankAccount): Record<string, string> {
  const { routingNumber, accountType, bankName } = account;
  return { routingNumber, accountNumber: maskedNumber(account), accountType, bankName };
}

/** Tells an account's owner what happened to it. What is sealed stays so: events are stored and sent as they are. */
export function tellAccount(
  tx: Transaction,
  { random }: NewsContext,
  happened: "created" | "corrected" | "stopped" | "deleted",
  account: MaskedBankAccount,
  at: Date,
): Promise<void> {
  const object = {
    id: account.id,
    routingNumber: account.routingNumber,
    accountNumber: maskedNumber(account),
    accountType: account.accountType,
    bankName: account.bankName,
    createdAt: timestamp(account.createdAt),
    updatedAt: timestamp(account.updatedAt),
    userId: account.userId,
    fiatCurrency: account.fiatCurrency,
    stoppedCode: account.stoppedCode,
  };
  const type = `ramp.bank_account.${happened}`;
  const news = { userId: account.userId, type, transactionId: null, object, at: at.getTime() };
  return tell(tx, { random }, news);
}

/** Enough to recognise an account by, and not to use it. */
export function maskedNumber({ accountNumberLast4 }: MaskedBankAccount): string {
  return `****${accountNumberLast4}`;
}
