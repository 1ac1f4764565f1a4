import { createHash } from "node:crypto";
import type { Address } from "../../server/src/database/address.ts";
import type { Database } from "../../server/src/database/database.ts";
import { sql, verbatim } from "../../server/src/database/sql.ts";
import type { OpenRamp } from "../../server/src/open-ramp.ts";
import type { TransactionRequest } from "../../server/src/ramp/new-transaction.ts";
import type { Ramp } from "../../server/src/ramp/transaction.ts";
import { sealing } from "../api.ts";
import { built, context, openBenchDatabase } from "../built.ts";
import { withDatabase } from "../postgres.ts";

const { findUser, insertUser } =
  await built<typeof import("../../server/src/accounts/store/users.ts")>("accounts/store/users");
const { once } = await built<typeof import("../../server/src/accounts/once.ts")>("accounts/once");
const { readConfig } = await built<typeof import("../../server/src/config.ts")>("config");
const { openRamp } = await built<typeof import("../../server/src/open-ramp.ts")>("open-ramp");
const { createTransaction } =
  await built<typeof import("../../server/src/ramp/create-transaction.ts")>(
    "ramp/create-transaction",
  );
const { readNewTransaction } =
  await built<typeof import("../../server/src/ramp/new-transaction.ts")>("ramp/new-transaction");
const { presentCreated } =
  await built<typeof import("../../server/src/ramp/present.ts")>("ramp/present");
const { insertBankAccount } = await built<
  typeof import("../../server/src/ramp/store/bank-accounts.ts")
>("ramp/store/bank-accounts");
const { insertWallet } =
  await built<typeof import("../../server/src/ramp/store/wallets.ts")>("ramp/store/wallets");
const { seedSandboxFunds } =
  await built<typeof import("../../server/src/sandbox/ramp/funds.ts")>("sandbox/ramp/funds");

/** What a transaction can be, and how it is paid. */
export type Kind = "sale by ACH" | "sale by WIRE" | "purchase";

/** A ramp of the sandbox with customers that have a wallet and a bank account each. */
export type Scene = { db: Database; ramp: OpenRamp; customers: readonly string[] };

/** The sandbox's verified account. */
export const master = "usr-10000000000001";

const numberOf = (userId: string) => userId.slice("usr-".length);

/** Ids of so many customers. */
export function customerIds(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `usr-${20_000_000_000_001 + n}`);
}

/** Opens a ramp on a database, and adds these customers unless they are there. */
export async function openScene(
  database: Address,
  customers: readonly string[],
  poolSize: number,
): Promise<Scene> {
  const db = openBenchDatabase(database, poolSize);
  const { config } = readConfig({});
  const settings = config.ramp;
  const ramp = await openRamp({ mode: "sandbox", sealing, settings }, { ...context, db });
  await seedSandboxFunds(db, context.clock);
  for (const userId of customers) await addCustomer(db, ramp, userId);
  return { db, ramp, customers };
}

/** A body that asks for a transaction of about 250 dollars. */
export function bodyFor(userId: string, kind: Kind): object {
  const walletId = `wal-${numberOf(userId)}`;
  const bankAccountId = `bac-${numberOf(userId)}`;
  const crypto = { walletId, blockchain: "base", currency: "USDC" };
  if (kind === "purchase") {
    return {
      settlementMethod: "WIRE",
      sourceOrder: { bankAccountId, currency: "USD", quantity: "250.50" },
      destinationOrder: crypto,
    };
  }
  return {
    settlementMethod: kind === "sale by ACH" ? "ACH" : "WIRE",
    sourceOrder: { ...crypto, quantity: "250.50" },
    destinationOrder: { bankAccountId, currency: "USD" },
  };
}

/** Reads a request as the endpoint does. */
export function requestFor(userId: string, kind: Kind): TransactionRequest {
  return readNewTransaction({ ...bodyFor(userId, kind) });
}

/** Creates a transaction as POST does: with its step, its event, and the answer for whoever asks again. */
export async function create(
  db: Database,
  ramp: OpenRamp,
  userId: string,
  request: TransactionRequest,
): Promise<Ramp> {
  const caller = { keyId: "bench", userId, scopes: new Set<string>() };
  const key = context.random.bytes(16).toString("hex");
  const idempotency = {
    key,
    route: "POST /v2/ramp/transactions",
    fingerprint: createHash("sha256").update(key).digest(),
    serialize: (content: object) => JSON.stringify(content),
  };
  let created: Ramp | undefined;
  await once({ ...ramp, db }, { caller, idempotency }, async (tx) => {
    created = await createTransaction(tx, { ...ramp, random: context.random }, userId, request);
    return presentCreated(created);
  });
  if (!created) throw new Error("Nothing was created.");
  return created;
}

/** The same database again under another name, as long as nobody is connected to it. */
export async function copyDatabase(of: Address, name: string): Promise<Address> {
  const server = { ...of, database: "postgres" };
  await withDatabase(server, async (db) => {
    await db.query(sql`${verbatim(`create database ${name} template ${of.database}`)}`);
  });
  return { ...of, database: name };
}

async function addCustomer(db: Database, { sealer }: OpenRamp, userId: string): Promise<void> {
  const number = numberOf(userId);
  const now = new Date(context.clock.now());
  await db.transact(async (tx) => {
    const person = { name: "Ada Lovelace", email: `${number}@bench.example` };
    if (!(await findUser(tx, userId))) {
      await insertUser(tx, {
        id: userId,
        masterId: null,
        ...person,
        verification: "approved",
        now,
      });
    }
    await insertWallet(tx, {
      id: `wal-${number}`,
      userId,
      blockchain: "base",
      address: `0x${number.padStart(40, "0")}`,
      now,
    });
    const place = { line1: "1 Harbour Street", line2: null, city: "New York", province: "NY" };
    const address = { ...place, country: "UNITED_STATES" };
    await insertBankAccount(
      tx,
      { sealer },
      {
        id: `bac-${number}`,
        userId,
        routingNumber: "021000021",
        accountNumber: `${number}1111`,
        holder: {
          ...address,
          fullName: "Ada Lovelace",
          phone: "+12125550123",
          postalCode: "10001",
        },
        accountType: "checking",
        bankName: "A bank",
        bankAddress: address,
        now,
      },
    );
  });
}
