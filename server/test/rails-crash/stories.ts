import { hash } from "node:crypto";
import { once } from "../../src/accounts/once.ts";
import { insertUser } from "../../src/accounts/store/users.ts";
import type { Database, Transaction } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { WithHeaders } from "../../src/http/answer.ts";
import { assert } from "../../src/lib/errors.ts";
import { createTransaction, usableBankAccount } from "../../src/ramp/create-transaction.ts";
import { applyStep, type RampContext } from "../../src/ramp/engine.ts";
import { ledgerAccounts } from "../../src/ramp/ledger/accounts.ts";
import { bookOpening } from "../../src/ramp/ledger/book.ts";
import { readNewTransaction } from "../../src/ramp/new-transaction.ts";
import { insertBankAccount } from "../../src/ramp/store/bank-accounts.ts";
import { findAnyRamp } from "../../src/ramp/store/transactions.ts";
import { insertWallet } from "../../src/ramp/store/wallets.ts";
import type { State } from "../../src/ramp/transaction.ts";
import { balanceOf, type LocalRpc } from "../../src/sandbox/ramp/local-chain/local-rpc.ts";
import { sealer } from "../ramp-crash/stories.ts";
import { chainKeys, customer, dollar, ether, listTransfers, payOnChain } from "./customer-chain.ts";
import { type SmallBank, unknownAccount } from "./small-bank.ts";

const userId = "usr-77";
const walletId = "wal-77";
const accounts = { good: "bac-77", unknown: "bac-78", other: "bac-79" } as const;

/** What our account at the bank starts with. */
export const bankOpening = 1_000_000_00n;

type Story = {
  request: Parameters<typeof readNewTransaction>[0];
  /** The account that the customer names when the payment came back. */
  otherAccount?: string;
};

/** Whole lives of transactions that end by themselves. */
export const stories = {
  "a purchase": {
    request: {
      settlementMethod: "WIRE",
      sourceOrder: { bankAccountId: accounts.good, currency: "USD", quantity: "250.5" },
      destinationOrder: { walletId, blockchain: "ethereum", currency: "USDC" },
    },
  },
  "a sale paid by ACH": { request: saleTo(accounts.good, "ACH") },
  "a sale paid by wire": { request: saleTo(accounts.good, "WIRE") },
  "a sale whose payment comes back": {
    request: saleTo(accounts.unknown, "ACH"),
    otherAccount: accounts.other,
  },
} as const satisfies Record<string, Story>;

export type StoryName = keyof typeof stories;

/** Which transaction a life is about: the same key names the same one in every life. */
export type Plot = {
  story: StoryName;
  key: string;
  /** How often the customer sends tokens: again when the chain took them back, unless told otherwise. */
  pays?: "once" | "never";
};

/** What the customer has at hand. */
export type CustomerContext = {
  context: RampContext;
  /** The world outside of the service, which does not die with it. */
  outside: Database;
  rpc: LocalRpc;
  bank: SmallBank;
};

function saleTo(bankAccountId: string, settlementMethod: "ACH" | "WIRE") {
  return {
    settlementMethod,
    sourceOrder: { walletId, blockchain: "ethereum", currency: "USDC", quantity: "100" },
    destinationOrder: { bankAccountId, currency: "USD" },
  };
}

/** Creates the transaction of a story, as a customer does who repeats the request until it is answered. */
export async function begin(
  { context, outside }: CustomerContext,
  { story, key }: Plot,
): Promise<string> {
  const [noted] = await outside.query<{ id: string }>(
    sql`select id from notes_of_customer where key = ${key}`,
  );
  if (noted) return noted.id;
  const created = await ask(context, { key, route: "POST /transactions" }, async (tx) => {
    const request = readNewTransaction(stories[story].request);
    const { id } = await createTransaction(tx, { ...context, settings: {} }, userId, request);
    return { id };
  });
  await outside.query(sql`insert into notes_of_customer (key, id) values (${key}, ${created})`);
  return created;
}

/** Does what the customer has to do by now and has not done: pay, and name another account for what came back. */
export async function goOn(
  { context, outside, rpc, bank }: CustomerContext,
  { story, key, pays }: Plot,
  id: string,
): Promise<void> {
  const ramp = await findAnyRamp(outside, id);
  assert(ramp, `${id} was answered, so it is there`);
  if (ramp.type === "ON_RAMP") {
    const wire = { reference: `IMAD-${id}`, cents: 250_50n, text: ramp.reference };
    return bank.receiveWire(wire, context.clock.now());
  }
  const isPaying = !pays || (pays === "once" && context.clock.now() === ramp.createdAt);
  if (isPaying && isUnpaid.has(ramp.state) && !(await isPaid(rpc, ramp.depositAddress)))
    await payOnChain(rpc, ramp.depositAddress, 100_000_000n);
  const { otherAccount }: Story = stories[story];
  if (ramp.state !== "PAYOUT_RETURNED" || !otherAccount) return;
  await ask(context, { key: `${key} again`, route: "POST /bankAccount" }, async (tx) => {
    const now = context.clock.now();
    const wanted = { userId, bankAccountId: otherAccount, receives: "ACH", now } as const;
    const { id: bankAccountId } = await usableBankAccount(tx, context, wanted);
    return applyStep(tx, context, id, { kind: "account_replaced", bankAccountId });
  });
}

/** Until a deposit is for good, the chain may take it back; then it is sent again. */
const isUnpaid: ReadonlySet<State> = new Set<State>(["AWAITING_DEPOSIT", "DEPOSIT_SEEN"]);

async function isPaid(rpc: LocalRpc, depositAddress: string): Promise<boolean> {
  return (await listTransfers(rpc, depositAddress)).length > 0;
}

/** Sends a request with an Idempotency-Key. Answers the id of the transaction that it is about. */
async function ask(
  context: RampContext,
  { key, route }: { key: string; route: string },
  work: (tx: Transaction) => Promise<{ id: string }>,
): Promise<string> {
  const caller = { keyId: "key-1", userId, scopes: new Set<string>() };
  const idempotency = {
    ...{ key, route, fingerprint: hash("sha256", route, "buffer") },
    serialize: (content: object) => JSON.stringify(content),
  };
  const answer = await once(context, { caller, idempotency }, async (tx) => {
    const { id } = await work(tx);
    return { id };
  });
  assert(answer instanceof WithHeaders, "a request with a key has an answer that is kept");
  return (JSON.parse(String(answer.content.plain)) as { id: string }).id;
}

/** Puts a customer into a new database, and books what the bank and the chain have for us. */
export async function populate(db: Database, rpc: LocalRpc, at: number): Promise<void> {
  const now = new Date(at);
  const place = { line1: "1 Main St", line2: null, city: "Austin", province: "TX" };
  const address = { ...place, country: "UNITED_STATES" };
  const holder = { ...address, fullName: "Ada Lovelace", phone: "+15125550100" };
  const hot = chainKeys.hot.address;
  const funds: [account: string, amount: bigint][] = [
    [ledgerAccounts.bank(), bankOpening],
    [ledgerAccounts.hot({ ...dollar, blockchain: "ethereum" }), await balanceOf(rpc, dollar, hot)],
    [ledgerAccounts.hot({ ...ether, blockchain: "ethereum" }), await balanceOf(rpc, ether, hot)],
  ];
  await db.query(sql`create table notes_of_customer (key text primary key, id text not null)`);
  await db.transact(async (tx) => {
    const person = { masterId: null, name: "Ada Lovelace", email: "ada@example.org" };
    await insertUser(tx, { id: userId, ...person, verification: "approved", now });
    const wallet = { id: walletId, userId, blockchain: "ethereum", address: customer } as const;
    await insertWallet(tx, { ...wallet, now });
    for (const [id, accountNumber] of [
      [accounts.good, "123456789"],
      [accounts.unknown, unknownAccount],
      [accounts.other, "987654321"],
    ] as const) {
      const account = { id, userId, routingNumber: "021000021", accountNumber, now } as const;
      await insertBankAccount(
        tx,
        { sealer },
        {
          ...{ ...account, accountType: "checking", bankName: "A Bank", bankAddress: address },
          holder: { ...holder, postalCode: "78701" },
        },
      );
    }
    for (const [account, amount] of funds)
      await bookOpening(tx, account, amount, `opening of ${account}`, now);
  });
}
