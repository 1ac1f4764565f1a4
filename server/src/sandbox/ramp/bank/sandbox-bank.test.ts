import type { BankFile, NewTransaction, TransactionStatus } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { manualClock } from "../../../../test/manual-clock.ts";
import {
  newBankAccount,
  newWallet,
  purchaseBody,
  saleBody,
} from "../../../../test/payment-methods.ts";
import { silentLog } from "../../../../test/silent-log.ts";
import { useApp } from "../../../../test/test-app.ts";
import { sql } from "../../../database/sql.ts";
import { systemRandom } from "../../../lib/random.ts";
import { readCamt053 } from "../../../ramp/rails/iso20022/camt053.ts";
import { readPain001 } from "../../../ramp/rails/iso20022/pain001.ts";
import { readAchFile } from "../../../ramp/rails/nacha/read-file.ts";
import { reconciliationRunner } from "../../../ramp/reconciliation/reconcile.ts";

/** A Wednesday noon in New York. */
const app = useApp({}, manualClock(Date.UTC(2026, 3, 15, 16)));
const hourS = 3_600;
const dayS = 24 * hourS;
let wallet: { id: string };

beforeAll(async () => {
  wallet = await newWallet(app.as("master"));
});

const operator = () => app.as("operator").operator;
const pass = (seconds: number) => app.as("master").sandbox.advanceClock(seconds);
const status = (id: string): Promise<TransactionStatus> =>
  app.as("master").ramp.transactions.status(id);

/** A sale of 100 dollars whose crypto is there and final. */
async function sell(method: "ACH" | "WIRE", accountNumber?: string) {
  const { ramp, sandbox } = app.as("master");
  const bankAccount = await newBankAccount(
    app.as("master"),
    accountNumber ? { accountNumber } : {},
  );
  const body = saleBody({ wallet, bankAccount }, {}, {}, method) as NewTransaction;
  const { id } = await ramp.transactions.create(body);
  await sandbox.deposit({ transactionId: id, quantity: "100" });
  await pass(15 * 60);
  return { id, bankAccountId: bankAccount.id };
}

/** A purchase that waits for its wire. */
async function buy(): Promise<string> {
  const bankAccount = await newBankAccount(app.as("master"));
  const body = purchaseBody({ wallet, bankAccount }) as NewTransaction;
  return (await app.as("master").ramp.transactions.create(body)).id;
}

/** Files that were not there before. */
async function filesSince(known: readonly BankFile[]): Promise<BankFile[]> {
  const ids = new Set(known.map(({ id }) => id));
  const files = await operator().bankFiles.list({ limit: 100 });
  return files.filter(({ id }) => !ids.has(id));
}

const files = () => operator().bankFiles.list({ limit: 100 });
const bytesOf = async ({ id }: BankFile) =>
  Buffer.from((await operator().bankFiles.content(id)).text, "latin1");

async function balanceOf(account: string): Promise<string | undefined> {
  const [found] = await operator().ledger.accounts({ prefix: account });
  return found?.balance;
}

async function expectSoundBooks(): Promise<void> {
  const { checks } = await operator().invariants();
  expect(checks.filter(({ ok, detail }) => !ok || detail.includes("not compared"))).toEqual([]);
}

/** Compares all statements since the last time with the books. */
async function compareWithBooks(): Promise<void> {
  const { now } = await app.as("master").sandbox.clock();
  const clock = manualClock(Date.parse(`${now}Z`));
  const news = [{ name: "bank", read: async () => ({ notices: [], cursor: null }) }];
  const context = { db: app.db, clock, random: systemRandom, log: silentLog, news, chains: [] };
  await reconciliationRunner(context).run();
}

const formatsOf = (list: readonly BankFile[]) => list.map(({ format }) => format).toSorted();

describe("a sale by ACH", () => {
  test("goes in the file of the evening, which says what the books say, and settles in the morning", async () => {
    const known = await files();
    const [one, other] = [await sell("ACH"), await sell("ACH")];
    await pass(6 * hourS);
    const [sent, ...answers] = (await filesSince(known)).toSorted((a) =>
      a.direction === "out" ? -1 : 1,
    );
    expect(sent).toMatchObject({ format: "nacha", name: "slipway-ach-20260415-A.ach" });
    expect(sent).toMatchObject({ state: "accepted", entryCount: 2 });
    expect(answers.map(({ name, state }) => [name, state])).toEqual([
      ["slipway-ach-20260415-A.ach.ack", "taken"],
    ]);
    const { batches } = readAchFile(await bytesOf(sent as BankFile));
    const entries = batches.flatMap((batch) => batch.entries);
    const sum = entries.reduce((total, { cents }) => total + cents, 0n);
    expect(await balanceOf("out:ach:USD")).toBe(
      `${sum / 100n}.${String(sum % 100n).padStart(2, "0")}`,
    );
    for (const { id } of [one, other]) expect((await status(id)).state).toBe("PAYOUT_SUBMITTED");
    await expectSoundBooks();
    await pass(dayS);
    expect(await balanceOf("out:ach:USD")).toBe("0.00");
    await expectSoundBooks();
    const { lines } = await lastStatement();
    const line = lines.find(({ endToEndId }) => endToEndId === sent?.name);
    expect(line).toMatchObject({ direction: "debit", cents: sum });
    await compareWithBooks();
  });

  test.each(["70000003", "70000099"])("to %s comes back in a file", async (accountNumber) => {
    const known = await files();
    const { id } = await sell("ACH", accountNumber);
    await pass(5 * dayS);
    expect(await status(id)).toMatchObject({ state: "PAYOUT_RETURNED" });
    expect(formatsOf(await filesSince(known))).toContain("nacha_return");
    await expectSoundBooks();
  });

  test("to an account that is another kind is paid, and the account corrected", async () => {
    const { id, bankAccountId } = await sell("ACH", "70000105");
    await pass(9 * dayS);
    expect((await status(id)).state).toBe("COMPLETED");
    const [row] = await app.db.query(sql`
      select account_type from bank_accounts where id = ${bankAccountId}`);
    expect(row).toEqual({ account_type: "savings" });
    await expectSoundBooks();
  });

  test("is not moved by banks that argue about it", async () => {
    const { id } = await sell("ACH");
    await pass(2 * dayS);
    const dispute = { transactionId: id, code: "R68" };
    const { sandbox } = app.as("master");
    await sandbox.achReturn(dispute);
    await sandbox.achReturn(dispute);
    expect((await status(id)).state).toBe("PAYOUT_SUBMITTED");
    await sandbox.achReturn({ transactionId: id, code: "R02" });
    expect((await status(id)).state).toBe("PAYOUT_RETURNED");
    await expectSoundBooks();
  });
});

describe("a sale by wire", () => {
  test("goes as pain.001 and is confirmed by pacs.002 with what the network calls it", async () => {
    const known = await files();
    const { id } = await sell("WIRE");
    await pass(dayS);
    const all = await filesSince(known);
    const [sent] = all.filter(({ direction }) => direction === "out");
    expect(sent).toMatchObject({ format: "pain.001", state: "accepted" });
    const { orders } = readPain001(await bytesOf(sent as BankFile));
    expect(orders).toMatchObject([{ cents: 75_00n, creditor: { name: "Sandbox Master" } }]);
    expect(formatsOf(all).filter((format) => format === "pacs.002")).toHaveLength(2);
    expect(await status(id)).toMatchObject({
      state: "COMPLETED",
      trace: expect.stringMatching(/^\d{8}SLIPWAY1\d{6}$/),
    });
    await expectSoundBooks();
  });

  test.each([
    ["71000099", "PAYOUT_FAILED"],
    ["71000098", "PAYOUT_FAILED"],
    ["71000097", "RETURNED_AFTER_COMPLETION"],
  ])("to %s ends as %s", async (accountNumber, state) => {
    const { id } = await sell("WIRE", accountNumber);
    await pass(5 * dayS);
    expect((await status(id)).state).toBe(state);
    await expectSoundBooks();
  });
});

describe("a wire that comes in", () => {
  test("is told by camt.054, and counts once however often it is told", async () => {
    const known = await files();
    const id = await buy();
    await app.as("master").sandbox.wire({ transactionId: id, amountUsd: "0.09" });
    expect((await status(id)).state).toBe("PAYOUT_SUBMITTED");
    expect(formatsOf(await filesSince(known))).toEqual(["camt.054", "camt.054"]);
    const wires = await operator().wires.list({ limit: 1 });
    expect(wires).toMatchObject([{ amountUsd: "250.50", state: "matched" }]);
    await expectSoundBooks();
  });

  test("goes back to where it came from", async () => {
    const known = await files();
    const { senderName } = await app
      .as("master")
      .sandbox.wire({ reference: "Grüße an Zoë", amountUsd: "12.34", senderName: "Zoë Ørsted" });
    expect(senderName).toBe("Zoë Ørsted");
    await pass(6 * dayS);
    const [sent] = (await filesSince(known)).filter(({ format }) => format === "pain.001");
    const { orders } = readPain001(await bytesOf(sent as BankFile));
    expect(orders).toMatchObject([
      {
        cents: 12_34n,
        creditor: { name: "Zoe Orsted", routingNumber: "021000021", accountNumber: "400011112222" },
      },
    ]);
    await expectSoundBooks();
  });
});

async function lastStatement() {
  const [file] = (await files()).filter(({ format }) => format === "camt.053");
  return readCamt053(await bytesOf(file as BankFile));
}

describe("statements", () => {
  test("follow each other, and end with what the bank holds for us", async () => {
    const { sandbox } = app.as("master");
    const before = await sandbox.statement();
    const empty = await sandbox.statement();
    expect(empty).toMatchObject({
      ...{ from: before.to, lines: 0 },
      ...{ openingUsd: before.closingUsd, closingUsd: before.closingUsd },
    });
    await pass(1);
    await sandbox.wire({ reference: "nobody", amountUsd: "10.01" });
    const after = await sandbox.statement();
    expect(after).toMatchObject({ openingUsd: before.closingUsd, lines: 1 });
    // In the books, what is ours is debit-normal.
    expect(`-${after.closingUsd}`).toBe(await balanceOf("bank:main:USD"));
    const { lines } = await lastStatement();
    expect(lines).toMatchObject([{ direction: "credit", cents: 10_01n, texts: ["nobody"] }]);
  });

  test("are written by themselves in the evening of an open day, if something happened", async () => {
    const statementsSince = async (known: readonly BankFile[]) =>
      (await filesSince(known)).filter(({ format }) => format === "camt.053");
    // Everything that nobody claimed goes back before.
    await pass(7 * dayS);
    const known = await files();
    await app.as("master").sandbox.wire({ reference: "nobody", amountUsd: "10.02" });
    await pass(7 * dayS);
    const written = await statementsSince(known);
    expect(written.map(({ entryCount }) => entryCount)).toEqual([1, 1]);
    const { to, lines } = await lastStatement();
    expect(new Date(to).toISOString()).toMatch(/T22:00:00\.000Z$/);
    expect(lines).toMatchObject([{ direction: "debit", cents: 10_02n }]);
    const all = await files();
    await pass(3 * dayS);
    expect(await statementsSince(all)).toEqual([]);
  });

  test("were all taken in without a question", async () => {
    const taken = await app.db.query(sql`
      select name, state, problem from bank_files
      where direction = 'in' and (state <> 'taken' or problem is not null)
        and not (format = 'nacha_return' and problem like '%argues about%')`);
    expect(taken).toEqual([]);
    const [sums] = await app.db.query<{ closing: string; balance: string }>(sql`
      select (select closing_cents from bank_statements order by to_at desc limit 1) as closing,
        (select balance from sandbox_balances where account = 'bank:main:USD') as balance`);
    expect(sums?.closing).toBe(sums?.balance);
  });

  test("agree with the books, line by line", async () => {
    await compareWithBooks();
    const reports = await app.db.query<{ differences: object[] }>(sql`
      select differences from reconciliations where subject = 'bank'`);
    expect(reports.length).toBeGreaterThan(5);
    expect(reports.flatMap(({ differences }) => differences)).toEqual([]);
  });
});
