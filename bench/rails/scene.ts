import type { Address } from "../../server/src/database/address.ts";
import type { Database } from "../../server/src/database/database.ts";
import { sql } from "../../server/src/database/sql.ts";
import type { PayoutInstruction } from "../../server/src/ramp/ports.ts";
import type { BankProfile } from "../../server/src/ramp/rails/bank/bank-profile.ts";
import type { ChainToken, RampChain } from "../../server/src/ramp/rails/evm/ramp-chain.ts";
import type { RailContext } from "../../server/src/ramp/rails/rail-context.ts";
import type { PayoutId } from "../../server/src/ramp/transaction.ts";
import { manualClock } from "../../server/test/manual-clock.ts";
import { sealing } from "../api.ts";
import { built, context, openBenchDatabase } from "../built.ts";

const { openSealer } = await built<typeof import("../../server/src/lib/seal.ts")>("lib/seal");
const { asCents, asUnits } =
  await built<typeof import("../../server/src/lib/money.ts")>("lib/money");
const { tokens, traders } =
  await built<typeof import("../../server/src/sandbox/chain/layout.ts")>("sandbox/chain/layout");

/** What rails work with, on a database of the benchmark's, with a clock that is moved by hand. */
export type Rails = Omit<RailContext, "clock"> & { clock: ReturnType<typeof manualClock> };

/** The instruction to pay on a chain. */
export type ChainPayout = Extract<PayoutInstruction, { rail: "chain" }>;

/** Noon in New York on a Monday. */
export const monday = Date.UTC(2026, 2, 2, 17);

const ether: ChainToken = { symbol: "ETH", decimals: 18, contract: undefined };
export const dollar: ChainToken = {
  symbol: "USDC",
  decimals: 6,
  contract: tokens.find(({ symbol }) => symbol === "USDC")?.address,
};

const [ada] = traders;
if (!ada) throw new Error("There are no traders.");

/** Somebody on the sandbox's chain who has dollars and ether. */
export const hot = ada;

export const bank: BankProfile = {
  routingNumber: "021000089",
  bankName: "Bank of the Bench",
  accountNumber: "00123456789",
  companyName: "Slipway Bench",
  companyId: "1234567890",
  cutOffs: ["17:00"],
  approvals: 0,
  approvalsAboveCents: asCents(0n),
};

export function railsOn(db: Database): Rails {
  const { random, log } = context;
  return {
    db,
    clock: manualClock(monday),
    random,
    sealer: openSealer({ ...sealing, random }),
    log,
  };
}

/** A chain on which a block is for good when so many others stand on it. */
export function rampChain(rpcUrls: string[], blocks: number): RampChain {
  return {
    ...{ blockchain: "ethereum", chainId: 1, rpcUrls, agreeing: 1 },
    ...{ finality: { rule: "depth", blocks }, smallDeposits: undefined },
    // Nobody is given an address here.
    ...{ tokens: [ether, dollar], hotWallet: hot.address, depositKey: "" },
    ...{ limits: {}, bumpAfterBlocks: 1_000, pollMs: 1_000 },
  };
}

/** Writes rows as they are, whatever they refer to. */
export async function fill(
  address: Address,
  write: (db: Database) => Promise<unknown>,
): Promise<void> {
  const db = openBenchDatabase(address, 1);
  await db.query(sql`set session_replication_role = replica`);
  await db.query(sql`set statement_timeout = 0`);
  await write(db);
  await db.query(sql`vacuum analyze`);
  await db.close();
}

/** Ids of payouts, from a number on. */
export function payoutIds(first: number, count: number): PayoutId[] {
  return Array.from({ length: count }, (_, n): PayoutId => `pay-${first + n}`);
}

/** Payouts that are handed to their rail. To be called while a database is filled. */
export async function addPayouts(
  db: Database,
  rail: "ach" | "chain",
  ids: readonly string[],
  amount: bigint,
): Promise<void> {
  const asset = rail === "ach" ? "USD" : `${dollar.symbol}.ethereum`;
  await db.query(sql`
    insert into payouts (id, purpose, wire_id, rail, asset, amount, state, created_at, updated_at)
    select id, 'wire_return', 'wir-' || substr(id, 5), ${rail}, ${asset}, ${amount}, 'submitted',
      ${new Date(monday)}, ${new Date(monday)}
    from unnest(${ids}::text[]) as id`);
}

/** What a chain is told: each payout goes to somebody new. */
export function chainPayout(reference: PayoutId, units: bigint): ChainPayout {
  const { symbol, decimals } = dollar;
  const to = `0xbe${reference.slice("pay-".length).padStart(38, "0")}`;
  const token = { symbol, decimals, blockchain: "ethereum" };
  return { reference, rail: "chain", token, units: asUnits(units), to };
}
