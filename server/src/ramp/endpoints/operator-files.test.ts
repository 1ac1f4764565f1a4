import { Slipway } from "@slipway/sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  entriesOf,
  paidSale,
  payoutOf,
  runBank,
  runBankAt,
  useBankOutWorld,
} from "../../../test/bank-out-world.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { sql } from "../../database/sql.ts";
import { type App, buildApp, usualPatience } from "../../http/app.ts";
import { openMetrics } from "../../http/metrics.ts";
import { assert } from "../../lib/errors.ts";
import { asCents } from "../../lib/money.ts";
import { systemRandom } from "../../lib/random.ts";
import { fileMaker } from "../rails/bank/out-files.ts";
import { writeCamt054 } from "../rails/iso20022/camt054.ts";
import { operatorFileEndpoints } from "./operator-files.ts";

const world = useBankOutWorld();
const apps: App[] = [];
let url: string;
let bankless: string;

/** The endpoints on a port, for operators with the keys `first` and `second`. */
async function serve(hasBank: boolean): Promise<string> {
  const { bank, ...context } = world.bank;
  const scopes = new Set(["operator"]);
  const app = await buildApp({
    endpoints: operatorFileEndpoints({ ...context, bank: hasBank ? bank : undefined }),
    authenticate: (key) => ({
      keyId: key,
      userId: "usr-77",
      scopes: key === "customer" ? new Set() : scopes,
    }),
    ...{ mayActFor: () => false, limits: undefined, metrics: openMetrics(), mode: "sandbox" },
    ...{ version: "0", trustedProxies: [], patience: usualPatience },
    ...{ random: systemRandom, log: silentLog },
  });
  apps.push(app);
  return app.listen({ host: "127.0.0.1", port: 0 });
}

beforeAll(async () => {
  url = await serve(true);
  bankless = await serve(false);
});
afterAll(() => Promise.all(apps.map((app) => app.close())));
beforeEach(() => {
  world.bank.bank.approvals = 0;
  world.bank.bank.approvalsAboveCents = asCents(0n);
});

const files = (apiKey = "first", baseUrl = url) =>
  new Slipway({ baseUrl, apiKey, retries: 0 }).operator.bankFiles;

const deeds = () =>
  world.db.query<{ action: string; target: string; key: string }>(sql`
    select action, target, key_id as key from audit_log where action like 'bank_file.%'
    order by sequence`);

/** Sends wires of these amounts, in one file. */
async function wireFile(...amounts: bigint[]): Promise<{ id: string; payoutIds: string[] }> {
  const sales = [];
  for (const cents of amounts) {
    sales.push(await paidSale(world, cents, { settlementMethod: "WIRE" }));
  }
  expect(await fileMaker(world.bank).run()).toBe(1);
  const payoutIds = await Promise.all(sales.map((sale) => payoutOf(world, sale)));
  const [entry] = await entriesOf(world, payoutIds);
  assert(entry?.fileId, "the wires are in a file");
  return { id: entry.fileId, payoutIds };
}

const stored = () => [...world.bank.exchange.files.keys()];

describe("files", () => {
  test("are listed, newest first, and shown with their payouts", async () => {
    const older = await wireFile(1_00n);
    world.clock.advance(1_000);
    const newer = await wireFile(2_00n, 3_50n);
    const [first, second] = await files().list();
    expect([first?.id, second?.id]).toEqual([newer.id, older.id]);
    expect(first).toEqual({
      ...{ id: newer.id, direction: "out", format: "pain.001", state: "ready" },
      name: "slipway-wire-20260415-120001-1.xml",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      ...{ entryCount: 2, amountUsd: "5.50", approvals: [], approvalsNeeded: 0, problem: null },
      createdAt: "2026-04-15T16:00:01.000",
      deliveredAt: null,
      updatedAt: "2026-04-15T16:00:01.000",
    });
    expect(await files().list({ limit: 1, after: newer.id })).toEqual([second]);
    expect(await files().list({ state: "delivered" })).toEqual([]);
    expect(await files().list({ direction: "in" })).toEqual([]);
    const details = await files().get(newer.id);
    expect(details).toMatchObject({ ...first, entries: expect.any(Array) });
    expect(new Map(details.entries.map((entry) => [entry.payoutId, entry]))).toEqual(
      new Map(
        newer.payoutIds.map((payoutId, index) => [
          payoutId,
          { payoutId, trace: payoutId, amountUsd: ["2.00", "3.50"][index], state: "filed" },
        ]),
      ),
    );
    await runBank(world);
    expect(await files().get(newer.id)).toMatchObject({
      state: "delivered",
      deliveredAt: "2026-04-15T16:00:01.000",
    });
  });

  test("are read by operators only, and that is written down", async () => {
    const { id } = await wireFile(1_00n);
    const { name, text, sha256 } = await files().content(id);
    expect(text).toContain("<InstdAmt");
    expect(await files().get(id)).toMatchObject({ name, sha256 });
    expect((await deeds()).at(-1)).toEqual({ action: "bank_file.read", target: id, key: "first" });
    await expect(files("customer").content(id)).rejects.toMatchObject({ status: 403 });
    await expect(files("customer").list()).rejects.toMatchObject({ status: 403 });
    await runBank(world);
  });

  test.each(["fil-1", "nonsense", "fil-1%2F..", "x".repeat(100)])(
    "that are not there (%s) are not found",
    async (id) => {
      const calls = [
        () => files().get(id),
        () => files().content(id),
        () => files().approve(id),
        () => files().withdraw(id, "why"),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 404 });
    },
  );
});

describe("a file that needs approvals", () => {
  test("leaves when two different keys have approved it", async () => {
    world.bank.bank.approvals = 2;
    const { id, payoutIds } = await wireFile(10_00n);
    await runBank(world);
    const { name } = await files().get(id);
    expect(stored()).not.toContain(name);
    expect(await files().approve(id, { idempotencyKey: "one" })).toMatchObject({
      ...{ state: "held", approvals: ["first"], approvalsNeeded: 2 },
    });
    expect(await files().approve(id, { idempotencyKey: "one" })).toMatchObject({
      approvals: ["first"],
    });
    await expect(files().approve(id)).rejects.toMatchObject({
      status: 409,
      messages: [`This key has approved file ${id}: another one is needed`],
    });
    await runBank(world);
    expect(stored()).not.toContain(name);
    expect(await files("second").approve(id)).toMatchObject({
      ...{ state: "ready", approvals: ["first", "second"] },
    });
    await runBank(world);
    expect(stored()).toContain(name);
    await expect(files("third").approve(id)).rejects.toMatchObject({ status: 409 });
    expect((await deeds()).filter(({ target }) => target === id)).toEqual([
      { action: "bank_file.approve", target: id, key: "first" },
      { action: "bank_file.approve", target: id, key: "second" },
    ]);
    expect(await entriesOf(world, payoutIds)).toMatchObject([{ state: "filed", fileId: id }]);
  });

  test("gets both when they come at once, and never one of them twice", async () => {
    world.bank.bank.approvals = 2;
    const { id } = await wireFile(10_00n);
    const keys = ["first", "first", "second", "second"];
    const outcomes = await Promise.allSettled(keys.map((key) => files(key).approve(id)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    const { state, approvals } = await files().get(id);
    expect([state, approvals.toSorted()]).toEqual(["ready", ["first", "second"]]);
    await runBank(world);
  });

  test("is one above the limit only", async () => {
    world.bank.bank.approvals = 1;
    world.bank.bank.approvalsAboveCents = asCents(10_00n);
    expect(await files().get((await wireFile(10_00n)).id)).toMatchObject({ state: "ready" });
    const { id } = await wireFile(10_01n);
    expect(await files().get(id)).toMatchObject({ state: "held" });
    expect(await files().approve(id)).toMatchObject({ state: "ready" });
    await runBank(world);
  });
});

describe("a file that is withdrawn", () => {
  test("never leaves, and its payouts go with another one five minutes later", async () => {
    const { id, payoutIds } = await wireFile(4_00n, 5_00n);
    const { name } = await files().get(id);
    expect(await files().withdraw(id, "wrong account")).toMatchObject({
      ...{ id, state: "withdrawn", problem: "wrong account" },
    });
    expect((await deeds()).at(-1)).toMatchObject({ action: "bank_file.withdraw", target: id });
    await runBankAt(world, world.clock.now() + 299_999);
    expect((await entriesOf(world, payoutIds)).map(({ state }) => state)).toEqual([
      "waiting",
      "waiting",
    ]);
    await runBankAt(world, world.clock.now() + 1);
    const entries = await entriesOf(world, payoutIds);
    expect(entries.map(({ state }) => state)).toEqual(["filed", "filed"]);
    expect(entries.map(({ fileId }) => fileId)).not.toContain(id);
    expect(stored()).not.toContain(name);
    await expect(files().withdraw(id, "again")).rejects.toMatchObject({ status: 409 });
  });

  test("cannot be one whose delivery has begun: the bank may have it", async () => {
    const { id } = await wireFile(6_00n);
    world.bank.exchange.faults = ["after"];
    await runBank(world);
    expect(await files().get(id)).toMatchObject({ state: "ready", problem: "the line went dead" });
    await expect(files().withdraw(id, "stop")).rejects.toMatchObject({
      status: 409,
      messages: [
        `The delivery of file ${id} has begun: the bank may have it, and another file would pay twice`,
      ],
    });
    await runBankAt(world, world.clock.now() + 60_000);
    expect(await files().get(id)).toMatchObject({ state: "delivered", problem: null });
    await expect(files().withdraw(id, "stop")).rejects.toMatchObject({ status: 409 });
  });
});

describe("a file of the bank's", () => {
  const notification = () =>
    writeCamt054({
      messageId: "NOTE1",
      createdAt: "2026-04-15T16:00:00.000Z",
      lines: [
        {
          ...{ reference: "IMPORTED1", direction: "credit", cents: asCents(12_00n) },
          ...{ isReversal: false, bookedAt: world.clock.now(), endToEndId: null },
          counterparty: { name: "Ada", routingNumber: "021000021", accountNumber: "1234" },
          ...{ returnReason: null, texts: ["hello"] },
        },
      ],
    }).toString();

  test("is taken in by hand, once", async () => {
    const taken = { state: "taken", problem: null };
    expect(await files().import("note.xml", notification())).toEqual({ ...taken, isNew: true });
    expect(await files().import("note.xml", notification())).toEqual({ ...taken, isNew: false });
    await runBank(world);
    const wires = await world.db.query(sql`
      select from incoming_wires where bank_reference = 'IMPORTED1'`);
    expect(wires).toHaveLength(1);
    const [file] = await files().list({ direction: "in" });
    expect(file).toMatchObject({ name: "note.xml", format: "camt.054", state: "taken" });
    expect((await files().content(file?.id ?? "")).text).toBe(notification());
  });

  test("that makes no sense is kept and refused", async () => {
    const { state, problem } = await files().import("odd.txt", "\u0000 nonsense \ud800 ü");
    expect([state, typeof problem]).toEqual(["refused", "string"]);
    expect(await files().list({ state: "refused" })).toMatchObject([{ name: "odd.txt" }]);
  });

  test("may be as large as that of a busy day, here and nowhere else", async () => {
    const line = `<Ntfctn><Id>${"9".repeat(90)}</Id></Ntfctn>\n`;
    const large = notification().replace("</GrpHdr>", `${line.repeat(40_000)}</GrpHdr>`);
    expect(large.length).toBeGreaterThan(4_000_000);
    const taken = { state: "taken", problem: null };
    expect(await files().import("large.xml", large)).toEqual({ ...taken, isNew: true });
    expect(await files().import("large.xml", large)).toEqual({ ...taken, isNew: false });
    await expect(files().withdraw("fil-1", large)).rejects.toMatchObject({
      status: 413,
      messages: ["The request is too large: a body may have at most 64 kB."],
    });
  });

  test("has 20 MB at most, and needs a key before it is read", async () => {
    const [most, tooMuch] = [19_999_970, 20_000_001].map((length) => "x".repeat(length));
    expect(await files().import("most.txt", most ?? "")).toMatchObject({ state: "refused" });
    await expect(files().import("more.txt", tooMuch ?? "")).rejects.toMatchObject({
      status: 413,
      messages: ["The request is too large: a body may have at most 20 MB."],
    });
    await expect(files("customer").import("more.txt", tooMuch ?? "")).rejects.toMatchObject({
      status: 403,
    });
  });

  test("needs a name that is one, and a bank", async () => {
    for (const name of ["", "../x", "a b", ".x"]) {
      await expect(files().import(name, "x")).rejects.toMatchObject({ status: 400 });
    }
    await expect(files("first", bankless).import("a.xml", "x")).rejects.toMatchObject({
      status: 503,
    });
  });
});
