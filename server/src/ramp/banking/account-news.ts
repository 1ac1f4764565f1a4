import type { Transaction } from "../../database/database.ts";
import type { Random } from "../../lib/random.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { tell } from "../events/tell.ts";
import {
  type AccountType,
  correctAccountType,
  type MaskedBankAccount,
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

/** Makes an account what its bank says it is, and tells its owner. */
export async function correctAccount(
  tx: Transaction,
  context: NewsContext,
  { id, accountType, at }: { id: string; accountType: AccountType; at: Date },
): Promise<void> {
  const account = await correctAccountType(tx, id, accountType, at);
  if (account) await tellAccount(tx, context, "corrected", account, at);
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
