import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { asCents, asUnits } from "../../src/lib/money.ts";
import { ledgerAccounts } from "../../src/ramp/ledger/accounts.ts";
import { centsNeeded, grossCents } from "../../src/ramp/pricing.ts";
import type { OffRamp, OnRamp, PayoutId, Ramp } from "../../src/ramp/transaction.ts";
import type { BankPayment } from "./bank.ts";
import { findChainPayments, findLostUnits } from "./chain-truth.ts";
import { bankAccountIds } from "./scene.ts";
import type { World } from "./world.ts";

type Row = {
  id: PayoutId;
  rail: string;
  purpose: string;
  owner: string;
  amount: bigint;
  bankReference: string | null;
};

/** A payout that the outside knows, and what has truly become of it. */
type Paid = Row & { state: BankPayment["state"] };

/** What the world knows and our books do not: everything in it that must not be, once everything has been told. */
export async function findUntruths(
  db: Database,
  world: World,
  ramps: readonly Ramp[],
): Promise<string[]> {
  const rows = (
    await db.query<Row & { amount: string }>(sql`
    select payouts.id, rail, purpose, amount, bank_reference as "bankReference",
      coalesce(payouts.transaction_id, wire_id, deposit_id) as owner
    from payouts left join incoming_wires on incoming_wires.id = wire_id order by payouts.id`)
  ).map((row) => ({ ...row, amount: BigInt(row.amount) }));
  const { payments } = world.bank;
  const atBank = rows.flatMap((row): Paid[] => {
    const payment = payments.get(row.id);
    return payment ? [{ ...row, state: payment.state }] : [];
  });
  const onChain = await findChainPayments(db, world.chain);
  const paid = [
    ...atBank,
    ...rows.flatMap((row): Paid[] => {
      const state = onChain.get(row.id);
      return state ? [{ ...row, state }] : [];
    }),
  ];
  const unknown = [...payments.keys()].filter((id) => !rows.some((row) => row.id === id));
  return [
    ...unknown.map((id) => `${id} was paid and is in no book`),
    ...atBank.flatMap((one) => wrongAtBank(world, one)),
    ...doubles(paid),
    ...ramps.flatMap((ramp) =>
      unfair(
        ramp,
        paid.filter(({ owner }) => owner === ramp.id),
      ),
    ),
    ...(await findLostUnits(db, world.chain, ramps)),
    ...(await findLostCents(db, world)),
  ];
}

const isKept = ({ state }: Paid) => state === "settled";

/** Money goes to the customer's own account, or back to where it came from, as much as was booked, and is there. */
function wrongAtBank({ bank }: World, { id, purpose, amount, bankReference }: Paid): string[] {
  const payment = bank.payments.get(id);
  if (!payment) return [];
  const { memo, to, cents, isAffordable } = payment;
  const [, returned] = /^RETURN OF (.*)$/.exec(memo) ?? [];
  const isRight =
    purpose === "payout"
      ? bankAccountIds.some((account) => to.accountNumber.endsWith(account.slice(4)))
      : isDeepStrictEqual(bank.senders.get(returned ?? ""), to) &&
        (purpose === "refund" || returned === bankReference);
  return [
    ...(isRight ? [] : [`${id} went to somebody else`]),
    ...(cents === amount ? [] : [`${id} is of ${cents} cents at the bank, and ${amount} here`]),
    ...(purpose === "payout" && !isAffordable
      ? [`${id} was ordered without the money for it`]
      : []),
  ];
}

/** The bank has what our books say. */
async function findLostCents(db: Database, { bank }: World): Promise<string[]> {
  const [row] = await db.query<{ cents: string }>(sql`
    select -balance as cents from ledger_accounts where name = ${ledgerAccounts.bank()}`);
  const difference = bank.account.balance() - BigInt(row?.cents ?? 0);
  return difference === 0n ? [] : [`the bank has ${difference} cents more than our books say`];
}

/** What came back or did not go through may be sent again; what arrived may not. */
function doubles(paid: readonly Paid[]): string[] {
  const owners = paid.filter(isKept).map(({ owner }) => owner);
  return owners
    .filter((owner, index) => owners.indexOf(owner) !== index)
    .map((owner) => `${owner} was paid twice`);
}

/** What a customer has in the end is what was paid for, and what the transaction says. */
function unfair(ramp: Ramp, paid: readonly Paid[]): string[] {
  const sum = (purpose: string) =>
    paid
      .filter((one) => one.purpose === purpose && isKept(one))
      .reduce((total, { amount }) => total + amount, 0n);
  const [out, back] = [sum("payout"), sum("refund")];
  const isBackLost = paid.some(
    ({ purpose, state }) => purpose === "refund" && state === "returned",
  );
  const wrong =
    ramp.type === "ON_RAMP" ? unfairPurchase(ramp, out, back) : unfairSale(ramp, out, back);
  const hasRefund = back > 0n || isBackLost || ramp.reason === "dust";
  if (ramp.state === "COMPLETED" && out === 0n) wrong.push("is completed and was not paid out");
  if (ramp.state === "REFUNDED" && !hasRefund) wrong.push("is refunded and nothing went back");
  if (ramp.state !== "COMPLETED" && out > 0n) wrong.push(`is ${ramp.state} and was paid out`);
  if (ramp.state !== "REFUNDED" && back > 0n)
    wrong.push(`is ${ramp.state} and something went back`);
  return wrong.map((what) => `${ramp.id} ${what}`);
}

function unfairPurchase(ramp: OnRamp, units: bigint, cents: bigint): string[] {
  const came = ramp.wireId ? (ramp.cents ?? 0n) : 0n;
  const cost = ramp.priceE18 ? centsNeeded(asUnits(units), ramp.priceE18, ramp.token.decimals) : 0n;
  const fee = units > 0n ? ramp.feeCents : 0n;
  const wrong: string[] = [];
  if (cost + fee + cents > came) wrong.push(`got ${units} and ${cents} cents for ${came} cents`);
  if (cents > 0n && cents !== came) wrong.push(`got ${cents} of ${came} cents back`);
  if (ramp.state === "COMPLETED" && units !== ramp.units)
    wrong.push("got other units than it says");
  return wrong;
}

function unfairSale(ramp: OffRamp, cents: bigint, units: bigint): string[] {
  const came = Object.values(ramp.deposits).reduce((sum, { units: each }) => sum + each, 0n);
  const worth = ramp.priceE18 ? grossCents(asUnits(came), ramp.priceE18, ramp.token.decimals) : 0n;
  const wrong: string[] = [];
  if (cents > 0n && asCents(cents + ramp.feeCents) > worth)
    wrong.push(`got ${cents} cents for what was worth ${worth}`);
  // Once sold it is bought back at the price of the day, so the quantity says nothing then.
  if (ramp.grossCents === null && units > came) wrong.push(`got ${units} of ${came} back`);
  if (ramp.state === "COMPLETED" && cents !== ramp.cents)
    wrong.push("got other cents than it says");
  return wrong;
}
