import type { Transaction } from "../database/database.ts";
import { assert, CallerError } from "../lib/errors.ts";
import { newId } from "../lib/ids.ts";
import { findToken } from "./assets.ts";
import { applyStep, type RampContext } from "./engine.ts";
import { freeze } from "./intake/suspense.ts";
import { isHolder } from "./intake/wires.ts";
import { assetOf, ledgerAccounts, usd } from "./ledger/accounts.ts";
import { partyFault } from "./rails/bank/wire-party.ts";
import type { WireParty } from "./rails/iso20022/wire-file.ts";
import { changeWireSender, findWireSender } from "./rails/store/wire-senders.ts";
import type { Actor } from "./step.ts";
import { changeDeposit, type Deposit, lockDeposit } from "./store/deposits.ts";
import { changeWire, type IncomingWire, lockWire, openWire } from "./store/incoming-wires.ts";
import { bookOnce } from "./store/ledger.ts";
import { insertPayout } from "./store/payouts.ts";
import { findAnyRamp } from "./store/transactions.ts";

export type IncomingContext = Pick<RampContext, "clock" | "random" | "sealer">;

/** Gives a wire that lies in suspense to a transaction, where a sender who is somebody else or sanctioned is reviewed. */
export async function matchWire(
  tx: Transaction,
  context: IncomingContext,
  wireId: string,
  transactionId: string,
  actor: Actor,
): Promise<void> {
  const wire = await lockSuspended(tx, wireId);
  const ramp = await findAnyRamp(tx, transactionId);
  if (!ramp) throw new CallerError("not_found", `Transaction ${transactionId} was not found`);
  const at = new Date(context.clock.now());
  const { senderName } = openWire(context.sealer, wire);
  const isFromHolder = await isHolder(tx, context, ramp, senderName);
  // Out of suspense as if it came only now: the transaction books it in from the bank.
  const suspense = ledgerAccounts.suspense(usd);
  const moves = [{ asset: usd, amount: wire.cents, from: suspense, to: ledgerAccounts.bank() }];
  const fact = { fact: `${wireId}#claimed`, kind: "wire_claimed", transactionId: ramp.id };
  await bookOnce(tx, { ...fact, at, moves });
  const { id, cents } = wire;
  await applyStep(tx, context, ramp.id, { kind: "wire_matched", wireId: id, cents, isFromHolder });
  const reason = `matched by ${actor}`;
  await changeWire(tx, id, { state: "matched", reason, transactionId: ramp.id, at });
}

/** Orders that a wire that lies in suspense goes back to where it came from. */
export async function returnWire(
  tx: Transaction,
  context: Pick<RampContext, "clock" | "random">,
  wireId: string,
  actor: Actor,
): Promise<void> {
  const { id, cents, reason } = await lockSuspended(tx, wireId);
  if (reason === freeze.reason)
    throw new CallerError("conflict", `Wire ${wireId} is frozen: its sender is sanctioned`);
  const at = new Date(context.clock.now());
  await changeWire(tx, id, { state: "returning", reason: `returned by ${actor}`, at });
  await insertPayout(tx, {
    ...{ id: newId("pay", context.random), purpose: "wire_return", of: { wireId: id } },
    ...{ rail: "wire", asset: usd, amount: cents, sendOn: null, sendAt: at, at },
  });
}

/** Says from which account a wire came when the bank did not, so that it can be sent back there. */
export async function nameSender(
  tx: Transaction,
  context: Pick<RampContext, "sealer">,
  wireId: string,
  sender: WireParty,
): Promise<void> {
  const wire = await lockWire(tx, wireId);
  if (!wire) throw new CallerError("not_found", `Wire ${wireId} was not found`);
  const { bankReference, cents } = wire;
  const known = await findWireSender(tx, context, bankReference);
  if (!known || partyFault(known) === undefined)
    throw new CallerError("conflict", `Wire ${wireId} can be sent back to where it came from`);
  await changeWireSender(tx, context, { bankReference, sender, cents });
}

/** Orders that a deposit that lies in suspense goes to the customer's registered wallet, less the network's fee. */
export async function returnDeposit(
  tx: Transaction,
  context: Pick<RampContext, "clock" | "random">,
  depositId: string,
  actor: Actor,
): Promise<void> {
  const deposit = await lockDeposit(tx, depositId);
  if (!deposit) throw new CallerError("not_found", `Deposit ${depositId} was not found`);
  if (deposit.use !== "suspense" || deposit.state !== "final")
    throw new CallerError("conflict", `Deposit ${depositId} does not lie in suspense`);
  if (deposit.reason === freeze.reason)
    throw new CallerError("conflict", `Deposit ${depositId} is frozen: its sender is sanctioned`);
  const amount = returnableUnits(deposit);
  if (amount <= 0n)
    throw new CallerError("conflict", `Deposit ${depositId} does not cover the network's fee`);
  const at = new Date(context.clock.now());
  const { id, currency: symbol, blockchain } = deposit;
  const reason = `returned by ${actor}`;
  await changeDeposit(tx, id, { use: "returning", reason, dueAt: null, at });
  const token = findToken(symbol, blockchain);
  assert(token, `${symbol} on ${blockchain} is a token that we know`);
  await insertPayout(tx, {
    ...{ id: newId("pay", context.random), purpose: "deposit_return", of: { depositId: id } },
    ...{ rail: "chain", asset: assetOf(token), amount, sendOn: null, sendAt: at, at },
  });
}

/** What of a deposit can go back: the network's fee is kept. */
export function returnableUnits({ currency, blockchain, units }: Deposit): bigint {
  return units - (findToken(currency, blockchain)?.refundGasUnits ?? 0n);
}

async function lockSuspended(tx: Transaction, wireId: string): Promise<IncomingWire> {
  const wire = await lockWire(tx, wireId);
  if (!wire) throw new CallerError("not_found", `Wire ${wireId} was not found`);
  if (wire.state !== "suspense")
    throw new CallerError("conflict", `Wire ${wireId} does not lie in suspense`);
  return wire;
}
