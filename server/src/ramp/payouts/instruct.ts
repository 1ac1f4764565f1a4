import type { Transaction } from "../../database/database.ts";
import { assert } from "../../lib/errors.ts";
import { asCents, asUnits } from "../../lib/money.ts";
import { findToken } from "../assets.ts";
import type { RampContext } from "../engine.ts";
import type { PayoutInstruction } from "../ports.ts";
import { openDestination } from "../store/bank-accounts.ts";
import { findDeposit } from "../store/deposits.ts";
import { findWire } from "../store/incoming-wires.ts";
import type { Payout } from "../store/payouts.ts";
import { findAnyRamp } from "../store/transactions.ts";
import type { Ramp } from "../transaction.ts";

/** What the receiver of a sale's proceeds reads. */
const memo = "CRYPTOSELL";

/** What the rail is told. `ramp` is the transaction that the payout belongs to, if it does. */
export async function instructionFor(
  tx: Transaction,
  context: Pick<RampContext, "sealer">,
  payout: Payout,
  ramp: Ramp | undefined,
): Promise<PayoutInstruction> {
  const { id: reference, rail, amount, purpose } = payout;
  if (rail === "chain") {
    const { symbol, blockchain } = tokenOfAsset(payout.asset);
    const token = findToken(symbol, blockchain);
    assert(token, `${payout.asset} is a token that we know`);
    const to = await walletFor(tx, payout, ramp);
    const { decimals } = token;
    return { reference, rail, token: { symbol, blockchain, decimals }, units: asUnits(amount), to };
  }
  const cents = asCents(amount);
  if (purpose !== "payout") {
    const wireId = payout.wireId ?? (ramp?.type === "ON_RAMP" ? ramp.wireId : null);
    const wire = wireId ? await findWire(tx, wireId) : undefined;
    assert(wire, `payout ${reference} sends a wire back`);
    return { reference, rail: "wire", cents, returns: { bankReference: wire.bankReference } };
  }
  assert(ramp, `payout ${reference} belongs to a transaction`);
  const to = await openDestination(tx, context, ramp.bankAccountId, rail);
  return { reference, rail, cents, to, memo };
}

/** Crypto goes to the wallet that the customer registered, never to whoever sent it. */
async function walletFor(tx: Transaction, payout: Payout, ramp: Ramp | undefined): Promise<string> {
  if (ramp) return ramp.walletAddress;
  const deposit = payout.depositId ? await findDeposit(tx, payout.depositId) : undefined;
  const owner = deposit && (await findAnyRamp(tx, deposit.transactionId));
  assert(owner, `payout ${payout.id} sends a deposit back`);
  return owner.walletAddress;
}

function tokenOfAsset(asset: string): { symbol: string; blockchain: string } {
  const dot = asset.indexOf(".");
  return { symbol: asset.slice(0, dot), blockchain: asset.slice(dot + 1) };
}
