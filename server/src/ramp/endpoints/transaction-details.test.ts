import type { BankAccount, NewTransaction, Wallet } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import {
  newBankAccount,
  newWallet,
  purchaseBody,
  saleBody,
} from "../../../test/payment-methods.ts";
import { useApp } from "../../../test/test-app.ts";
import { systemClock } from "../../lib/clock.ts";
import { asPriceE18, asUnits } from "../../lib/money.ts";
import { systemRandom } from "../../lib/random.ts";
import { applyStep } from "../engine.ts";
import type { Step } from "../step.ts";

const app = useApp();
const path = "/v2/ramp/transactions";
const transactions = () => app.as("master").ramp.transactions;
const sandbox = () => app.as("master").sandbox;

let wallet: Wallet;
let bankAccount: BankAccount;
beforeAll(async () => {
  wallet = await newWallet(app.as("master"));
  bankAccount = await newBankAccount(app.as("master"));
});

const newSale = async (...fields: [source?: object, destination?: object, method?: string]) =>
  transactions().create(saleBody({ wallet, bankAccount }, ...(fields as [])) as NewTransaction);
const newPurchase = async () =>
  transactions().create(purchaseBody({ wallet, bankAccount }) as NewTransaction);
const step = (id: string, ...steps: Step[]) =>
  app.db.transact(async (tx) => {
    for (const one of steps) {
      await applyStep(tx, { clock: systemClock, random: systemRandom }, id, one);
    }
  });

describe("GET …/status", () => {
  test("200: what happens, what is waited for, and when a sale's money would arrive", async () => {
    const { id } = await newSale();
    const status = await transactions().status(id);
    expect(status).toEqual({
      id,
      state: "AWAITING_DEPOSIT",
      reason: null,
      explanation: expect.stringMatching(/\.$/),
      unblockedBy: expect.any(String),
      deadline: expect.stringMatching(/^\d{4}-/),
      priceLockedUntil: expect.stringMatching(/^\d{4}-/),
      estimatedSendDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      estimatedSettlementDate: {
        earliest: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        latest: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      },
      calendarVersion: expect.any(String),
      trace: null,
      updatedAt: (await transactions().get(id)).updatedAt,
    });
    const { earliest, latest } = status.estimatedSettlementDate ?? { earliest: "", latest: "" };
    expect([status.estimatedSendDate ?? "", earliest, latest]).toEqual(
      [status.estimatedSendDate ?? "", earliest, latest].sort(),
    );
  });

  test("200: a purchase has no such dates, and nor has what was stopped", async () => {
    const { id } = await newPurchase();
    expect(await transactions().status(id)).toMatchObject({
      state: "AWAITING_FUNDS",
      priceLockedUntil: null,
      estimatedSendDate: null,
      estimatedSettlementDate: null,
    });
    const stopped = await newSale();
    await transactions().cancel(stopped.id);
    expect(await transactions().status(stopped.id)).toMatchObject({
      state: "CANCELED",
      reason: "canceled",
      deadline: null,
      estimatedSendDate: null,
    });
  });
});

describe("GET …/instructions", () => {
  test("200: a wire with a reference in groups, and an address for crypto", async () => {
    const purchase = await newPurchase();
    expect(await transactions().instructions(purchase.id)).toEqual({
      id: purchase.id,
      method: "WIRE",
      amountUsd: "250.50",
      beneficiaryName: "Slipway Sandbox",
      beneficiaryAddress: expect.any(String),
      bankName: "Sandbox Bank",
      routingNumber: "021000021",
      accountNumber: "000123456789",
      reference: expect.stringMatching(/^RMP [0-9A-Z]{4} [0-9A-Z]{4} [0-9A-Z]+$/),
      expiresAt: expect.stringMatching(/^\d{4}-/),
    });
    const sale = await newSale();
    expect(await transactions().instructions(sale.id)).toEqual({
      id: sale.id,
      method: "CRYPTO",
      blockchain: "base",
      currency: "USDC",
      quantity: "100",
      address: sale.destinationOrder.walletAddress,
      priceLockedUntil: expect.stringMatching(/^\d{4}-/),
      expiresAt: expect.stringMatching(/^\d{4}-/),
    });
  });
});

describe("GET …/ledger", () => {
  test("200: what was booked, and each booking sums up to zero", async () => {
    const { id } = await newPurchase();
    expect(await transactions().ledger(id)).toEqual([]);
    const { reference } = (await transactions().instructions(id)) as { reference: string };
    await sandbox().wire({ reference, amountUsd: "250.50" });
    const lines = await transactions().ledger(id);
    expect(lines[0]).toEqual({
      journal: expect.any(Number),
      kind: "wire_matched",
      account: "bank:main:USD",
      asset: "USD",
      debit: "250.50",
      credit: null,
      createdAt: expect.stringMatching(/^\d{4}-/),
    });
    expect(lines[1]).toMatchObject({
      account: `transaction:${id}:USD`,
      debit: null,
      credit: "250.50",
    });
    const sums = new Map<string, number>();
    for (const { journal, asset, debit, credit } of lines) {
      const name = `${journal} ${asset}`;
      sums.set(name, (sums.get(name) ?? 0) + Number(credit ?? 0) - Number(debit ?? 0));
    }
    expect([...sums.values()].every((sum) => Math.abs(sum) < 1e-9)).toBe(true);
  });
});

describe("POST …/cancel", () => {
  test("200, and 409 when something has come", async () => {
    const { id } = await newPurchase();
    expect(await transactions().cancel(id)).toMatchObject({
      id,
      flaggedAt: expect.any(String),
      completedAt: null,
    });
    const paid = await newPurchase();
    await sandbox().wire({ transactionId: paid.id, amountUsd: "250.50" });
    await expect(transactions().cancel(paid.id)).rejects.toMatchObject({
      status: 409,
      messages: [`Transaction ${paid.id} can no longer be canceled`],
    });
    await expect(app.as("unverified").ramp.transactions.cancel(paid.id)).rejects.toMatchObject({
      status: 404,
      messages: [`Transaction ${paid.id} was not found`],
    });
  });
});

describe("POST …/accept", () => {
  test("200: a sale goes on at the price that has moved; 409 when there is none to accept", async () => {
    const { id } = await newSale({ currency: "ETH", quantity: "1" });
    await expect(transactions().accept(id)).rejects.toMatchObject({
      status: 409,
      messages: [`Transaction ${id} has no price to accept`],
    });
    const units = asUnits(10n ** 18n);
    const late = systemClock.now() + 3_600_000;
    await step(
      id,
      {
        kind: "deposit_final",
        depositId: "dep-1",
        units,
        blockTime: late,
        isFromRegistered: true,
      },
      { kind: "priced", priceE18: asPriceE18(3000n * 10n ** 18n), sources: ["test"] },
    );
    expect(await transactions().status(id)).toMatchObject({
      state: "IN_REVIEW",
      reason: "price_moved",
      deadline: expect.any(String),
    });
    const { flaggedAt } = await transactions().accept(id);
    expect(flaggedAt).toBeNull();
    expect((await transactions().status(id)).state).toBe("DEPOSIT_FINAL");
  });

  test("409: only a price can be accepted", async () => {
    const { id } = await newSale();
    await step(id, {
      kind: "deposit_final",
      depositId: "dep-2",
      units: asUnits(100_000_000n),
      blockTime: systemClock.now(),
      isFromRegistered: false,
    });
    await step(id, { kind: "held", reason: "operator", note: null });
    await expect(transactions().accept(id)).rejects.toMatchObject({ status: 409 });
  });
});

describe("POST …/bankAccount", () => {
  test("200: money that came back goes to another account; 400 and 409", async () => {
    const closed = await newBankAccount(app.as("master"), { accountNumber: "77000003" });
    const { id } = await newSale({}, { bankAccountId: closed.id });
    await sandbox().deposit({ transactionId: id, quantity: "100" });
    await sandbox().advanceClock(7 * 86_400);
    expect(await transactions().status(id)).toMatchObject({
      state: "PAYOUT_RETURNED",
      reason: "payout_returned",
    });
    const replace = (bankAccountId: string) => transactions().replaceBankAccount(id, bankAccountId);
    await expect(replace(closed.id)).rejects.toMatchObject({
      status: 400,
      messages: [`bankAccountId ${closed.id} was stopped after return R03`],
    });
    await expect(replace("bac-9")).rejects.toMatchObject({
      messages: ["bankAccountId bac-9 was not found"],
    });
    const { destinationOrder } = await replace(bankAccount.id);
    expect(destinationOrder.bankAccountId).toBe(bankAccount.id);
    await sandbox().advanceClock(10 * 86_400);
    expect((await transactions().get(id)).completedAt).not.toBeNull();
    await expect(replace(bankAccount.id)).rejects.toMatchObject({
      status: 409,
      messages: [`Transaction ${id} does not wait for another bank account`],
    });
  });

  test("400: the field is required", async () => {
    const { id } = await newSale();
    const response = await app.ask(`${path}/${id}/bankAccount`, { method: "POST" });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errors: [{ message: "Required field is missing: bankAccountId" }] },
    ]);
  });
});
