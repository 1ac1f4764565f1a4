import type { BankAccount, CreatedTransaction, Wallet } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import {
  newBankAccount,
  newWallet,
  purchaseBody,
  saleBody,
} from "../../../test/payment-methods.ts";
import { useApp } from "../../../test/test-app.ts";
import { sql } from "../../database/sql.ts";
import { UnavailableError } from "../../lib/errors.ts";
import { systemRandom } from "../../lib/random.ts";
import type { OpenRamp } from "../../open-ramp.ts";
import { type CreateContext, createTransaction } from "../create-transaction.ts";
import { readNewTransaction } from "../new-transaction.ts";
import type { Prices } from "../ports.ts";

/** Prices that tests take away or move; all others are the sandbox's. */
const changed = new Map<string, ReturnType<Prices["current"]>>();
let opened: OpenRamp;
const app = useApp({}, undefined, {
  ramp(ramp) {
    opened = ramp;
    const { ports } = ramp;
    const current: Prices["current"] = (token) =>
      changed.has(token.symbol) ? changed.get(token.symbol) : ports?.prices.current(token);
    return { ports: ports && { ...ports, prices: { current } } };
  },
});

const path = "/v2/ramp/transactions";
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);

let wallet: Wallet;
let bankAccount: BankAccount;
let ethereumWallet: Wallet;
beforeAll(async () => {
  wallet = await newWallet(app.as("master"));
  ethereumWallet = await newWallet(app.as("master"), "ethereum");
  bankAccount = await newBankAccount(app.as("master"));
});

type Fields = Record<string, unknown>;
const sale = (...fields: [source?: Fields, destination?: Fields, method?: string]) =>
  saleBody({ wallet, bankAccount }, ...fields);
const purchase = (...fields: [source?: Fields, destination?: Fields]) =>
  purchaseBody({ wallet, bankAccount }, ...fields);

const post = (body: unknown, headers: Record<string, string> = {}) =>
  app.ask(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
async function created<Created = CreatedTransaction>(body: unknown): Promise<Created> {
  const response = await post(body);
  const answer = (await response.json()) as Created;
  expect([response.status, answer]).toEqual([201, expect.anything()]);
  return answer;
}
async function refused(body: unknown, headers: Record<string, string> = {}) {
  const response = await post(body, headers);
  const { errors, code } = (await response.json()) as {
    errors: { message: string }[];
    code: number;
  };
  expect(code).toBe(response.status);
  return [response.status, ...errors.map(({ message }) => message)];
}

const orderKeys = "id bankAccountId blockchain currency quantity walletId createdAt updatedAt";
const transactionKeys =
  "id type settlementMethod priceUsd feeUsd createdAt flaggedAt completedAt updatedAt userId sourceOrder destinationOrder";
const keysOf = (value: object) => Object.keys(value).join(" ");

describe("POST /v2/ramp/transactions", () => {
  test("201: a sale, with the address that the crypto is to be sent to", async () => {
    const transaction = await created(sale());
    expect(keysOf(transaction)).toBe(transactionKeys);
    expect(keysOf(transaction.sourceOrder)).toBe(orderKeys);
    expect(keysOf(transaction.destinationOrder)).toBe(`${orderKeys} walletAddress`);
    expect(transaction).toEqual({
      id: expect.stringMatching(/^txn-\d+$/),
      type: "OFF_RAMP",
      settlementMethod: "ACH",
      priceUsd: "1",
      feeUsd: "0.00",
      createdAt: time,
      flaggedAt: null,
      completedAt: null,
      updatedAt: transaction.createdAt,
      userId: wallet.userId,
      sourceOrder: {
        id: expect.stringMatching(/^ord-\d+$/),
        bankAccountId: null,
        blockchain: "base",
        currency: "USDC",
        quantity: "100",
        walletId: wallet.id,
        createdAt: transaction.createdAt,
        updatedAt: transaction.createdAt,
      },
      destinationOrder: {
        id: expect.stringMatching(/^ord-\d+$/),
        bankAccountId: bankAccount.id,
        blockchain: null,
        currency: "USD",
        quantity: "100.00",
        walletId: null,
        createdAt: transaction.createdAt,
        updatedAt: transaction.createdAt,
        walletAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      },
    });
    const other = await created(sale());
    expect(other.destinationOrder.walletAddress).not.toBe(
      transaction.destinationOrder.walletAddress,
    );
  });

  test("201: a purchase, with the customer's own address", async () => {
    const transaction = await created(purchase());
    expect(transaction).toMatchObject({
      type: "ON_RAMP",
      settlementMethod: "WIRE",
      feeUsd: "0.00",
      sourceOrder: { bankAccountId: bankAccount.id, quantity: "250.50", blockchain: null },
      destinationOrder: { walletId: wallet.id, quantity: "250.5", walletAddress: wallet.address },
    });
  });

  test("201: what a wire buys of a token whose price moves is not known yet", async () => {
    const { destinationOrder, priceUsd } = await created(purchase({}, { currency: "ETH" }));
    expect([destinationOrder.quantity, priceUsd]).toEqual([null, "3500"]);
  });

  test("201: the older shape is answered in the older shape", async () => {
    const body = {
      transaction: { sellOrder: sale().sourceOrder, buyOrder: sale().destinationOrder },
    };
    const transaction = await created<{ sellOrder: Fields; buyOrder: Fields }>(body);
    expect(keysOf(transaction)).toBe(
      "id type createdAt flaggedAt completedAt updatedAt sellOrder buyOrder",
    );
    expect(keysOf(transaction.sellOrder)).toBe(`${orderKeys} feeUsd priceUsd`);
    expect(keysOf(transaction.buyOrder)).toBe(`${orderKeys} feeUsd priceUsd walletAddress`);
    expect(transaction).toMatchObject({
      type: "OFF_RAMP",
      sellOrder: { walletId: wallet.id, priceUsd: "1", feeUsd: null },
      buyOrder: {
        bankAccountId: bankAccount.id,
        quantity: "100.00",
        priceUsd: null,
        feeUsd: "0.00",
      },
    });
  });

  test.each([
    ["a wire costs 25 dollars", () => sale({}, {}, "WIRE"), "100", "75.00", "25.00"],
    [
      "the dollars to arrive are asked for",
      () => sale({ quantity: undefined }, { quantity: "75" }, "WIRE"),
      "100",
      "75.00",
      "25.00",
    ],
    ["a number is a quantity too", () => sale({ quantity: 12.5 }), "12.5", "12.50", "0.00"],
    [
      "the destination's quantity is the least that is acceptable",
      () => sale({}, { quantity: "99.5" }),
      "100",
      "100.00",
      "0.00",
    ],
  ])("201: %s", async (_, body, units, usd, feeUsd) => {
    expect(await created(body())).toMatchObject({
      feeUsd,
      sourceOrder: { quantity: units },
      destinationOrder: { quantity: usd },
    });
  });

  test("201: a quote's price is kept, once", async () => {
    const { ramp } = app.as("master");
    const quote = await ramp.quotes.create({
      type: "OFF_RAMP",
      currency: "ETH",
      blockchain: "base",
      sourceQuantity: "2",
    });
    changed.set("ETH", undefined);
    const body = { ...sale({ currency: "ETH", quantity: "2" }), quoteId: quote.id };
    const { id, priceUsd } = await created(body);
    expect(priceUsd).toBe(quote.priceUsd);
    const { transaction } = await app.as("operator").operator.transactions.get(id);
    expect(transaction.priceSources).toEqual(["sandbox"]);
    expect(await refused(body)).toEqual([
      409,
      `quoteId ${quote.id} was used for another transaction`,
    ]);
    expect(await refused({ ...body, quoteId: "quo-9" })).toEqual([
      503,
      "There is no price of ETH just now. Try again in a moment.",
    ]);
    changed.delete("ETH");
    expect(await refused({ ...body, quoteId: "quo-9" })).toEqual([
      400,
      "quoteId quo-9 was not found",
    ]);
    expect(await refused({ ...sale(), quoteId: quote.id })).toEqual([
      400,
      expect.stringMatching(`^quoteId ${quote.id} is of another transaction: OFF_RAMP of 2`),
    ]);
    const old = await ramp.quotes.create({
      type: "OFF_RAMP",
      currency: "USDC",
      blockchain: "base",
      sourceQuantity: "100",
    });
    await app.db.query(sql`
      update quotes set quote = jsonb_set(quote, '{expiresAt}', '1') where id = ${old.id}`);
    expect(await refused({ ...sale(), quoteId: old.id })).toEqual([
      422,
      `quoteId ${old.id} has expired; ask for a new quote`,
    ]);
  });

  test("201: the same key again gives the same answer, byte for byte, and nothing new", async () => {
    const headers = { "idempotency-key": "one sale" };
    const [first, second] = [await post(sale(), headers), await post(sale(), headers)];
    expect([second.status, second.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(await second.text()).toBe(await first.text());
  });

  test("400 comes before 403, and 403 before what is wrong with the account's own things", async () => {
    const unverified = { apiKey: "slp_sandbox_unverified" };
    expect(await refused({ sellOrder: {}, buyOrder: sale().destinationOrder }, unverified)).toEqual(
      [
        400,
        "Required field is missing: sellOrder.walletId",
        "Required field is missing: sellOrder.blockchain",
        "Required field is missing: sellOrder.currency",
        "Required field is missing: sellOrder.quantity",
      ],
    );
    expect(await refused(sale(), unverified)).toEqual([
      403,
      "Account is not verified. Please contact support.",
    ]);
  });

  test("400: what a request refers to", async () => {
    expect(await refused(sale({ walletId: "wal-9" }))).toEqual([
      400,
      "walletId wal-9 was not found",
    ]);
    expect(await refused(sale({ walletId: "9\u0000" }))).toEqual([
      400,
      "walletId was not found: ids look like wal-123",
    ]);
    const foreign = await newWallet(app.as("unverified"));
    expect(await refused(sale({ walletId: foreign.id }))).toEqual([
      400,
      `walletId ${foreign.id} was not found`,
    ]);
    expect(await refused(sale({}, { bankAccountId: "bac-9" }))).toEqual([
      400,
      "bankAccountId bac-9 was not found",
    ]);
    expect(await refused(sale({ walletId: "wal-9" }, { bankAccountId: "bac-9" }))).toEqual([
      400,
      "walletId wal-9 was not found",
      "bankAccountId bac-9 was not found",
    ]);
    expect(await refused(sale({ walletId: ethereumWallet.id }))).toEqual([
      400,
      `${ethereumWallet.id} is registered for ethereum, not base; register the address for base first`,
    ]);
  });

  test("400: a bank account that cannot be paid", async () => {
    const achOnly = await newBankAccount(app.as("master"), { routingNumber: "322271627" });
    const body = (method: string) => sale({}, { bankAccountId: achOnly.id }, method);
    expect(await refused(body("WIRE"))).toEqual([
      400,
      `bankAccountId ${achOnly.id} cannot receive wires`,
    ]);
    await created(body("ACH"));
    await app.db.query(sql`update bank_accounts set stopped_code = 'R03' where id = ${achOnly.id}`);
    expect(await refused(body("ACH"))).toEqual([
      400,
      `bankAccountId ${achOnly.id} was stopped after return R03`,
    ]);
  });

  test("400 and 422: quantities that cannot be", async () => {
    expect(await refused(sale({ quantity: "9.999999" }))).toEqual([
      400,
      "sourceOrder.quantity is below the minimum of 10 USDC",
    ]);
    expect(await refused(sale({ quantity: "25.99" }, {}, "WIRE"))).toEqual([
      400,
      "proceeds do not cover the 25 USD wire fee",
    ]);
    expect(await refused(sale({ quantity: "124.12" }, { quantity: "100" }, "WIRE"))).toEqual([
      422,
      "The current price gives 99.12 USD, less than the requested 100.00 USD",
    ]);
    expect(await refused(purchase({ quantity: "10000000" }))).toEqual([
      400,
      "sourceOrder.quantity comes to 10000000 USDC, above the maximum of 5000000 USDC",
    ]);
  });

  test("400 and 503: more than an account may, and a service without a bank", async () => {
    const { clock, sealer, ports } = opened;
    const create = (part: Partial<CreateContext>) =>
      app.db.transact((tx) => {
        const context = { clock, random: systemRandom, sealer, ports, settings: {}, ...part };
        return createTransaction(tx, context, wallet.userId, readNewTransaction(sale()));
      });
    await expect(create({ settings: { transactionLimitUsd: 99 } })).rejects.toThrow(
      "The transaction comes to 100.00 USD, above the limit of 99.00 USD per transaction",
    );
    await expect(create({ ports: undefined })).rejects.toThrow(UnavailableError);
    expect(await create({ settings: { transactionLimitUsd: 100 } })).toMatchObject({
      mostCents: 10_000n,
    });
  });

  test("503: a token that the operator has switched off", async () => {
    const { killSwitches } = app.as("operator").operator;
    await killSwitches.set("token:USDC", "its issuer has stopped it");
    expect(await refused(sale())).toEqual([
      503,
      "New transactions in USDC on base are paused by the operator. Try again in a moment.",
    ]);
    await killSwitches.clear("token:USDC");
    await created(sale());
  });
});
