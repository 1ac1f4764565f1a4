import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bytes, insertDeployment, insertTokens } from "../../../test/dex-fixture.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { testSealing, testSecret, useApp } from "../../../test/test-app.ts";
import { createTestDatabase } from "../../../test/test-database.ts";
import { startService, temporaryFolder } from "../../../test/test-service.ts";
import { openMarket } from "../../cex/store/markets.ts";
import { insertTrades } from "../../cex/store/write-trades.ts";
import { readConfig } from "../../config.ts";
import type { Address } from "../../database/address.ts";
import { listSequences, listTables, quoted } from "../../database/backup/catalog.ts";
import { type Database, openDatabase } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { systemClock as clock } from "../../lib/clock.ts";
import { systemRandom as random } from "../../lib/random.ts";
import { ledgerAccounts } from "../../ramp/ledger/accounts.ts";
import { bookOpening } from "../../ramp/ledger/book.ts";
import { backUp, restore } from "./backup-installation.ts";

const app = useApp();
const folder = temporaryFolder();
const file = join(folder, "all.backup");
const encryptionKeys = testSealing.keys.map((key) => key.toString("base64"));
const asConfigured = { SLIPWAY_SECRET: testSecret, SLIPWAY_ENCRYPTION_KEYS: encryptionKeys.join() };

/** Both quiet and told. */
const quiet = { log: silentLog, clock, progressed: () => {}, checked: () => {} };

beforeAll(async () => {
  await fillRamp();
  await fillMarkets();
});

/** A purchase that is completed, and a sale that came back. */
async function fillRamp(): Promise<void> {
  const { ramp, sandbox } = app.as("master");
  const wallet = await ramp.wallets.create({
    address: "0xde709f2102306220921060314715629080e2fb77",
    blockchain: "base",
  });
  const bank = await ramp.bankAccounts.create({
    ...{ routingNumber: "021000021", accountNumber: "9876543210" },
    billingDetails: {
      ...{ fullName: "Sandbox Master", line1: "1 Main Street", city: "New York", province: "NY" },
      ...{ postalCode: "10001", country: "US", phone: "+1 212 555 0123" },
    },
  });
  const crypto = { walletId: wallet.id, blockchain: "base", currency: "USDC" };
  const dollars = { bankAccountId: bank.id, currency: "USD" };
  const purchase = await ramp.transactions.create({
    settlementMethod: "WIRE",
    sourceOrder: { ...dollars, quantity: "500" },
    destinationOrder: crypto,
  });
  await sandbox.wire({ transactionId: purchase.id, amountUsd: "500.00" });
  const sale = await ramp.transactions.create({
    settlementMethod: "ACH",
    sourceOrder: { ...crypto, quantity: "100" },
    destinationOrder: dollars,
  });
  await sandbox.deposit({ transactionId: sale.id, quantity: "100" });
  await sandbox.advanceClock(10 * 24 * 3_600);
  await sandbox.achReturn({ transactionId: sale.id, code: "R03" });
  await ramp.webhooks.create({ url: "http://localhost:9/hook" });
}

async function fillMarkets(): Promise<void> {
  const { db } = app;
  const deployment = await insertDeployment(db);
  const texts = ["\\N", "a\tb\nc\\.\r", "", "\\.", "ünïcödé 🦆"];
  await insertTokens(
    db,
    texts.map((name, index) => ({ deployment, token: index + 1, address: bytes(index + 1), name })),
  );
  const { id: market } = await openMarket(db, { exchange: "kraken", market: "BTC-USD" });
  const trades = [Date.UTC(2026, 9, 31), Date.UTC(2026, 10, 1)].map((time, index) => ({
    ...{ id: `t${index}`, time, price: "100.50", size: "0.10", side: "buy" as const },
  }));
  await db.transact((tx) => insertTrades(tx, [{ market, trades }]));
}

function backUpApp(to: string, withSecrets = false) {
  const installation = { addresses: [app.address], secret: testSecret, sealing: testSealing };
  const config = { mode: "sandbox" as const, dataFolder: folder };
  return backUp({ ...quiet, config, installation, file: to, withSecrets });
}

type Target = { address: Address; db: Database };

async function emptyTarget(): Promise<Target> {
  const { address, drop } = await createTestDatabase();
  const db = openDatabase({ ...quiet, addresses: [address], poolSize: 2, random });
  onTestFinished(async () => {
    await db.close();
    await drop();
  });
  return { address, db };
}

function restoreInto(
  { address }: Pick<Target, "address">,
  from: string,
  env: Record<string, string> = asConfigured,
) {
  const { config } = readConfig({ SLIPWAY_DATA: temporaryFolder(), ...env });
  const open = async () => ({ addresses: [address], close: async () => {} });
  return restore({ ...quiet, config, open, file: from, despiteMissingKeys: false });
}

async function contents(db: Database): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const { name, columns, partition } of await listTables(db)) {
    const rows = await db.query<{ text: string }>(
      sql`select row::text as text from ${quoted(name)} row order by 1`,
    );
    all[name] = [JSON.stringify({ columns, partition }), ...rows.map(({ text }) => text)];
  }
  return all;
}

/** The service writes down who asked for what whenever it finds the time. */
function withoutRequests(all: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => !name.startsWith("api_request")),
  );
}

describe("a backup", () => {
  test("restored into another database is the same, table by table, and the service runs on it", async () => {
    const written = await backUpApp(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = await contents(app.db);
    expect(written).toMatchObject({ bytes: statSync(file).size });
    for (const table of ["entries", "ramp_steps", "dex_tokens", "cex_trades_2026_10", "bank_files"])
      expect(before[table]?.length, table).toBeGreaterThan(1);

    const target = await emptyTarget();
    const restored = await restoreInto(target, file);
    const after = await contents(target.db);
    const rows = Object.values(after).reduce((sum, { length }) => sum + length - 1, 0);
    expect([written.rows, restored.rows, restored.mode]).toEqual([rows, rows, "sandbox"]);
    expect(withoutRequests(after)).toEqual(withoutRequests(before));
    const sequences = async ({ db }: Pick<Target, "db">) =>
      (await listSequences(db)).filter(({ name }) => !name.startsWith("api_request"));
    expect(await sequences(target)).toEqual(await sequences(app));
    await expect(target.db.query(sql`delete from entries`)).rejects.toThrow();

    const { user, host, database } = target.address;
    const url = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`;
    const env = { DATABASE_URL: url, ...asConfigured };
    const service = await startService({ env });
    const response = await fetch(`${service.url}/operator/invariants`, {
      headers: { apiKey: "slp_sandbox_operator" },
    });
    const { ok, checks } = (await response.json()) as { ok: boolean; checks: { ok: boolean }[] };
    expect(checks.filter((check) => !check.ok)).toEqual([]);
    expect({ ok, count: checks.length }).toEqual({ ok: true, count: 12 });
    expect(await service.stop()).toBe(0);
  });

  test("has what was there at one moment, though others write meanwhile", async () => {
    const racing = join(folder, "racing.backup");
    let isWriting = true;
    const write = async () => {
      for (let count = 0; isWriting; count++) {
        await app.db.transact((tx) =>
          bookOpening(tx, ledgerAccounts.bank(), 1n, `race ${count}`, new Date(clock.now())),
        );
      }
    };
    const writing = write();
    await backUpApp(racing);
    isWriting = false;
    await writing;
    const target = await emptyTarget();
    await restoreInto(target, racing);
    const [crooked] = await target.db.query(sql`
      select name from ledger_accounts where balance <>
        (select coalesce(sum(amount), 0) from entries where account = name)`);
    expect(crooked).toBeUndefined();
  });

  test("is refused when any byte was changed or is missing, and nothing was touched", async () => {
    const whole = readFileSync(file);
    const damaged = join(folder, "damaged.backup");
    const open = () => Promise.reject(new Error("touched"));
    const { config } = readConfig({ SLIPWAY_DATA: folder, ...asConfigured });
    const attempt = (content: Uint8Array) => {
      writeFileSync(damaged, content);
      return restore({ ...quiet, config, open, file: damaged, despiteMissingKeys: false });
    };
    await expect(attempt(whole)).rejects.toThrow("touched");
    const place = fc.nat(whole.length - 1);
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const flipped = Buffer.from(whole);
        flipped[at] = (flipped[at] ?? 0) ^ change;
        await expect(attempt(flipped)).rejects.toThrow(/is damaged|is not a backup/);
        await expect(attempt(whole.subarray(0, at))).rejects.toThrow(/is damaged|is not a backup/);
      }),
      {
        numRuns: 40,
        examples: [
          [0, 1],
          [whole.length - 1, 1],
          [17, 1],
        ],
      },
    );
    await expect(attempt(Buffer.concat([whole, Buffer.of(0)]))).rejects.toThrow("is damaged");
  });

  test("is not mixed with what is there already", async () => {
    const before = withoutRequests(await contents(app.db));
    await expect(restoreInto(app, file)).rejects.toThrow(/not empty: there are rows in \w+/);
    expect(withoutRequests(await contents(app.db))).toEqual(before);
  });

  test("that fails on the way leaves nothing behind", async () => {
    const target = await emptyTarget();
    const before = await contents(target.db);
    await target.db.query(sql`alter table ramp_events add check (sequence < 3)`);
    await expect(restoreInto(target, file)).rejects.toThrow("ramp_events");
    expect(await contents(target.db)).toEqual(before);
  });

  test("of another schema is refused", async () => {
    const target = await emptyTarget();
    await target.db.query(sql`delete from schema_migrations where number > 10`);
    await expect(restoreInto(target, file)).rejects.toThrow("this database has schema 10");
  });

  test("never takes the place of a file", async () => {
    const taken = join(folder, "taken");
    writeFileSync(taken, "mine");
    await expect(async () => backUpApp(taken)).rejects.toThrow("exists already");
    await expect(backUpApp(join(folder, "nowhere", "x"))).rejects.toThrow("cannot be written");
  });
});

describe("the secrets of a backup", () => {
  test("have to be there", async () => {
    const target = await emptyTarget();
    await expect(restoreInto(target, file, {})).rejects.toThrow("is not here");
    const other = { ...asConfigured, SLIPWAY_SECRET: "x".repeat(40) };
    await expect(restoreInto(target, file, other)).rejects.toThrow("is another one");
    const keys = Buffer.alloc(32, 9).toString("base64");
    const unread = { ...asConfigured, SLIPWAY_ENCRYPTION_KEYS: keys };
    await expect(restoreInto(target, file, unread)).rejects.toThrow("1 of the backup's 1");
    const live = { ...asConfigured, SLIPWAY_MODE: "live" };
    await expect(restoreInto(target, file, live)).rejects.toThrow("Set SLIPWAY_MODE=sandbox");
  });

  test("are put into the data folder when the backup has them, and taken away when it fails", async () => {
    const withSecrets = join(folder, "with-secrets.backup");
    await backUpApp(withSecrets, true);
    const dataFolder = temporaryFolder();
    const env = { SLIPWAY_DATA: dataFolder };
    await expect(restoreInto(app, withSecrets, env)).rejects.toThrow("not empty");
    expect(() => readFileSync(join(dataFolder, "secret"))).toThrow("ENOENT");
    await restoreInto(await emptyTarget(), withSecrets, env);
    expect(readFileSync(join(dataFolder, "secret"), "utf8")).toBe(testSecret);
    expect(readFileSync(join(dataFolder, "encryption-keys"), "utf8").trim()).toBe(
      encryptionKeys.join("\n"),
    );
    expect(statSync(join(dataFolder, "encryption-keys")).mode & 0o777).toBe(0o600);
  });
});
