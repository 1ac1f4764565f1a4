import { beforeAll, expect } from "vitest";
import { insertUser } from "../src/accounts/store/users.ts";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { assert } from "../src/lib/errors.ts";
import { newId } from "../src/lib/ids.ts";
import { asCents, asPriceE18, asUnits } from "../src/lib/money.ts";
import { systemRandom } from "../src/lib/random.ts";
import { openSealer } from "../src/lib/seal.ts";
import { applyStep, createRamp, type RampContext } from "../src/ramp/engine.ts";
import { checkInvariants } from "../src/ramp/invariants.ts";
import { ledgerAccounts } from "../src/ramp/ledger/accounts.ts";
import { bookOpening } from "../src/ramp/ledger/book.ts";
import type { Notice } from "../src/ramp/ports.ts";
import { newReference } from "../src/ramp/references.ts";
import { rampRunners } from "../src/ramp/run-ramp.ts";
import type { Step } from "../src/ramp/step.ts";
import { insertBankAccount } from "../src/ramp/store/bank-accounts.ts";
import { findAnyRamp } from "../src/ramp/store/transactions.ts";
import { insertWallet } from "../src/ramp/store/wallets.ts";
import type { OffRamp, OnRamp, Ramp } from "../src/ramp/transaction.ts";
import { manualClock } from "./manual-clock.ts";
import { recordingLog } from "./silent-log.ts";
import { useDatabase } from "./test-database.ts";
import { type TestPorts, testPorts } from "./test-ports.ts";

const userId = "usr-77";
const walletId = "wal-77";
const bankAccountId = "bac-77";
const holderName = "Ada King Lovelace";
const walletAddress = "0x00000000000000000000000000000000000ADA77";
const usdc = { symbol: "USDC", blockchain: "base", decimals: 6 };
const eth = { symbol: "ETH", blockchain: "base", decimals: 18 };
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A Wednesday noon in New York, with no holiday near. */
const start = Date.UTC(2026, 3, 15, 16);

export type World = {
  db: Database;
  clock: ReturnType<typeof manualClock>;
  ports: TestPorts;
  context: RampContext;
  /** What was logged. */
  lines: string[];
};

/** A ramp with one customer, money in the bank and tokens on a chain, and an outside that does what a test says. */
export function useWorld(poolSize = 8): World {
  const held = useDatabase(poolSize);
  const { lines, log } = recordingLog();
  const world = { clock: manualClock(start), ports: testPorts(), lines } as World;
  const sealer = openSealer({
    keys: [Buffer.alloc(32, 1)],
    digestKey: Buffer.alloc(32, 2),
    random: systemRandom,
  });
  beforeAll(async () => {
    world.db = held.db;
    const { clock, ports } = world;
    world.context = { db: held.db, clock, random: systemRandom, sealer, ports, log };
    await populate(world);
  });
  return world;
}

async function populate({ db, clock, ports, context }: World): Promise<void> {
  const now = new Date(clock.now());
  const email = "ada@example.org";
  const owner = { masterId: null, name: "Ada Lovelace", email, verification: "approved" } as const;
  const place = { line1: "1 Main St", line2: null, city: "Austin", province: "TX" };
  const address = { ...place, country: "UNITED_STATES" };
  await db.transact(async (tx) => {
    await insertUser(tx, { id: userId, ...owner, now });
    const wallet = { id: walletId, userId, blockchain: "base", address: walletAddress } as const;
    await insertWallet(tx, { ...wallet, now });
    await insertBankAccount(tx, context, {
      ...{ id: bankAccountId, userId, routingNumber: "021000021", accountNumber: "123456789" },
      ...{ accountType: "checking", bankName: "A Bank", bankAddress: address, now },
      holder: { ...address, fullName: holderName, phone: "+15125550100", postalCode: "78701" },
    });
    const funds: [account: string, amount: bigint][] = [
      [ledgerAccounts.bank(), 1_000_000_00n],
      [ledgerAccounts.hot(usdc), 1_000_000n * 10n ** 6n],
      [ledgerAccounts.hot(eth), 100n * 10n ** 18n],
    ];
    for (const [account, amount] of funds) {
      await bookOpening(tx, account, amount, `opening of ${account}`, now);
      ports.balances.set(account, amount);
    }
  });
}

/** What every new transaction of this world has. */
function common({ clock }: World) {
  const createdAt = clock.now();
  return {
    id: newId("txn", systemRandom),
    userId,
    sourceOrderId: newId("ord", systemRandom),
    destinationOrderId: newId("ord", systemRandom),
    walletId,
    walletAddress,
    bankAccountId,
    token: usdc,
    isStablecoin: true,
    askedUnits: null,
    askedCents: null,
    units: null,
    cents: null,
    priceE18: asPriceE18(10n ** 18n),
    feeCents: asCents(0n),
    heldUnits: asUnits(0n),
    heldCents: asCents(0n),
    leastUnits: asUnits(10n * 10n ** 6n),
    mostUnits: asUnits(500_000n * 10n ** 6n),
    mostCents: null,
    reason: null,
    cleared: [],
    deadlineAt: null,
    payoutId: null,
    payoutCount: 0,
    payoutAmount: null,
    trace: null,
    settlement: null,
    isSettled: false,
    createdAt,
    updatedAt: createdAt,
    flaggedAt: null,
    completedAt: null,
    version: 0,
  } as const;
}

/** Creates a purchase: 100 USDC for 100 dollars, unless told otherwise. */
export async function createPurchase(world: World, changes: Partial<OnRamp> = {}): Promise<OnRamp> {
  const base = common(world);
  const ramp: OnRamp = {
    ...{ ...base, type: "ON_RAMP", settlementMethod: "WIRE", state: "AWAITING_FUNDS" },
    ...{ askedCents: asCents(100_00n), cents: asCents(100_00n), units: asUnits(100_000_000n) },
    ...{ reference: newReference(systemRandom), wireId: null, isLate: false },
    ...{ expiresAt: base.createdAt + 7 * day, ...changes },
  };
  await world.db.transact((tx) => createRamp(tx, world.context, ramp));
  return ramp;
}

/** Creates a sale: 100 USDC for 100 dollars by ACH, unless told otherwise. */
export async function createSale(world: World, changes: Partial<OffRamp> = {}): Promise<OffRamp> {
  const base = common(world);
  const ramp: OffRamp = {
    ...{ ...base, type: "OFF_RAMP", settlementMethod: "ACH", state: "AWAITING_DEPOSIT" },
    ...{ askedUnits: asUnits(100_000_000n), units: asUnits(100_000_000n), cents: asCents(100_00n) },
    ...{ depositAddress: `0xDeposit${base.id}`, lockedUntil: base.createdAt + 15 * minute },
    ...{ expiresAt: base.createdAt + day, deposits: {}, depositedAt: null, grossCents: null },
    ...{ isFeeEarned: false, isLate: false, ...changes },
  };
  await world.db.transact((tx) => createRamp(tx, world.context, ramp));
  return ramp;
}

/** Does everything that is due, until nothing is. */
export async function run(world: World): Promise<void> {
  const runners = rampRunners(world.context);
  for (let rounds = 0, handled = 1; handled > 0; rounds++) {
    assert(rounds < 100, "the work comes to an end");
    handled = 0;
    for (const runner of runners) handled += await runner.run();
  }
}

/** Lets time pass, and does what fell due in it. */
export async function pass(world: World, ms: number): Promise<void> {
  world.clock.advance(ms);
  await run(world);
}

export function step(world: World, id: string, what: Step): Promise<Ramp> {
  return world.db.transact((tx) => applyStep(tx, world.context, id, what));
}

export async function find(world: World, id: string): Promise<Ramp> {
  const ramp = await findAnyRamp(world.db, id);
  assert(ramp, `there is a transaction ${id}`);
  return ramp;
}

/** All rules of the books hold. */
export async function expectSound(world: World): Promise<void> {
  const { checks } = await checkInvariants(world.context, 10_000);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(checks).toHaveLength(12);
}

type Wire = Extract<Notice, { kind: "wire_received" }>;
type Transfer = Extract<Notice, { logIndex: number }>;

let lastNumber = 0;

/** A wire from the account's holder. */
export function wireOf({ clock }: World, texts: string[], changes: Partial<Wire> = {}): Wire {
  return {
    kind: "wire_received",
    bankReference: `IMAD${++lastNumber}`,
    cents: asCents(100_00n),
    senderName: "ADA LOVELACE",
    senderAccount: "5550001",
    texts,
    at: clock.now(),
    ...changes,
  };
}

/** A transfer of 100 USDC from the customer's wallet. */
export function transferTo(
  { clock }: World,
  { depositAddress }: OffRamp,
  changes: Partial<Transfer> = {},
): Transfer {
  return {
    kind: "deposit_seen",
    blockchain: "base",
    transactionHash: `0x${++lastNumber}`,
    logIndex: 0,
    address: depositAddress,
    fromAddress: walletAddress,
    currency: "USDC",
    units: asUnits(100_000_000n),
    blockTime: clock.now(),
    at: clock.now(),
    ...changes,
  };
}

/** The payouts of a transaction, oldest first. */
export function payoutsOf({ db }: World, id: string) {
  return db.query<{ id: `pay-${string}`; purpose: string; state: string; attempts: number }>(sql`
    select id, purpose, state, attempts from payouts where transaction_id = ${id}
    order by created_at, id`);
}

/** Tells that the newest payout of a transaction is confirmed, and does what follows. */
export async function settleNewest(world: World, id: string): Promise<void> {
  const payout = (await payoutsOf(world, id)).at(-1);
  assert(payout, `${id} has a payout`);
  const at = world.clock.now();
  world.ports.tell({ kind: "payout_settled", reference: payout.id, trace: "final", at });
  await run(world);
}

/** Balances of the books by account, those of zero left out. */
export async function balancesOf({ db }: World): Promise<Record<string, bigint>> {
  const rows = await db.query<{ name: string; balance: string }>(sql`
    select name, balance from ledger_accounts where balance <> 0 order by name`);
  return Object.fromEntries(rows.map(({ name, balance }) => [name, BigInt(balance)]));
}
