import { hash } from "node:crypto";
import { once } from "../../src/accounts/once.ts";
import { insertUser } from "../../src/accounts/store/users.ts";
import type { Database, Transaction } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { WithHeaders } from "../../src/http/answer.ts";
import { assert } from "../../src/lib/errors.ts";
import { asCents, asUnits } from "../../src/lib/money.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { openSealer } from "../../src/lib/seal.ts";
import { createTransaction } from "../../src/ramp/create-transaction.ts";
import type { RampContext } from "../../src/ramp/engine.ts";
import { readNewTransaction } from "../../src/ramp/new-transaction.ts";
import { insertBankAccount } from "../../src/ramp/store/bank-accounts.ts";
import { findAnyRamp } from "../../src/ramp/store/transactions.ts";
import { insertWallet } from "../../src/ramp/store/wallets.ts";
import type { Ramp } from "../../src/ramp/transaction.ts";
import { sendDeposit } from "../../src/sandbox/ramp/deposits.ts";
import { seedSandboxFunds } from "../../src/sandbox/ramp/funds.ts";
import { receiveWire, wireFor } from "../../src/sandbox/ramp/wires.ts";
import { manualClock } from "../manual-clock.ts";

/** A Wednesday noon in New York, with no holiday near. */
export const noon = Date.UTC(2026, 3, 15, 16);

const userId = "usr-77";
const walletId = "wal-77";
const walletAddress = "0x00000000000000000000000000000000000ADA77";
const goodAccount = "bac-77";
/** The sandbox's bank sends back what is paid to it: there is no such account. */
const badAccount = "bac-78";

export const sealer = openSealer({
  keys: [Buffer.alloc(32, 1)],
  digestKey: Buffer.alloc(32, 2),
  random: systemRandom,
});

type Story = {
  request: Parameters<typeof readNewTransaction>[0];
  /** What the customer does once the transaction is there. */
  pay(tx: Transaction, ramp: Ramp, at: number): Promise<void>;
};

/** Whole lives of transactions that end by themselves. */
export const stories = {
  "a sale paid by ACH": { request: saleTo(goodAccount, "ACH"), pay: sendTokens },
  "a sale paid by wire": { request: saleTo(goodAccount, "WIRE"), pay: sendTokens },
  "a purchase": { request: purchase(), pay: (tx, ramp, at) => sendWire(tx, ramp, at, 250_50n) },
  /** The odd cents stand for somebody else as the sender. */
  "a purchase that is refunded": {
    request: purchase(),
    pay: (tx, ramp, at) => sendWire(tx, ramp, at, 7n),
  },
  "a sale whose payment comes back": { request: saleTo(badAccount, "ACH"), pay: sendTokens },
} as const satisfies Record<string, Story>;

export type StoryName = keyof typeof stories;

/** Which transaction a life is about: the same key names the same one in every life. */
export type Plot = { story: StoryName; key: string };

/** Does what the customer has to do and has not done yet: create the transaction, and pay for it. */
export async function startStory(
  { context, outside }: { context: RampContext; outside: Database },
  { story, key }: Plot,
): Promise<string> {
  const [noted] = await outside.query<{ id: string }>(
    sql`select id from notes_of_customer where key = ${key}`,
  );
  if (noted) return noted.id;
  const id = await createOnce(context, story, key);
  await outside.transact(async (tx) => {
    const ramp = await findAnyRamp(tx, id);
    assert(ramp, `${id} was answered, so it is there`);
    await stories[story].pay(tx, ramp, context.clock.now());
    await tx.query(sql`insert into notes_of_customer (key, id) values (${key}, ${id})`);
  });
  return id;
}

/** Creates the transaction of a story, as a customer does who repeats the request until it is answered. */
async function createOnce(context: RampContext, story: StoryName, key: string): Promise<string> {
  const caller = { keyId: "key-1", userId, scopes: new Set<string>() };
  const idempotency = {
    key,
    route: "POST /transactions",
    fingerprint: hash("sha256", story, "buffer"),
    serialize: (content: object) => JSON.stringify(content),
  };
  const answer = await once(context, { caller, idempotency }, async (tx) => {
    const request = readNewTransaction(stories[story].request);
    const { id } = await createTransaction(tx, { ...context, settings: {} }, userId, request);
    return { id };
  });
  assert(answer instanceof WithHeaders, "a request with a key has an answer that is kept");
  const { id } = JSON.parse(String(answer.content.plain)) as { id: string };
  return id;
}

async function sendTokens(tx: Transaction, ramp: Ramp, at: number): Promise<void> {
  assert(ramp.type === "OFF_RAMP", "tokens are sent for a sale");
  await sendDeposit(tx, {
    ...{ transactionHash: `0x${ramp.id}`, blockchain: "base", currency: "USDC" },
    ...{ address: ramp.depositAddress, fromAddress: walletAddress },
    ...{ units: asUnits(100_000_000n), blockTime: new Date(at) },
  });
}

async function sendWire(tx: Transaction, ramp: Ramp, at: number, cents: bigint): Promise<void> {
  assert(ramp.type === "ON_RAMP", "a wire is sent for a purchase");
  const names = { bankReference: `IMAD ${ramp.id}`, senderName: "Ada Lovelace" };
  await receiveWire(tx, wireFor(ramp, asCents(cents), names), at);
}

function saleTo(bankAccountId: string, settlementMethod: "ACH" | "WIRE") {
  const token = { walletId, blockchain: "base", currency: "USDC" };
  return {
    settlementMethod,
    sourceOrder: { ...token, quantity: "100" },
    destinationOrder: { bankAccountId, currency: "USD" },
  };
}

function purchase() {
  return {
    settlementMethod: "WIRE",
    sourceOrder: { bankAccountId: goodAccount, currency: "USD", quantity: "250.5" },
    destinationOrder: { walletId, blockchain: "base", currency: "USDC" },
  };
}

/** Puts a customer into a new database, and money into both books. */
export async function populate(db: Database): Promise<void> {
  const clock = manualClock(noon);
  const now = new Date(noon);
  const place = { line1: "1 Main St", line2: null, city: "Austin", province: "TX" };
  const address = { ...place, country: "UNITED_STATES" };
  const holder = { ...address, fullName: "Ada Lovelace", phone: "+15125550100" };
  await seedSandboxFunds(db, clock);
  await db.query(sql`create table notes_of_customer (key text primary key, id text not null)`);
  await db.query(sql`create table told_twice (reference text not null)`);
  await db.transact(async (tx) => {
    const person = { masterId: null, name: "Ada Lovelace", email: "ada@example.org" };
    await insertUser(tx, { id: userId, ...person, verification: "approved", now });
    const wallet = { id: walletId, userId, blockchain: "base", address: walletAddress } as const;
    await insertWallet(tx, { ...wallet, now });
    for (const [id, accountNumber] of [
      [goodAccount, "123456789"],
      [badAccount, "550000003"],
    ] as const) {
      await insertBankAccount(
        tx,
        { sealer },
        {
          ...{ id, userId, routingNumber: "021000021", accountNumber, accountType: "checking" },
          ...{ bankName: "A Bank", bankAddress: address, now },
          holder: { ...holder, postalCode: "78701" },
        },
      );
    }
  });
}
