import { beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../../../../test/manual-clock.ts";
import { handOver, resetSandbox, sandboxContext, toBank } from "../../../../test/sandbox-ramp.ts";
import { useDatabase } from "../../../../test/test-database.ts";
import { sql } from "../../../database/sql.ts";
import { asCents } from "../../../lib/money.ts";
import { fileMaker } from "../../../ramp/rails/bank/out-files.ts";
import { findBankFile, openBankFile } from "../../../ramp/rails/store/bank-files.ts";
import type { PayoutId } from "../../../ramp/transaction.ts";
import { tellNotice } from "../../store/notices.ts";
import { insertPayments, type Payment } from "../../store/payments.ts";
import { openSandboxClock } from "../clock.ts";
import { openSandboxPorts, sandboxRunners } from "../ports.ts";
import { sandboxBankExchange } from "./bank-exchange.ts";

const held = useDatabase();
/** 17:00 in New York on a Friday. */
const friday = Date.UTC(2026, 10, 13, 22);

beforeEach(() => resetSandbox(held.db));

async function openWorld() {
  const { db } = held;
  const clock = await openSandboxClock(db, manualClock(friday));
  const context = sandboxContext({ db, clock });
  const ports = openSandboxPorts(context);
  return { ...context, ports, exchange: sandboxBankExchange(context) };
}
type World = Awaited<ReturnType<typeof openWorld>>;

/** The file in which these payments are, which nobody has delivered. */
async function fileOf(world: World, rail: "ach" | "wire", ...references: PayoutId[]) {
  const { db, clock, ports, sealer } = world;
  for (const reference of references) await handOver(db, ports, toBank(reference, rail));
  if (rail === "ach") await clock.advanceTo(clock.now() + 5 * 60_000);
  await fileMaker(world).run();
  const [row] = await db.query<{ id: string }>(sql`
    select id from bank_files where direction = 'out' order by created_at desc, name desc limit 1`);
  const file = await findBankFile(db, row?.id ?? "");
  if (!file) throw new Error("there is a file");
  return { name: file.name, bytes: openBankFile(sealer, file) };
}

const countPayments = async () =>
  (await held.db.query(sql`select reference from sandbox_payments`)).length;

describe("a file that the sandbox's bank gets", () => {
  test.each(["ach", "wire"] as const)("by %s is worked on once", async (rail) => {
    const world = await openWorld();
    const { exchange } = world;
    const { name, bytes } = await fileOf(world, rail, "pay-1", "pay-2");
    await Promise.all([1, 2, 3].map(() => exchange.put(name, bytes)));
    expect(await countPayments()).toBe(2);
    const answers = await exchange.list();
    expect(answers).toHaveLength(1);
    await exchange.setAside(answers[0] ?? "");
    await exchange.setAside(answers[0] ?? "");
    await exchange.put(name, bytes);
    expect(await exchange.list()).toEqual([]);
    expect(await countPayments()).toBe(2);
  });

  test("is not taken under the name of another, nor when it pays again what another did", async () => {
    const world = await openWorld();
    const { exchange } = world;
    const { name, bytes } = await fileOf(world, "wire", "pay-1");
    await exchange.put(name, bytes);
    const other = Buffer.from(bytes.toString().replaceAll("25.00", "26.00"));
    await expect(exchange.put(name, other)).rejects.toThrow(`another file named ${name}`);
    await expect(exchange.put("again.xml", bytes)).rejects.toThrow("before, in another file");
    expect(await countPayments()).toBe(1);
    expect(await exchange.list()).toHaveLength(1);
  });

  test("is not taken when it cannot be read", async () => {
    const { exchange } = await openWorld();
    await expect(exchange.put("x", Buffer.from("hello"))).rejects.toThrow("cannot read x");
    await expect(exchange.get("y")).rejects.toThrow("no file y");
    expect(await countPayments()).toBe(0);
  });
});

describe("what the sandbox's bank was told of before it read files", () => {
  const old = (reference: PayoutId, changes: Partial<Payment> = {}) =>
    insertPayments(held.db, [
      {
        ...{ reference, rail: "ach", account: "bank:main:USD", amount: 25_00n, state: "taken" },
        ...{ why: null, trace: null, file: null, createdAt: new Date(friday) },
        plan: [
          { kind: "settle", at: friday },
          { kind: "return", at: friday + 1, code: "R03" },
        ],
        ...changes,
      },
    ]);

  test("ends as it would have, and is not handed over again", async () => {
    const world = await openWorld();
    const { db, clock, ports } = world;
    await old("pay-1");
    await old("pay-2", { rail: "wire", plan: [{ kind: "fail", at: friday, why: "no" }] });
    await old("pay-3", { state: "refused", why: "the bank cannot", plan: [] });
    const traced = { outcome: "accepted", trace: expect.stringMatching(/^09100001\d{7}$/) };
    expect(await ports.rails.ach.find("pay-1")).toEqual(traced);
    expect(await handOver(db, ports, toBank("pay-1", "ach"))).toEqual(traced);
    expect(await ports.rails.wire.find("pay-3")).toMatchObject({ why: "the bank cannot" });
    await clock.advanceTo(friday + 1);
    for (const runner of sandboxRunners(world)) await runner.run();
    const [told] = await Promise.all(
      ports.news.filter(({ name }) => name === "sandbox-bank").map((source) => source.read(null)),
    );
    expect(told?.notices).toMatchObject([
      { kind: "payout_settled", reference: "pay-1" },
      { kind: "payout_failed", reference: "pay-2", why: "no" },
      { kind: "payout_returned", reference: "pay-1", code: "R03" },
    ]);
    const lines = await db.query(sql`select cents from sandbox_bank_lines order by id`);
    expect(lines).toEqual([{ cents: "-2500" }, { cents: "2500" }]);
  });

  test("can go back, if it is a wire", async () => {
    const { db, ports } = await openWorld();
    const wire = { kind: "wire_received", bankReference: "sbw-1", cents: asCents(5_00n) } as const;
    const sender = { senderName: "Ada", senderAccount: "1", texts: [], at: friday };
    await db.transact((tx) => tellNotice(tx, "sandbox-bank", { ...wire, ...sender }));
    const back = { reference: "pay-9", rail: "wire", cents: asCents(5_00n) } as const;
    const returns = { bankReference: "sbw-1" };
    expect(await handOver(db, ports, { ...back, returns })).toMatchObject({ trace: "pay-9" });
  });
});
