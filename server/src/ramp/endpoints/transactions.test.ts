import type { BankAccount, CreatedTransaction, RampTransaction, Wallet } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { newBankAccount, newWallet } from "../../../test/payment-methods.ts";
import { useApp } from "../../../test/test-app.ts";
import { sql } from "../../database/sql.ts";
import type { Prices } from "../ports.ts";

/** Prices that tests take away or move; all others are the sandbox's. */
const changed = new Map<string, ReturnType<Prices["current"]>>();
const app = useApp({}, undefined, {
  ramp: ({ ports }) => ({
    ports: ports && {
      ...ports,
      prices: {
        current: (token) =>
          changed.has(token.symbol) ? changed.get(token.symbol) : ports.prices.current(token),
      },
    },
  }),
});

const path = "/v2/ramp/transactions";
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
const transactions = (key = "master") => app.as(key).ramp.transactions;

let wallet: Wallet;
let bankAccount: BankAccount;
let ethereumWallet: Wallet;
beforeAll(async () => {
  wallet = await newWallet(app.as("master"));
  ethereumWallet = await newWallet(app.as("master"), "ethereum");
  bankAccount = await newBankAccount(app.as("master"));
});

type Fields = Record<string, unknown>;
const walletSide = (fields: Fields = {}) => ({
  walletId: wallet.id,
  blockchain: "base",
  currency: "USDC",
  quantity: "100",
  ...fields,
});
const bankSide = (fields: Fields = {}) => ({
  bankAccountId: bankAccount.id,
  currency: "USD",
  ...fields,
});
const sale = (source: Fields = {}, destination: Fields = {}, method = "ACH") => ({
  settlementMethod: method,
  sourceOrder: walletSide(source),
  destinationOrder: bankSide(destination),
});
const purchase = (source: Fields = {}, destination: Fields = {}) => ({
  settlementMethod: "WIRE",
  sourceOrder: bankSide({ quantity: "250.5", ...source }),
  destinationOrder: { walletId: wallet.id, blockchain: "base", currency: "USDC", ...destination },
});

const post = (body: unknown, headers: Record<string, string> = {}, to = path) =>
  app.ask(to, {
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
    const body = { transaction: { sellOrder: walletSide(), buyOrder: bankSide() } };
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
    expect((await created(body)).priceUsd).toBe(quote.priceUsd);
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
    expect(await refused({ sellOrder: {}, buyOrder: bankSide() }, unverified)).toEqual([
      400,
      "Required field is missing: sellOrder.walletId",
      "Required field is missing: sellOrder.blockchain",
      "Required field is missing: sellOrder.currency",
      "Required field is missing: sellOrder.quantity",
    ]);
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

describe("GET /v2/ramp/transactions/{transactionId}", () => {
  test("200: what was created, without the address", async () => {
    const { destinationOrder, ...transaction } = await created(sale());
    const { walletAddress: _, ...order } = destinationOrder;
    const found = await transactions().get(transaction.id);
    expect(found).toEqual({ ...transaction, destinationOrder: order });
    expect(keysOf(found)).toBe(transactionKeys);
    const { events } = await transactions().events(transaction.id);
    const answer = await app.ask(`${path}/${transaction.id}`);
    expect(JSON.stringify(events[0]?.data.object)).toBe(await answer.text());
  });

  test("200: in the older shape, and with more when it is asked for", async () => {
    const { id } = await created(purchase());
    const older = await transactions().getSellBuy(id);
    expect(keysOf(older)).toBe(
      "id type createdAt flaggedAt completedAt updatedAt sellOrder buyOrder",
    );
    expect(keysOf(older.buyOrder)).toBe(`${orderKeys} feeUsd priceUsd`);
    const expanded = await transactions().get(id, { expand: "status,instructions" });
    expect(keysOf(expanded)).toBe(`${transactionKeys} status instructions`);
    expect(expanded.status).toEqual(await transactions().status(id));
    expect(expanded.instructions).toEqual(await transactions().instructions(id));
    expect(keysOf(await transactions().get(id, { expand: "status" }))).not.toMatch("instructions");
  });

  test("400 and 404", async () => {
    const { id } = await created(sale());
    const statuses = async (...paths: string[]) =>
      Promise.all(paths.map(async (part) => (await app.ask(`${path}/${part}`)).status));
    expect(await statuses(`${id}?shape=round`, `${id}?expand=everything`)).toEqual([400, 400]);
    expect(await statuses("txn-9", "nonsense", "%00", `${id}x`)).toEqual([404, 404, 404, 404]);
    await expect(transactions("unverified").get(id)).rejects.toMatchObject({
      status: 404,
      messages: [`Transaction ${id} was not found`],
    });
  });
});

describe("GET /v2/ramp/transactions", () => {
  let owner: string;
  let all: RampTransaction[];
  const list = (query: Record<string, string | number> = {}) =>
    transactions().list({ ...query, userId: owner });
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

  beforeAll(async () => {
    const { ramp } = app.as("master");
    const person = { name: "Grace Hopper", email: "grace@example.org" };
    owner = (await ramp.subaccounts.create(person)).newSubAccountId;
    await app.db.query(sql`update users set verification = 'approved' where id = ${owner}`);
    const walletId = (await newWallet(app.as("master"), "base", owner)).id;
    const bankAccountId = (await newBankAccount(app.as("master"), { userId: owner })).id;
    for (let number = 0; number < 7; number++) {
      const body =
        number % 3 === 0
          ? purchase({ bankAccountId }, { walletId })
          : sale({ walletId }, { bankAccountId }, number % 2 === 0 ? "WIRE" : "ACH");
      await created({ ...body, userId: owner });
    }
    all = await list();
  });

  test("200: all of them, newest first", async () => {
    expect(all).toHaveLength(7);
    const times = all.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(
      await Promise.all(all.map(({ id }) => transactions().get(id, { userId: owner }))),
    ).toEqual(all);
    expect(ids(await transactions().listSellBuy({ userId: owner }))).toEqual(ids(all));
    expect(await list({ skip: 5 })).toEqual(all.slice(5));
    expect(ids(await transactions().list())).not.toContain(all[0]?.id);
  });

  test("200: page after page, in both directions", async () => {
    const pages: RampTransaction[][] = [];
    for await (const page of transactions().pages({ limit: 3, userId: owner })) pages.push(page);
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(all);
    const [, second] = pages;
    const query = `limit=3&userId=${owner}&type=OFF_RAMP&apiKey=slp_sandbox_master`;
    const last = await app.ask(`${path}?${query}&before=${all[6]?.id}`);
    const found = (await last.json()) as RampTransaction[];
    expect(ids(found)).toEqual(
      ids(all.slice(0, 6).filter(({ type }) => type === "OFF_RAMP")).slice(-3),
    );
    expect(last.headers.get("cb-after")).toBe(found.at(-1)?.id);
    expect(last.headers.get("link")).toMatch(
      new RegExp(
        `^<${path}\\?limit=3&type=OFF_RAMP&userId=${owner}&before=${found[0]?.id}>; rel="prev", `,
      ),
    );
    expect(await list({ after: second?.at(-1)?.id ?? "" })).toEqual(all.slice(6));
  });

  test("200: those that are asked for", async () => {
    const [newest] = all;
    const where = (isWanted: (transaction: RampTransaction) => boolean) =>
      ids(all.filter(isWanted));
    expect(ids(await list({ type: "ON_RAMP" }))).toEqual(where(({ type }) => type === "ON_RAMP"));
    expect(ids(await list({ settlementMethod: "ACH" }))).toEqual(
      where(({ settlementMethod }) => settlementMethod === "ACH"),
    );
    expect(ids(await list({ state: "AWAITING_FUNDS" }))).toEqual(
      where(({ type }) => type === "ON_RAMP"),
    );
    expect(await list({ walletId: wallet.id })).toEqual([]);
    expect(await list({ bankAccountId: bankAccount.id })).toEqual([]);
    const at = Date.parse(`${newest?.createdAt}Z`);
    expect(ids(await list({ from: at }))).toContain(newest?.id);
    expect(await list({ from: at + 1 })).toEqual([]);
    expect(ids(await list({ to: at - 1 }))).not.toContain(newest?.id);
  });

  test.each([
    ["limit=0", "limit must be a whole number from 1 to 1000"],
    ["limit=1001", "limit must be a whole number from 1 to 1000"],
    ["skip=-1", "skip must be a whole number from 0 to 1000000000"],
    ["shape=round", "shape must be sourceDestination or sellBuy"],
    ["type=SWAP", "type must be ON_RAMP or OFF_RAMP"],
    ["settlementMethod=CASH", "settlementMethod must be ACH or WIRE"],
    ["walletId=wal", "walletId must be an id such as wal-123"],
    ["from=2&to=1", "from must not be later than to"],
    ["after=txn-9", "after must be the id of one of the transactions"],
    ["after=txn-9&before=txn-9", "before and after must not be given together"],
  ])("400: %s", async (query, message) => {
    const response = await app.ask(`${path}?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ message }] });
  });

  test("200: a long list comes in pieces and is whole", async () => {
    await app.db.query(sql`
      insert into ramp_transactions (id, user_id, type, settlement_method, state, version, is_open, source_order_id,
        destination_order_id, wallet_id, bank_account_id, blockchain, currency, reference, deposit_address, ramp,
        created_at, updated_at)
      select 'txn-5' || number, user_id, type, settlement_method, state, version, is_open, 'ord-5' || number,
        'ord-6' || number, wallet_id, bank_account_id, blockchain, currency, null, 'address ' || number,
        jsonb_set(jsonb_set(ramp, '{id}', to_jsonb('txn-5' || number)), '{createdAt}',
          to_jsonb(1600000000000 + number / 7)),
        to_timestamp((1600000000000 + number / 7) / 1000.0), updated_at
      from ramp_transactions, generate_series(10001, 11200) as number
      where id = ${all.find(({ type }) => type === "OFF_RAMP")?.id ?? ""}`);
    const whole = await list();
    expect(whole).toHaveLength(1207);
    expect(new Set(ids(whole)).size).toBe(1207);
    const times = whole.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
  });
});
