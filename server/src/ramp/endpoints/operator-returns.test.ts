import type { NewTransaction, Wallet } from "@slipway/sdk";
import { beforeAll, expect, test } from "vitest";
import { newBankAccount, newWallet, saleBody } from "../../../test/payment-methods.ts";
import { useApp } from "../../../test/test-app.ts";

const app = useApp();
const ramp = () => app.as("master").ramp;
const sandbox = () => app.as("master").sandbox;
const operator = () => app.as("operator").operator;

let wallet: Wallet;
beforeAll(async () => {
  wallet = await newWallet(app.as("master"));
});

/** A sale whose payment by ACH came back with this code before it was delivered. */
async function returnedSale(code: string): Promise<string> {
  const bankAccount = await newBankAccount(app.as("master"));
  const body = saleBody({ wallet, bankAccount }) as NewTransaction;
  const { id: transactionId } = await ramp().transactions.create(body);
  await sandbox().deposit({ transactionId, quantity: "100" });
  await sandbox().advanceClock(900);
  for (let days = 0; (await stateOf(transactionId)) !== "PAYOUT_SUBMITTED"; days++) {
    expect(days).toBeLessThan(5);
    await sandbox().advanceClock(86_400);
  }
  await sandbox().achReturn({ transactionId, code });
  return transactionId;
}

const stateOf = async (id: string) => (await ramp().transactions.status(id)).state;
const reviewOf = async (id: string) =>
  (await operator().reviews({ limit: 1000 })).find(({ transaction }) => transaction.id === id);

/** The customer names another account, to which the money goes. */
async function deliverElsewhere(id: string): Promise<void> {
  const other = await newBankAccount(app.as("master"));
  await ramp().transactions.replaceBankAccount(id, other.id);
  await sandbox().advanceClock(12 * 86_400);
  expect(await stateOf(id)).toBe("COMPLETED");
}

const suspense = async () =>
  (await operator().ledger.accounts({ limit: 1000 })).find(({ name }) => name === "suspense:USD")
    ?.balance ?? "0.00";

test("a return that the bank has to explain lies in suspense until an operator releases it", async () => {
  expect(await suspense()).toBe("0.00");
  const id = await returnedSale("R10");
  expect(await suspense()).toBe("100.00");
  expect(await reviewOf(id)).toMatchObject({
    transaction: { state: "PAYOUT_RETURNED", reason: "unexplained_return" },
    actions: ["release", "writeOff"],
  });
  const { id: bankAccountId } = await newBankAccount(app.as("master"));
  await expect(ramp().transactions.replaceBankAccount(id, bankAccountId)).rejects.toMatchObject({
    status: 409,
  });
  await expect(operator().transactions.refund(id, "at once")).rejects.toMatchObject({
    status: 409,
    messages: [
      `Transaction ${id} is PAYOUT_RETURNED: refund is not possible, but release and writeOff`,
    ],
  });
  expect(await operator().transactions.release(id, "the bank mistyped R03")).toMatchObject({
    ...{ state: "PAYOUT_RETURNED", reason: "payout_returned" },
  });
  expect(await suspense()).toBe("0.00");
  await deliverElsewhere(id);
  expect((await operator().invariants()).checks.filter(({ ok }) => !ok)).toEqual([]);
});

test("one that nobody explains stays in suspense when an operator writes it off", async () => {
  const id = await returnedSale("R29");
  expect(await operator().transactions.writeOff(id, "the bank wants it back")).toMatchObject({
    state: "WRITTEN_OFF",
  });
  expect(await suspense()).toBe("100.00");
  expect((await operator().invariants()).checks.filter(({ ok }) => !ok)).toEqual([]);
});

test("a receiver's refusal is reviewed: the money goes back, or the customer names another account", async () => {
  const id = await returnedSale("R23");
  expect(await reviewOf(id)).toMatchObject({
    transaction: { state: "IN_REVIEW", reason: "returned_by_receiver" },
    ...{ actions: ["release", "refund"], deadline: null },
  });
  expect(await operator().transactions.release(id, "it was a mistake")).toMatchObject({
    ...{ state: "PAYOUT_RETURNED", reason: "payout_returned" },
  });
  await deliverElsewhere(id);
});
