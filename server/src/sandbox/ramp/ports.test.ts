import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import {
  handOver,
  resetSandbox,
  sandboxContext,
  toBank,
  toWallet,
} from "../../../test/sandbox-ramp.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { sql } from "../../database/sql.ts";
import { asCents, asUnits } from "../../lib/money.ts";
import type { Notice } from "../../ramp/ports.ts";
import type { PayoutId } from "../../ramp/transaction.ts";
import { openTimeMachine } from "./advance.ts";
import { openSandboxClock } from "./clock.ts";
import { sendDeposit, undoDeposit } from "./deposits.ts";
import { seedSandboxFunds } from "./funds.ts";
import { openSandboxPorts, sandboxRunners } from "./ports.ts";
import { receiveWire } from "./wires.ts";

const held = useDatabase();
/** 17:00 in New York on a Friday. */
const friday = Date.UTC(2026, 10, 13, 22);
const dayMs = 86_400_000;

beforeEach(() => resetSandbox(held.db));

type World = Awaited<ReturnType<typeof openWorld>>;

async function openWorld() {
  const { db } = held;
  const clock = await openSandboxClock(db, manualClock(friday));
  const context = sandboxContext({ db, clock });
  return { ...context, ports: openSandboxPorts(context) };
}

/** Lets time pass, with everything that falls due on the way, and with nobody who reads the news. */
async function pass(world: World, ms: number): Promise<void> {
  const { db, clock, ports } = world;
  const runners = sandboxRunners(world);
  await db.query(sql`
    insert into news_cursors (source, cursor)
    select name, '9000000000000000000' from unnest(${ports.news.map(({ name }) => name)}::text[]) name
    on conflict do nothing`);
  await db.query(sql`update sandbox_clock set wished_at = ${new Date(clock.now() + ms)}`);
  await openTimeMachine({ db, clock, runners, log: silentLog }).fulfilWish();
}

async function toldBy(ports: ReturnType<typeof openSandboxPorts>): Promise<Notice[]> {
  const told = await Promise.all(ports.news.map((source) => source.read(null)));
  return told.flatMap(({ notices }) => notices);
}

const balancesOf = async ({ books }: ReturnType<typeof openSandboxPorts>) =>
  Object.fromEntries((await books.balances()).map(({ account, balance }) => [account, balance]));

describe("a payment", () => {
  test("that nobody handed over is not found", async () => {
    const { ports } = await openWorld();
    expect(await ports.rails.ach.find("pay-1")).toBeUndefined();
  });

  test("has a trace of its rail, settles, and is taken from our account when that is told", async () => {
    const world = await openWorld();
    const { db, ports } = world;
    const ach = await handOver(db, ports, toBank("pay-1", "ach"));
    expect(ach).toMatchObject({ trace: expect.stringMatching(/^09100001\d{7}$/) });
    expect(await handOver(db, ports, toBank("pay-2", "wire"))).toMatchObject({ trace: "pay-2" });
    const chain = await handOver(db, ports, toWallet("pay-3"));
    expect(chain).toMatchObject({ trace: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    expect(await balancesOf(ports)).toEqual({});
    await pass(world, 4 * dayMs);
    expect(await toldBy(ports)).toEqual([
      { kind: "payout_settled", reference: "pay-3", trace: traceOf(chain), at: friday + 60_000 },
      {
        ...{ kind: "payout_settled", reference: "pay-2", at: friday + 600_000 },
        trace: expect.stringMatching(/^20261113SLIPWAY1\d{6}$/),
      },
      {
        ...{ kind: "payout_settled", reference: "pay-1", trace: traceOf(ach) },
        at: Date.UTC(2026, 10, 16, 13, 30),
      },
    ]);
    expect(await balancesOf(ports)).toEqual({
      "bank:main:USD": -50_00n,
      "hot:USDC.base": -1_000_000n,
    });
  });

  test("that comes back gives the money back, unless it never went", async () => {
    const world = await openWorld();
    const { db, ports } = world;
    await handOver(db, ports, toBank("pay-1", "ach", "12340003"));
    await handOver(db, ports, toBank("pay-2", "ach", "12340099"));
    await handOver(db, ports, toBank("pay-3", "wire", "12340097"));
    await pass(world, 5 * dayMs);
    expect(await toldBy(ports)).toMatchObject([
      { kind: "payout_settled", reference: "pay-3" },
      { kind: "payout_returned", reference: "pay-2", code: "R03", at: Date.UTC(2026, 10, 16, 13) },
      { kind: "payout_settled", reference: "pay-1" },
      { kind: "payout_returned", reference: "pay-3", code: "AC04" },
      { kind: "payout_returned", reference: "pay-1", code: "R03", at: Date.UTC(2026, 10, 17, 14) },
    ]);
    expect(await balancesOf(ports)).toEqual({ "bank:main:USD": 0n });
  });

  test("that fails or is refused takes nothing", async () => {
    const world = await openWorld();
    const { db, ports } = world;
    await handOver(db, ports, toWallet("pay-1", "0xbeef"));
    await handOver(db, ports, toBank("pay-2", "wire", "12340099"));
    await handOver(db, ports, toBank("pay-3", "wire", "12340098"));
    await pass(world, dayMs);
    expect(await toldBy(ports)).toMatchObject([
      { kind: "payout_failed", reference: "pay-1" },
      { reference: "pay-2", why: "AC01 the bank cannot pay to this account", at: friday },
      { reference: "pay-3", why: "AC06 the receiving bank rejected the wire" },
    ]);
    expect(await balancesOf(ports)).toEqual({});
  });

  test("is made once, however often and however much at once it is handed over", async () => {
    const world = await openWorld();
    const { db, ports } = world;
    const references = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(references, fc.constantFrom("ach", "wire"), async (numbers, rail) => {
        await resetSandbox(held.db);
        const submissions = await Promise.all(
          numbers.map((number) => handOver(db, ports, toBank(`pay-${number}`, rail))),
        );
        const traces = new Map<PayoutId, string>();
        for (const [index, number] of numbers.entries()) {
          const trace = traceOf(submissions[index]);
          expect(traces.get(`pay-${number}`) ?? trace).toBe(trace);
          traces.set(`pay-${number}`, trace);
        }
        await pass(world, 4 * dayMs);
        expect((await toldBy(ports)).length).toBe(traces.size);
        expect(await balancesOf(ports)).toEqual({ "bank:main:USD": -25_00n * BigInt(traces.size) });
      }),
      { numRuns: 6 },
    );
  });

  test("that sends a wire back needs a wire that came", async () => {
    const world = await openWorld();
    const { db, clock, ports } = world;
    const wire = { bankReference: "sbw-1", senderName: "Ada", text: null, tellings: 1 };
    await db.transact((tx) => receiveWire(tx, { ...wire, cents: asCents(500n) }, clock.now()));
    await expect(ports.books.balances()).rejects.toThrow("at work");
    await pass(world, 1);
    const back = (reference: PayoutId, bankReference: string) => {
      const instruction = { reference, rail: "wire", cents: asCents(500n) } as const;
      return handOver(db, ports, { ...instruction, returns: { bankReference } });
    };
    expect(await back("pay-1", "sbw-2")).toMatchObject({ why: "the bank knows no such wire" });
    expect(await back("pay-3", "sbw-1")).toMatchObject({ outcome: "accepted" });
    await pass(world, dayMs);
    expect(await balancesOf(ports)).toEqual({ "bank:main:USD": 0n });
  });
});

describe("a deposit", () => {
  const transfer = {
    transactionHash: "0x01",
    blockchain: "base",
    address: "0x02",
    fromAddress: "0x03",
    currency: "USDC",
    units: asUnits(5n),
  };
  const { transactionHash: _, ...same } = transfer;

  test("is seen at once, and ours when it is final", async () => {
    const world = await openWorld();
    const { db, ports } = world;
    await db.transact((tx) => sendDeposit(tx, { ...transfer, blockTime: new Date(friday) }));
    expect(await toldBy(ports)).toEqual([
      { ...transfer, kind: "deposit_seen", logIndex: 0, blockTime: friday, at: friday },
    ]);
    await pass(world, 13 * 60_000 - 1);
    expect(await balancesOf(ports)).toEqual({});
    await pass(world, 1);
    expect(await toldBy(ports)).toMatchObject([
      { kind: "deposit_seen" },
      { ...same, kind: "deposit_final", blockTime: friday, at: friday + 13 * 60_000 },
    ]);
    expect(await balancesOf(ports)).toEqual({ "unswept:USDC.base": 5n });
  });

  test("that a reorganisation takes is never final", async () => {
    const world = await openWorld();
    const { db, ports } = world;
    const seen = { ...transfer, blockTime: new Date(friday) };
    await db.transact((tx) => sendDeposit(tx, seen));
    await db.transact((tx) => undoDeposit(tx, seen, friday + 1));
    await pass(world, dayMs);
    expect(await toldBy(ports)).toMatchObject([{ kind: "deposit_seen" }, { kind: "deposit_gone" }]);
    expect(await balancesOf(ports)).toEqual({});
  });
});

test("there are funds in the bank and on every chain, given once", async () => {
  const { db, clock, ports } = await openWorld();
  await seedSandboxFunds(db, clock);
  const balances = await balancesOf(ports);
  expect(balances).toMatchObject({
    "bank:main:USD": 10_000_000_00n,
    "hot:USDC.base": 100_000_000n * 10n ** 6n,
    "hot:USDC.bnb": 100_000_000n * 10n ** 18n,
  });
  await seedSandboxFunds(db, clock);
  expect(await balancesOf(ports)).toEqual(balances);
  const booked = await db.query<{ name: string; balance: string }>(
    sql`select name, balance from ledger_accounts where name not like 'equity:%' and name not like 'out:%'`,
  );
  expect(Object.fromEntries(booked.map(({ name, balance }) => [name, -BigInt(balance)]))).toEqual(
    balances,
  );
});

test("news are read in pieces, from where the reader stopped, and none is missed while many tell", async () => {
  const { db, ports } = await openWorld();
  const chain = ports.news.find(({ name }) => name === "sandbox-chain");
  const hashes = Array.from({ length: 30 }, (_, index) => `0x${index}`);
  const place = { blockchain: "base", address: "0x02", fromAddress: "0x03", currency: "USDC" };
  const telling = Promise.all(
    hashes.map((transactionHash) =>
      db.transact((tx) => {
        const transfer = { ...place, transactionHash, units: asUnits(1n) };
        return sendDeposit(tx, { ...transfer, blockTime: new Date(friday) });
      }),
    ),
  );
  const heard: Notice[] = [];
  let cursor: string | null = null;
  const listen = async () => {
    const news = await chain?.read(cursor);
    heard.push(...(news?.notices ?? []));
    cursor = news?.cursor ?? cursor;
  };
  while (heard.length < 10) await listen();
  await telling;
  await listen();
  const told = heard.flatMap((notice) => ("logIndex" in notice ? notice.transactionHash : []));
  expect(told.toSorted()).toEqual(hashes.toSorted());
  expect(await chain?.read(cursor)).toEqual({ notices: [], cursor });
});

test("time that passes in two steps tells the same in the same order as in one", async () => {
  const payments = fc.array(
    fc.oneof(
      fc.constantFrom("1", "0002", "0923", "0099").map((end) => ["ach", `1234${end}`] as const),
      fc.constantFrom("1", "0097", "0098", "0099").map((end) => ["wire", `1234${end}`] as const),
      fc.constantFrom("0xabc", "0xbeef").map((to) => ["chain", to] as const),
    ),
    { minLength: 1, maxLength: 6 },
  );
  const wholeMs = 10 * dayMs;
  async function tell(handedOver: readonly (readonly [string, string])[], stepsMs: number[]) {
    await resetSandbox(held.db);
    const world = await openWorld();
    const { ports } = world;
    for (const [index, [rail, to]] of handedOver.entries()) {
      const reference: PayoutId = `pay-${index + 1}`;
      const instruction =
        rail === "chain"
          ? toWallet(reference, to)
          : toBank(reference, rail === "ach" ? "ach" : "wire", to);
      await handOver(held.db, ports, instruction);
    }
    for (const ms of stepsMs) await pass(world, ms);
    return (await toldBy(ports)).map((notice) => ({ ...notice, trace: null }));
  }
  await fc.assert(
    fc.asyncProperty(
      payments,
      fc.integer({ min: 1, max: wholeMs - 1 }),
      async (handedOver, cut) => {
        const inOne = await tell(handedOver, [wholeMs]);
        expect(inOne.length).toBeGreaterThanOrEqual(handedOver.length);
        expect(await tell(handedOver, [cut, wholeMs - cut])).toEqual(inOne);
      },
    ),
    { numRuns: 4 },
  );
});

function traceOf(submission: unknown): string {
  expect(submission).toMatchObject({ outcome: "accepted" });
  return (submission as { trace: string }).trace;
}
