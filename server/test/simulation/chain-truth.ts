import type { Hex } from "../../src/chains/hex.ts";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import type { PayoutId, Ramp } from "../../src/ramp/transaction.ts";
import { type Chain, rampChain, walletAddress } from "./chain.ts";

const { blockchain, tokens } = rampChain;
const hotWallet = rampChain.hotWallet;
const customer = walletAddress.toLowerCase();

/** Payments of the hot wallet for which there is no payout, or one more than there are payouts, or to a stranger. */
export function findStrangePayments(
  { evm }: Chain,
  ramps: readonly Ramp[],
  payouts: readonly { name: string; value: string }[],
): string[] {
  const owed = payouts.map(({ name, value }) => `${value} ${name}`);
  const ours = depositAddresses(ramps);
  return evm.transfers().flatMap(({ transfer: { from, to, units, token } }) => {
    if (from !== hotWallet || ours.has(to)) return [];
    if (to !== customer) return [`the hot wallet has paid ${to}`];
    const place = owed.indexOf(`${units} ${token.symbol}.${blockchain}`);
    if (place < 0) return [`the chain has a payment of ${units} ${token.symbol} without a payout`];
    owed.splice(place, 1);
    return [];
  });
}

/** What the chain has made of our payouts, whatever we believe. */
export async function findChainPayments(
  db: Database,
  { evm }: Chain,
): Promise<Map<PayoutId, "settled" | "failed">> {
  const rows = await db.query<{ id: PayoutId; hash: Hex }>(sql`
    select payout_id as id, a.hash from chain_transactions t
    join chain_attempts a on a.transaction_id = t.id where payout_id is not null order by a.hash`);
  const payments = new Map<PayoutId, "settled" | "failed">();
  for (const { id, hash } of rows) {
    const receipt = await evm.nodes.receipt(hash);
    if (receipt) payments.set(id, receipt.succeeded ? "settled" : "failed");
  }
  return payments;
}

/** The hot wallet and the deposit addresses have together what our books say, to the unit. */
export async function findLostUnits(
  db: Database,
  { evm }: Chain,
  ramps: readonly Ramp[],
): Promise<string[]> {
  const rows = await db.query<{ asset: string; units: string }>(sql`
    select asset, -sum(balance) as units from ledger_accounts
    where name ~ '^(hot|unswept):' group by asset`);
  const ours = [hotWallet, ...depositAddresses(ramps)];
  return tokens.flatMap(({ symbol }) => {
    const booked = rows.find(({ asset }) => asset === `${symbol}.${blockchain}`)?.units ?? "0";
    const held = ours.reduce((sum, address) => sum + evm.balance(address, symbol), 0n);
    const difference = held - BigInt(booked);
    return difference === 0n
      ? []
      : [`the chain has ${difference} ${symbol} more than our books say`];
  });
}

function depositAddresses(ramps: readonly Ramp[]): Set<Hex> {
  return new Set(
    ramps.flatMap((ramp) =>
      ramp.type === "OFF_RAMP" ? [ramp.depositAddress.toLowerCase() as Hex] : [],
    ),
  );
}
