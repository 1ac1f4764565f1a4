import { findUser } from "../../accounts/store/users.ts";
import type { Transaction } from "../../database/database.ts";
import { newId } from "../../lib/ids.ts";
import type { Cents } from "../../lib/money.ts";
import { type RampContext, stepOn } from "../engine.ts";
import { ledgerAccounts, usd } from "../ledger/accounts.ts";
import type { Notice } from "../ports.ts";
import { readNearReferences, readReferences } from "../references.ts";
import { openDestination } from "../store/bank-accounts.ts";
import { changeWire, insertWire } from "../store/incoming-wires.ts";
import { bookOnce } from "../store/ledger.ts";
import { findByReferences, lockRamp } from "../store/transactions.ts";
import type { Ramp, WireId } from "../transaction.ts";
import { isSameName } from "./same-name.ts";
import { freeze, returnTime } from "./suspense.ts";

type WireNotice = Extract<Notice, { kind: "wire_received" }>;
type WireContext = Pick<RampContext, "clock" | "random" | "sealer" | "log"> & {
  /** The sender is sanctioned. */
  isFrozen: boolean;
};

/** Why a wire lies in suspense. */
type Unmatched = "no_reference" | "unknown_reference" | "several_references" | "not_expected";

/** Takes in a wire: to the transaction whose reference it names, or into suspense. Told twice, it counts once. */
export async function takeWire(
  tx: Transaction,
  context: WireContext,
  source: string,
  notice: WireNotice,
): Promise<void> {
  const { bankReference, cents, senderName, senderAccount, texts } = notice;
  const at = new Date(context.clock.now());
  const id = newId("wir", context.random);
  const isNew = await insertWire(tx, context.sealer, {
    ...{ id, source, bankReference, cents, at },
    details: { senderName, senderAccount, texts },
    receivedAt: new Date(notice.at),
  });
  if (!isNew) return;
  const found = await findTransaction(tx, texts);
  const ramp = typeof found === "object" ? await lockRamp(tx, found.id) : undefined;
  const isTaken = ramp && (await takeStep(tx, context, ramp, id, notice));
  if (isTaken) await changeWire(tx, id, { ...matched, transactionId: ramp.id, at });
  else await suspend(tx, context, id, cents, typeof found === "string" ? found : "not_expected");
}

const matched = { state: "matched", reason: null } as const;

/** Whether the transaction can take the wire. */
async function takeStep(
  tx: Transaction,
  context: WireContext,
  ramp: Ramp,
  wireId: WireId,
  { cents, senderName }: WireNotice,
): Promise<boolean> {
  const isFromHolder = await isHolder(tx, context, ramp, senderName);
  const step = { kind: "wire_matched", wireId, cents, isFromHolder } as const;
  const next = await stepOn(tx, context, ramp, step);
  if (typeof next === "string") return false;
  if (context.isFrozen) await stepOn(tx, context, next, freeze);
  return true;
}

/** Books a wire that no transaction takes where it waits for somebody to claim it. */
async function suspend(
  tx: Transaction,
  context: WireContext,
  id: WireId,
  cents: Cents,
  unmatched: Unmatched,
): Promise<void> {
  const at = new Date(context.clock.now());
  const suspense = ledgerAccounts.suspense(usd);
  const moves = [{ asset: usd, amount: cents, from: ledgerAccounts.bank(), to: suspense }];
  const fact = { fact: `${id}#received`, kind: "wire_suspended", transactionId: null };
  await bookOnce(tx, { ...fact, at, moves });
  const reason = context.isFrozen ? freeze.reason : unmatched;
  const dueAt = context.isFrozen ? null : await returnTime(tx, at.getTime());
  await changeWire(tx, id, { state: "suspense", reason, dueAt, at });
  context.log.warn(
    { wire: id, reason, returnsAt: dueAt?.toISOString() ?? "never" },
    "a wire belongs to no transaction that waits for it; match it or let it go back",
  );
}

/** Whether the sender is the verified account, or the holder of the bank account it named. */
export async function isHolder(
  tx: Transaction,
  context: Pick<RampContext, "sealer">,
  ramp: Ramp,
  senderName: string,
): Promise<boolean> {
  const user = await findUser(tx, ramp.userId);
  if (user && isSameName(senderName, user.name)) return true;
  const { holderName } = await openDestination(tx, context, ramp.bankAccountId, "wire");
  return isSameName(senderName, holderName);
}

/** The one transaction that the texts name. A mistake in a reference is forgiven only for one that is open. */
async function findTransaction(
  tx: Transaction,
  texts: readonly string[],
): Promise<{ id: string } | Unmatched> {
  const references = readReferences(texts);
  const named = await findByReferences(tx, references);
  if (named.length > 1) return "several_references";
  if (named[0]) return named[0];
  const near = await findByReferences(tx, readNearReferences(texts));
  const open = near.filter(({ isOpen }) => isOpen);
  if (open.length > 1) return "several_references";
  return open[0] ?? (references.length > 0 ? "unknown_reference" : "no_reference");
}
