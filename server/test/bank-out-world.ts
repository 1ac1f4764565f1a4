import { beforeAll, beforeEach } from "vitest";
import { sql } from "../src/database/sql.ts";
import {
  addOpenDays,
  bankCalendar,
  newYorkDay,
  newYorkTime,
  nextOpenDay,
} from "../src/lib/calendar.ts";
import { asCents, asUnits } from "../src/lib/money.ts";
import { ledgerAccounts } from "../src/ramp/ledger/accounts.ts";
import { achRail } from "../src/ramp/rails/bank/ach-rail.ts";
import type { BankContext, BankProfile } from "../src/ramp/rails/bank/bank-profile.ts";
import { fileSender } from "../src/ramp/rails/bank/deliver-files.ts";
import { fileMaker } from "../src/ramp/rails/bank/out-files.ts";
import { entrySettler } from "../src/ramp/rails/bank/settle-entries.ts";
import { wireRail } from "../src/ramp/rails/bank/wire-rail.ts";
import type { FileExchange } from "../src/ramp/rails/file-exchange.ts";
import { readAchFile } from "../src/ramp/rails/nacha/read-file.ts";
import { railNews } from "../src/ramp/rails/store/notices.ts";
import type { OffRamp } from "../src/ramp/transaction.ts";
import { createSale, payoutsOf, run, transferTo, useWorld, type World } from "./ramp-world.ts";

/** What a bank is like unless a test says otherwise. */
const testBank: BankProfile = {
  routingNumber: "021000089",
  bankName: "Bank of Tests",
  accountNumber: "00123456789",
  companyName: "Slipway Tests",
  companyId: "1234567890",
  cutOffs: ["17:00"],
  approvals: 0,
  approvalsAboveCents: asCents(0n),
};

/** A place for files in memory, whose next operations can be made to fail before or after they did their work. */
type MemoryExchange = FileExchange & {
  files: Map<string, Buffer>;
  faults: ("before" | "after")[];
};

export type BankOutWorld = World & { bank: BankContext & { exchange: MemoryExchange } };

/** A ramp that pays dollars through files, and a bank that keeps them. */
export function useBankOutWorld(): BankOutWorld {
  const world = useWorld() as BankOutWorld;
  beforeAll(() => {
    const { db, clock, random, sealer, log } = world.context;
    const rails = { db, clock, random, sealer, log, bank: { ...testBank } };
    world.bank = { ...rails, exchange: memoryExchange() };
    world.ports.news = [...world.ports.news, railNews(world.bank, "bank")];
    world.ports.rails = {
      ...world.ports.rails,
      ach: achRail(world.bank),
      wire: wireRail(world.bank),
    };
  });
  beforeEach(() => {
    world.bank.exchange.faults = [];
    world.lines.length = 0;
  });
  return world;
}

function memoryExchange(): MemoryExchange {
  const files = new Map<string, Buffer>();
  const exchange: MemoryExchange = {
    files,
    faults: [],
    async put(name, bytes) {
      const fault = exchange.faults.shift();
      if (fault === "before") throw new Error("the bank is closed");
      if (files.get(name)?.equals(bytes) === false) throw new Error("another file is there");
      files.set(name, bytes);
      if (fault === "after") throw new Error("the line went dead");
    },
    list: async () => [],
    get: async () => Buffer.alloc(0),
    setAside: async () => {},
  };
  return exchange;
}

/** Does everything that is due, at the bank too, until nothing is. */
export async function runBank(world: BankOutWorld): Promise<void> {
  const runners = [fileMaker(world.bank), fileSender(world.bank), entrySettler(world.bank)];
  for (let handled = 1; handled > 0; ) {
    await run(world);
    handled = 0;
    for (const runner of runners) handled += await runner.run();
  }
  await run(world);
}

/** Moves the clock to a moment, and does what fell due until then at once. */
export async function runBankAt(world: BankOutWorld, at: number): Promise<void> {
  world.clock.advance(Math.max(0, at - world.clock.now()));
  await runBank(world);
}

/** A sale for so many cents whose tokens came: its payout waits for the evening. */
export async function paidSale(
  world: BankOutWorld,
  cents = 100_00n,
  changes: Partial<OffRamp> = {},
): Promise<OffRamp> {
  const units = asUnits(cents * 10_000n);
  const leastUnits = asUnits(1n);
  const sale = await createSale(world, { askedUnits: units, units, leastUnits, ...changes });
  const transfer = transferTo(world, sale, { units });
  world.ports.tell(transfer);
  world.ports.tell({ ...transfer, kind: "deposit_final" });
  await run(world);
  return sale;
}

/** The one payout of a sale. */
export async function payoutOf(world: World, { id }: { id: string }): Promise<`pay-${string}`> {
  const [payout, ...others] = await payoutsOf(world, id);
  if (!payout || others.length > 0) throw new Error(`${id} has one payout`);
  return payout.id;
}

/** Entries as they are kept, in the order of their payouts. */
export function entriesOf({ db }: World, payoutIds: readonly string[]) {
  return db.query<{ payoutId: string; trace: string; state: string; fileId: string | null }>(sql`
    select payout_id as "payoutId", trace, state, file_id as "fileId" from bank_entries
    where payout_id = any(${payoutIds}) order by array_position(${payoutIds}, payout_id)`);
}

/** Books at the bank that what was settled is gone, as its statement will say. */
export function spend({ ports }: World, cents: bigint): void {
  const bank = ledgerAccounts.bank();
  ports.balances.set(bank, (ports.balances.get(bank) ?? 0n) - cents);
}

const calendar = bankCalendar();

/** This or the next day on which banks work, at a time in New York. */
export function openDayAt({ clock }: World, hour: number, minute = 0): number {
  return newYorkTime(nextOpenDay(calendar, newYorkDay(clock.now())), hour, minute);
}

/** When what the bank gets today is settled. */
export function nextMorning({ clock }: World): number {
  return newYorkTime(addOpenDays(calendar, newYorkDay(clock.now()), 1), 8, 30);
}

/** Goes on to the next day on which banks work. */
export async function newDay(world: BankOutWorld): Promise<void> {
  const day = addOpenDays(calendar, newYorkDay(world.clock.now()), 1);
  await runBankAt(world, newYorkTime(day, 10));
}

/** What is in an ACH file, with the class of each entry. */
export function entriesIn(content: Buffer) {
  return readAchFile(content).batches.flatMap(({ entryClass, entries }) =>
    entries.map((entry) => ({ ...entry, entryClass })),
  );
}

/** What went to the bank for these payouts: every time that an ACH file names one of them. */
export function sentTo({ bank }: BankOutWorld, payoutIds: readonly string[]) {
  const known = new Map(payoutIds.map((id) => [id.slice("pay-".length), id]));
  return [...bank.exchange.files].flatMap(([file, content]) =>
    entriesIn(content).flatMap((entry) => {
      const payoutId = known.get(entry.identification);
      return payoutId ? [{ ...entry, payoutId, file }] : [];
    }),
  );
}
