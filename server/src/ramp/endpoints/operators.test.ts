import type { BankAccount, NewTransaction, Wallet } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import {
  newBankAccount,
  newWallet,
  purchaseBody,
  saleBody,
} from "../../../test/payment-methods.ts";
import { useApp } from "../../../test/test-app.ts";

const app = useApp();
const ramp = () => app.as("master").ramp;
const sandbox = () => app.as("master").sandbox;
const operator = () => app.as("operator").operator;

let wallet: Wallet;
let bankAccount: BankAccount;
beforeAll(async () => {
  wallet = await newWallet(app.as("master"));
  bankAccount = await newBankAccount(app.as("master"));
});

async function newSale(destination: object = {}): Promise<string> {
  const body = saleBody({ wallet, bankAccount }, {}, { ...destination });
  return (await ramp().transactions.create(body as NewTransaction)).id;
}
async function newPurchase(to: { id: string } = wallet): Promise<string> {
  const body = purchaseBody({ wallet: to, bankAccount });
  return (await ramp().transactions.create(body as NewTransaction)).id;
}
/** A purchase that somebody else has paid for. */
async function heldPurchase(): Promise<string> {
  const transactionId = await newPurchase();
  await sandbox().wire({ transactionId, amountUsd: "250.50", senderName: "Somebody Else" });
  return transactionId;
}
const stateOf = async (id: string) => (await ramp().transactions.status(id)).state;
const reviewOf = async (id: string) =>
  (await operator().reviews({ limit: 1000 })).find(({ transaction }) => transaction.id === id);

/** The audit log's newest lines: action, target and detail. */
const deeds = async (count: number) =>
  (await operator().audit.list({ limit: count })).map(({ action, target, detail }) => [
    action,
    target,
    detail,
  ]);

describe("decisions", () => {
  test("a held purchase is reviewed, and goes on when it is released", async () => {
    const id = await heldPurchase();
    expect(await reviewOf(id)).toEqual({
      transaction: {
        ...(await ramp().transactions.get(id)),
        state: "IN_REVIEW",
        reason: "third_party_sender",
        priceSources: ["sandbox"],
      },
      explanation: expect.stringMatching(/\.$/),
      unblockedBy: expect.any(String),
      deadline: expect.stringMatching(/^\d{4}-/),
      actions: ["release", "refund"],
    });
    await expect(operator().transactions.retry(id, "again")).rejects.toMatchObject({
      status: 409,
      messages: [`Transaction ${id} is IN_REVIEW: retry is not possible, but release and refund`],
    });
    const released = await operator().transactions.release(id, "the sender is the wife 👍");
    expect(released).toMatchObject({ id, state: "FUNDS_RECEIVED", reason: null, flaggedAt: null });
    expect(await deeds(1)).toEqual([
      [
        "transaction.release",
        id,
        { note: "the sender is the wife 👍", from: "IN_REVIEW", to: "FUNDS_RECEIVED" },
      ],
    ]);
    await sandbox().advanceClock(3_600);
    expect(await stateOf(id)).toBe("COMPLETED");
    await expect(operator().transactions.refund(id, "too late")).rejects.toMatchObject({
      messages: [`Transaction ${id} is COMPLETED: refund is not possible, and nothing else is`],
    });
  });

  test("a held purchase goes back when it is refunded, once for one key", async () => {
    const id = await heldPurchase();
    const options = { idempotencyKey: "refund it" };
    const refunded = await operator().transactions.refund(id, "unknown sender", options);
    expect(refunded.state).toBe("REFUND_PENDING");
    expect(await operator().transactions.refund(id, "unknown sender", options)).toEqual(refunded);
    await sandbox().advanceClock(4 * 86_400);
    expect(await stateOf(id)).toBe("REFUNDED");
    const { payouts, wires } = await operator().transactions.get(id);
    expect(payouts).toMatchObject([
      { purpose: "refund", rail: "wire", asset: "USD", quantity: "250.50", state: "settled" },
    ]);
    expect(wires).toMatchObject([
      { senderName: "Somebody Else", amountUsd: "250.50", state: "matched", transactionId: id },
    ]);
  });

  test("a payout that failed is tried once more", async () => {
    const address = `0x${"11".repeat(18)}beef`;
    const failing = await ramp().wallets.create({ address, blockchain: "base" });
    const id = await newPurchase(failing);
    await sandbox().wire({ transactionId: id, amountUsd: "250.50" });
    await sandbox().advanceClock(3_600);
    expect(await stateOf(id)).toBe("PAYOUT_FAILED");
    expect((await reviewOf(id))?.actions).toEqual(["refund", "retry"]);
    expect(await operator().transactions.retry(id, "the node was ill")).toMatchObject({
      state: "PRICED",
    });
  });

  test("money that came back after its delivery can be written off", async () => {
    const late = await newBankAccount(app.as("master"), { accountNumber: "77000923" });
    const id = await newSale({ bankAccountId: late.id });
    await sandbox().deposit({ transactionId: id, quantity: "100" });
    await sandbox().advanceClock(21 * 86_400);
    expect(await reviewOf(id)).toMatchObject({
      transaction: { state: "RETURNED_AFTER_COMPLETION" },
      actions: ["refund", "writeOff"],
    });
    expect(await operator().transactions.writeOff(id, "the heirs are sought")).toMatchObject({
      state: "WRITTEN_OFF",
      reason: "written_off",
    });
  });

  test("400 and 404: a note is required, and the transaction has to be there", async () => {
    const id = await heldPurchase();
    for (const note of ["", "\u0000", "half \ud800", "x".repeat(501)]) {
      await expect(operator().transactions.release(id, note)).rejects.toMatchObject({
        status: 400,
        messages: ["note must be 1 to 500 characters that say why"],
      });
    }
    for (const missing of ["txn-9", "nonsense"]) {
      await expect(operator().transactions.release(missing, "why not")).rejects.toMatchObject({
        status: 404,
        messages: [`Transaction ${missing} was not found`],
      });
    }
  });
});

describe("what operators see of transactions", () => {
  test("all of everybody's, in pages and by what they are", async () => {
    const id = await newSale();
    const all = await operator().transactions.list({ limit: 1000 });
    expect(all[0]).toEqual({
      ...(await ramp().transactions.get(id)),
      state: "AWAITING_DEPOSIT",
      reason: null,
      priceSources: ["sandbox"],
    });
    const walked: string[] = [];
    for await (const transaction of operator().transactions.list({ limit: 3 })) {
      walked.push(transaction.id);
    }
    expect(walked).toEqual(all.map((transaction) => transaction.id));
    const flagged = await operator().transactions.list({ flagged: true, limit: 1000 });
    expect(flagged).toEqual(all.filter(({ flaggedAt }) => flaggedAt !== null));
    const { list } = operator().transactions;
    expect(await list({ userId: "usr-9" })).toEqual([]);
    expect(await list({ state: "AWAITING_DEPOSIT", type: "OFF_RAMP" })).toContainEqual(all[0]);
    await expect(list({ after: "txn-9" })).rejects.toMatchObject({ status: 400 });
  });

  test("everything about one", async () => {
    const id = await newSale();
    await sandbox().deposit({ transactionId: id, quantity: "100" });
    await sandbox().advanceClock(3_600);
    const file = await operator().transactions.get(id);
    expect(file.status).toEqual(await ramp().transactions.status(id));
    expect(file.ledger).toEqual(await ramp().transactions.ledger(id));
    expect(file.events).toEqual((await ramp().transactions.events(id)).events);
    expect(file.steps.map(({ version }) => version)).toEqual(
      file.steps.map((_, index) => index + 1),
    );
    expect(file.steps[0]).toMatchObject({ kind: "created", state: "AWAITING_DEPOSIT" });
    expect(file.steps.at(-1)?.state).toBe(file.transaction.state);
    expect(file.deposits).toMatchObject([
      { currency: "USDC", quantity: "100", use: "credited", state: "final", transactionId: id },
    ]);
    await expect(operator().transactions.get("txn-9")).rejects.toMatchObject({ status: 404 });
  });
});

describe("money that nobody could claim", () => {
  test("a wire is matched, or sent back", async () => {
    const id = await newPurchase();
    await sandbox().wire({ reference: "for my coins", amountUsd: "250.50" });
    await sandbox().wire({ reference: "a mistake", amountUsd: "11.00" });
    const [first, second] = await operator().wires.list({ state: "suspense" });
    expect(first).toMatchObject({
      amountUsd: "250.50",
      senderName: expect.any(String),
      senderAccount: expect.stringMatching(/^\*{4}.{0,4}$/),
      texts: expect.arrayContaining(["for my coins"]),
      transactionId: null,
      deadline: expect.any(String),
    });
    const matched = await operator().wires.match(first?.id ?? "", id);
    expect(matched).toMatchObject({ state: "matched", transactionId: id, deadline: null });
    expect((await ramp().transactions.ledger(id)).map(({ kind }) => kind)).toContain(
      "wire_matched",
    );
    const returned = await operator().wires.return(second?.id ?? "", "nobody knows it");
    expect(returned).toMatchObject({ state: "returning" });
    expect(await deeds(2)).toEqual([
      ["wire.return", second?.id, { note: "nobody knows it" }],
      ["wire.match", first?.id, { transactionId: id }],
    ]);
    await expect(operator().wires.return(second?.id ?? "", "again")).rejects.toMatchObject({
      status: 409,
    });
    await expect(operator().wires.match("wir-9", id)).rejects.toMatchObject({ status: 404 });
    await expect(operator().wires.match("wire", id)).rejects.toMatchObject({ status: 404 });
    expect(await operator().wires.list({ state: "suspense" })).toEqual([]);
    expect(await operator().wires.list({ limit: 1 })).toHaveLength(1);
  });

  test("a wire from an account that the bank did not tell goes back when somebody names it", async () => {
    const id = await newPurchase();
    const odd = { transactionId: id, amountUsd: "0.11", senderName: "Sue Sender" };
    const { bankReference } = await sandbox().wire(odd);
    await operator().transactions.refund(id, "she is not the customer");
    await sandbox().advanceClock(3_600);
    expect(await stateOf(id)).toBe("REFUND_FAILED");
    const wires = await operator().wires.list({ limit: 1000 });
    const wireId = wires.find((wire) => wire.bankReference === bankReference)?.id ?? "";
    const account = { routingNumber: "021000021", accountNumber: "77001234" };
    const sender = { name: "Sue Sender", ...account, note: "her bank says so" };
    const refused: [id: string, change: Partial<typeof sender>, status: number][] = [
      [wireId, { routingNumber: "021000022" }, 400],
      [wireId, { accountNumber: "" }, 400],
      [wireId, { name: "Sanctioned Sender" }, 403],
      ["wir-9", {}, 404],
    ];
    for (const [wire, change, status] of refused) {
      const asked = operator().wires.sender(wire, { ...sender, ...change });
      await expect(asked).rejects.toMatchObject({ status });
    }
    expect(await operator().wires.sender(wireId, sender)).toMatchObject({ state: "matched" });
    const detail = { ...sender, accountNumber: "****1234" };
    expect(await deeds(1)).toEqual([["wire.sender", wireId, detail]]);
    await expect(operator().wires.sender(wireId, sender)).rejects.toMatchObject({ status: 409 });
    await operator().transactions.retry(id, "now we know");
    await sandbox().advanceClock(86_400 * 4);
    expect(await stateOf(id)).toBe("REFUNDED");
  });

  test("a deposit of another token is sent to the customer's wallet", async () => {
    const id = await newSale();
    await sandbox().deposit({ transactionId: id, quantity: "50", currency: "USDT" });
    await sandbox().advanceClock(1_800);
    const [deposit] = await operator().deposits.list({ use: "suspense" });
    expect(deposit).toMatchObject({ currency: "USDT", quantity: "50", transactionId: id });
    expect(await operator().deposits.return(deposit?.id ?? "", "the wrong token")).toMatchObject({
      id: deposit?.id,
      use: "returning",
    });
    await expect(operator().deposits.return("dep-9", "nothing")).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe("the books", () => {
  test("balance, account by account and as a whole", async () => {
    const balances = await operator().ledger.trialBalance();
    expect(balances.map(({ asset }) => asset)).toEqual(
      expect.arrayContaining(["USD", "USDC.base"]),
    );
    for (const { debits, credits, difference } of balances) {
      expect(debits).toBe(credits);
      expect(Number(difference)).toBe(0);
    }
    const accounts = await operator().ledger.accounts({ prefix: "bank:" });
    expect(accounts).toEqual([
      { name: "bank:main:USD", asset: "USD", balance: expect.stringMatching(/^-\d+\.\d\d$/) },
    ]);
    const entries = await operator().ledger.entries("bank:main:USD", { limit: 1000 });
    const sum = entries.reduce(
      (total, { debit, credit }) => total + Number(credit ?? 0) - Number(debit ?? 0),
      0,
    );
    expect(sum).toBeCloseTo(Number(accounts[0]?.balance), 2);
    const [newest, next] = entries;
    const rest = await operator().ledger.entries("bank:main:USD", {
      limit: 1,
      after: String(newest?.journal),
    });
    expect(rest).toEqual([next]);
    expect(await operator().ledger.accounts({ limit: 1, after: "bank:main:USD" })).toHaveLength(1);
    await expect(operator().ledger.entries("bank:other:USD")).rejects.toMatchObject({
      status: 404,
    });
    await expect(operator().ledger.entries("\u0000")).rejects.toMatchObject({ status: 404 });
  });

  test("are right", async () => {
    const { ok, checks } = await operator().invariants();
    expect(checks.filter((check) => !check.ok)).toEqual([]);
    expect([ok, checks.length]).toEqual([true, 12]);
  });
});

describe("what goes out", () => {
  test("payouts and the batches they go in", async () => {
    const payouts = await operator().payouts({ limit: 1000 });
    expect(payouts.length).toBeGreaterThan(3);
    expect(await operator().payouts({ limit: 1, after: payouts[0]?.id ?? "" })).toEqual([
      payouts[1],
    ]);
    const settled = await operator().payouts({ state: "settled", limit: 1000 });
    expect(settled).toEqual(payouts.filter(({ state }) => state === "settled"));
    const batches = await operator().payoutBatches();
    expect(batches.reduce((sum, { count }) => sum + count, 0)).toBe(payouts.length);
    for (const { count, states } of batches) {
      expect(Object.values(states).reduce((sum, one) => sum + one, 0)).toBe(count);
    }
    expect(await operator().payoutBatches({ from: "2999-01-01" })).toEqual([]);
  });

  test("kill switches are set, listed and cleared, and that is written down", async () => {
    const set = await operator().killSwitches.set("rail:ach", "the bank is closed");
    expect(set).toMatchObject({ name: "rail:ach", setBy: "sandbox_operator" });
    expect(await operator().killSwitches.list()).toEqual([set]);
    await operator().killSwitches.clear("rail:ach");
    expect(await operator().killSwitches.list()).toEqual([]);
    expect(await deeds(2)).toEqual([
      ["kill_switch.clear", "rail:ach", {}],
      ["kill_switch.set", "rail:ach", { reason: "the bank is closed" }],
    ]);
    await expect(operator().killSwitches.clear("rail:ach")).rejects.toMatchObject({ status: 404 });
    await expect(operator().killSwitches.set("everything", "why")).rejects.toMatchObject({
      status: 400,
      messages: ["name must be payouts, rail:ach, token:USDC, blockchain:base or the like"],
    });
  });
});

test("403: customers see and decide none of this", async () => {
  const asCustomer = app.as("master").operator;
  const calls = [
    () => asCustomer.transactions.list(),
    () => asCustomer.transactions.get("txn-1"),
    () => asCustomer.transactions.release("txn-1", "please"),
    () => asCustomer.transactions.refund("txn-1", "please"),
    () => asCustomer.transactions.retry("txn-1", "please"),
    () => asCustomer.transactions.writeOff("txn-1", "please"),
    () => asCustomer.reviews(),
    () => asCustomer.wires.list(),
    () => asCustomer.wires.match("wir-1", "txn-1"),
    () => asCustomer.wires.return("wir-1", "please"),
    () => asCustomer.deposits.list(),
    () => asCustomer.deposits.return("dep-1", "please"),
    () => asCustomer.ledger.accounts(),
    () => asCustomer.ledger.entries("bank:main:USD"),
    () => asCustomer.ledger.trialBalance(),
    () => asCustomer.payouts(),
    () => asCustomer.payoutBatches(),
    () => asCustomer.killSwitches.list(),
    () => asCustomer.killSwitches.set("payouts", "please"),
    () => asCustomer.killSwitches.clear("payouts"),
    () => asCustomer.invariants(),
  ];
  const statuses = await Promise.all(
    calls.map((call) => call().catch(({ status }: { status: number }) => status)),
  );
  expect(statuses).toEqual(calls.map(() => 403));
});
