import { beforeAll } from "vitest";
import { sql } from "../src/database/sql.ts";
import { assert } from "../src/lib/errors.ts";
import { asCents } from "../src/lib/money.ts";
import { ledgerAccounts } from "../src/ramp/ledger/accounts.ts";
import type { Notice } from "../src/ramp/ports.ts";
import { achRail } from "../src/ramp/rails/bank/ach-rail.ts";
import type { BankContext } from "../src/ramp/rails/bank/bank-profile.ts";
import { bankRunners } from "../src/ramp/rails/bank/bank-runners.ts";
import { wireRail } from "../src/ramp/rails/bank/wire-rail.ts";
import { writeCamt054 } from "../src/ramp/rails/iso20022/camt054.ts";
import type { BankLine } from "../src/ramp/rails/iso20022/wire-file.ts";
import type { AchCorrection, AchReturn } from "../src/ramp/rails/nacha/ach-file.ts";
import { writeAchReturns } from "../src/ramp/rails/nacha/write-returns.ts";
import type { BankEntry } from "../src/ramp/rails/store/bank-entries.ts";
import { railNews } from "../src/ramp/rails/store/notices.ts";
import type { OffRamp } from "../src/ramp/transaction.ts";
import { type MemoryExchange, memoryExchange } from "./memory-exchange.ts";
import { createSale, day, run, transferTo, useWorld, type World } from "./ramp-world.ts";

export type BankWorld = World & { exchange: MemoryExchange; bank: BankContext };

const profile = {
  ...{ routingNumber: "091000019", bankName: "OUR BANK", accountNumber: "4400112233" },
  ...{ companyName: "SLIPWAY", companyId: "1234567890", cutOffs: ["17:00"] },
  ...{ approvals: 0, approvalsAboveCents: asCents(0n) },
};

/** A ramp whose dollars go through files of a bank, which lie in memory. */
export function useBankWorld(): BankWorld {
  const world = useWorld() as BankWorld;
  world.exchange = memoryExchange();
  beforeAll(() => {
    const { db, clock, random, sealer, log } = world.context;
    world.bank = { db, clock, random, sealer, log, bank: profile };
    const { ports } = world;
    const rails = { ...ports.rails, ach: achRail(world.bank), wire: wireRail(world.bank) };
    const news = railNews(world.bank, "bank");
    const books = { balances: () => balancesOutside(world) };
    const served = { ...ports, rails, news: [...ports.news, news], books };
    world.context = { ...world.context, ports: served };
  });
  return world;
}

/** Does what is due at the bank and in the ramp, until nothing is. */
export async function work(world: BankWorld): Promise<void> {
  const { bank, exchange } = world;
  // What the bank leaves is looked for at once.
  const context = { ...bank, exchange, everyMs: 0 };
  const runners = bankRunners(context);
  for (let rounds = 0, handled = 1; handled > 0; rounds++) {
    assert(rounds < 100, "the work comes to an end");
    await run(world);
    handled = 0;
    for (const runner of runners) handled += await runner.run();
  }
}

/** Lets time pass, and does what fell due in it. */
async function letPass(world: BankWorld, ms: number): Promise<void> {
  world.clock.advance(ms);
  await work(world);
}

export type Sold = { id: OffRamp["id"]; entry: BankEntry };

/** Sales of which the bank has the payments. */
export async function sellMany(
  world: BankWorld,
  count: number,
  settlementMethod: OffRamp["settlementMethod"] = "ACH",
): Promise<Sold[]> {
  const sales: OffRamp[] = [];
  for (let number = 0; number < count; number++) {
    const sale = await createSale(world, { settlementMethod });
    world.ports.tell({ ...transferTo(world, sale), kind: "deposit_final" });
    sales.push(sale);
  }
  await work(world);
  const ids = sales.map(({ id }) => id);
  for (let wait = await untilFiled(world, ids); wait; wait = await untilFiled(world, ids))
    await letPass(world, wait);
  const sold: Sold[] = [];
  for (const { id } of sales) {
    const entry = await entryOf(world, id);
    assert(entry?.state === "filed", `the bank has the payment of ${id}`);
    sold.push({ id, entry });
  }
  return sold;
}

/** How long it takes until the next payout is handed over or the next file is made; nothing when none waits. */
async function untilFiled({ db, clock }: BankWorld, ids: string[]): Promise<number | undefined> {
  const [row] = await db.query<{ at: Date | null }>(sql`
    select min(coalesce(bank_entries.due_at, payouts.due_at)) as at
    from payouts left join bank_entries on payout_id = id
    where transaction_id = any(${ids})
      and (payouts.state = 'queued' or bank_entries.state = 'waiting')`);
  return row?.at ? Math.max(1_000, row.at.getTime() - clock.now()) : undefined;
}

/** A sale of which the bank has the payment. */
export async function sellOne(
  world: BankWorld,
  settlementMethod: OffRamp["settlementMethod"] = "ACH",
): Promise<Sold> {
  const [sold] = await sellMany(world, 1, settlementMethod);
  assert(sold, "one was sold");
  return sold;
}

/** What the bank knows of the newest payout of a transaction. */
export async function entryOf(
  { db }: BankWorld,
  transactionId: string,
): Promise<BankEntry | undefined> {
  const [row] = await db.query<Omit<BankEntry, "cents"> & { cents: string }>(sql`
    select payout_id as "payoutId", bank_entries.rail, bank_entries.trace, cents,
      bank_entries.state, file_id as "fileId"
    from bank_entries join payouts on payouts.id = payout_id
    where transaction_id = ${transactionId} order by payouts.created_at desc limit 1`);
  return row && { ...row, cents: asCents(BigInt(row.cents)) };
}

/** Lets ACH entries settle, which nobody tells. */
export const settleAch = (world: BankWorld) => letPass(world, 2 * day);

let lastTrace = 0;
const nextTrace = () => `02100002${String(++lastTrace).padStart(7, "0")}`;

/** A file in which payments come back, or are corrected. */
export function returnFile(
  { clock }: BankWorld,
  returns: (Pick<AchReturn, "code" | "originalTrace" | "cents"> & { trace?: string })[],
  corrections: Pick<AchCorrection, "code" | "originalTrace" | "correctedData">[] = [],
): Buffer {
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  return writeAchReturns({
    origin: { routingNumber: profile.routingNumber, name: profile.bankName },
    destination: { id: profile.companyId, name: profile.companyName },
    ...{ createdOn: today, createdAt: "08:30", modifier: "A", settledOn: today },
    returns: returns.map((each) => ({ trace: nextTrace(), information: "", ...each })),
    corrections: corrections.map((each) => ({ trace: nextTrace(), ...each })),
  });
}

/** A return of a whole entry. */
export const returnOf = ({ trace, cents }: BankEntry, code: string) => ({
  ...{ code, originalTrace: trace, cents },
});

let lastLine = 0;

/** A line of 100 dollars that came in from the customer. */
export function lineOf({ clock }: BankWorld, changes: Partial<BankLine> = {}): BankLine {
  return {
    reference: `BANKREF${++lastLine}`,
    direction: "credit",
    cents: asCents(100_00n),
    isReversal: false,
    bookedAt: clock.now(),
    endToEndId: null,
    counterparty: {
      ...{ name: "ADA LOVELACE", routingNumber: "021000021", accountNumber: "5550001" },
    },
    returnReason: null,
    texts: [],
    ...changes,
  };
}

let lastMessage = 0;
export const nextMessageId = () => `MSG${++lastMessage}`;

/** A notification with these lines. */
export function notification({ clock }: BankWorld, ...lines: BankLine[]): Buffer {
  const createdAt = new Date(clock.now()).toISOString();
  return writeCamt054({ messageId: nextMessageId(), createdAt, lines });
}

let lastFile = 0;

/** Lets the bank leave a file, and does everything that follows. Answers its name. */
export async function leave(
  world: BankWorld,
  bytes: Buffer,
  name = `from-bank-${++lastFile}`,
): Promise<string> {
  world.exchange.waiting.set(name, bytes);
  await work(world);
  return name;
}

/** What we keep of a file of the bank's. */
export async function fileRow({ db }: BankWorld, name: string) {
  const rows = await db.query<{ format: string; state: string; problem: string | null }>(sql`
    select format, state, problem from bank_files where direction = 'in' and name = ${name}`);
  assert(rows.length <= 1, `${name} is kept once`);
  return rows[0];
}

/** Everything the bank has told. */
export async function noticesOf({ bank }: BankWorld): Promise<Notice[]> {
  const notices: Notice[] = [];
  const source = railNews(bank, "bank");
  for (let cursor: string | null = null; ; ) {
    const page = await source.read(cursor);
    if (page.notices.length === 0) return notices;
    notices.push(...page.notices);
    cursor = page.cursor;
  }
}

/** What the outside holds for us: what the bank told adds up to what it has, each thing once. */
async function balancesOutside(world: BankWorld) {
  const before = [...world.ports.balances].map(([account, balance]) => ({ account, balance }));
  const wires = new Map<string, bigint>();
  const out = new Map<string, bigint>();
  for (const notice of await noticesOf(world)) {
    if (notice.kind === "wire_received") wires.set(notice.bankReference, notice.cents);
    if (notice.kind === "payout_settled") out.set(notice.reference, await centsOf(world, notice));
    if (notice.kind === "payout_returned") out.delete(notice.reference);
  }
  const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((all, each) => all + each, 0n);
  const balance = sum(wires.values()) - sum(out.values());
  return [...before, { account: ledgerAccounts.bank(), balance }];
}

async function centsOf({ db }: BankWorld, { reference }: { reference: string }): Promise<bigint> {
  const [row] = await db.query<{ cents: string }>(sql`
    select cents from bank_entries where payout_id = ${reference}`);
  return BigInt(row?.cents ?? 0);
}
