import type { Transaction } from "../../database/database.ts";
import { correctAccount } from "../banking/account-news.ts";
import { findBank } from "../banking/directory.ts";
import { routingNumberFault } from "../banking/routing-number.ts";
import type { RampContext } from "../engine.ts";
import type { BankDestination, Notice } from "../ports.ts";
import { findSentAccount } from "../rails/store/sent-accounts.ts";
import {
  type AccountCorrection,
  lockBankAccount,
  openDestination,
  type StoredBankAccount,
} from "../store/bank-accounts.ts";
import { findPayout } from "../store/payouts.ts";
import { findAnyRamp } from "../store/transactions.ts";

type Correction = Extract<Notice, { kind: "account_corrected" }>;
type CorrectionContext = Pick<RampContext, "clock" | "random" | "sealer" | "log">;

/** Makes a bank account what its bank says it is, for the next payout to it. Said twice, it changes nothing. */
export async function takeCorrection(
  tx: Transaction,
  context: CorrectionContext,
  notice: Correction,
): Promise<void> {
  const { reference: payoutId, code } = notice;
  const about = { payout: payoutId, code };
  if (Object.keys(notice.corrected).length === 0) {
    context.log.warn(about, "a bank corrects something that is not kept here; nothing was changed");
    return;
  }
  const account = await lockPaidAccount(tx, context, payoutId);
  if (!account) {
    context.log.warn(
      about,
      "a bank corrects an account that is not registered as it was paid any more; nothing was changed",
    );
    return;
  }
  const at = new Date(context.clock.now());
  const corrected = await correctedAccount(tx, account, notice, at);
  const outcome = corrected
    ? await correctAccount(tx, context, account, { corrected, payoutId, code, at })
    : "unusable";
  say(context, { ...about, bankAccount: account.id }, outcome);
}

/** The account to which a payout went, if it is still registered with the number that was paid. */
async function lockPaidAccount(
  tx: Transaction,
  context: CorrectionContext,
  payoutId: string,
): Promise<StoredBankAccount | undefined> {
  const sentTo = await findSentAccount(tx, context, payoutId);
  const transactionId = (await findPayout(tx, payoutId))?.transactionId;
  const ramp = transactionId ? await findAnyRamp(tx, transactionId) : undefined;
  const account = ramp && (await lockBankAccount(tx, context, ramp.bankAccountId));
  if (!account || !sentTo) return undefined;
  const now = await openDestination(tx, context, account.id, "ach");
  return isSameNumber(now, sentTo) ? account : undefined;
}

function isSameNumber(one: BankDestination, other: BankDestination): boolean {
  return one.routingNumber === other.routingNumber && one.accountNumber === other.accountNumber;
}

/** The account as the bank wants it; nothing when there can be no such account. */
async function correctedAccount(
  tx: Transaction,
  account: StoredBankAccount,
  { corrected }: Correction,
  at: Date,
): Promise<AccountCorrection | undefined> {
  const wanted = { ...account, ...corrected };
  const { routingNumber, accountNumber } = wanted;
  if (!accountNumberForm.test(accountNumber)) return undefined;
  if (routingNumber === account.routingNumber) return wanted;
  const isPossible = routingNumberFault(routingNumber) === undefined;
  const bank = isPossible ? await findBank(tx, routingNumber, at) : undefined;
  return bank && { ...wanted, bankName: bank.name, bankAddress: bank.address, bankUpdatedAt: at };
}

/** What can be registered as an account number. */
const accountNumberForm = /^[0-9A-Za-z]{4,17}$/;

type Outcome = Awaited<ReturnType<typeof correctAccount>> | "unusable";

function say({ log }: CorrectionContext, about: object, outcome: Outcome): void {
  switch (outcome) {
    case "corrected":
      log.info(about, "a bank account was corrected as its bank says");
      return;
    case "duplicate":
      log.warn(
        about,
        "a bank account was not corrected: its owner has registered the right one as well; pay that one from now on",
      );
      return;
    case "unusable":
      log.error(
        about,
        "a bank account was not corrected: there is no bank or no account with the number that its bank names; ask our bank",
      );
      return;
    case "same":
  }
}
