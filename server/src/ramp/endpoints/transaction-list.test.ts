import type { BankAccount, NewTransaction, RampTransaction, Wallet } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import {
  newBankAccount,
  newWallet,
  purchaseBody,
  saleBody,
} from "../../../test/payment-methods.ts";
import { useApp } from "../../../test/test-app.ts";
import { sql } from "../../database/sql.ts";

const app = useApp();
const path = "/v2/ramp/transactions";
const transactions = (key = "master") => app.as(key).ramp.transactions;
const orderKeys = "id bankAccountId blockchain currency quantity walletId createdAt updatedAt";
const transactionKeys =
  "id type settlementMethod priceUsd feeUsd createdAt flaggedAt completedAt updatedAt userId sourceOrder destinationOrder";
const keysOf = (value: object) => Object.keys(value).join(" ");

let wallet: Wallet;
let bankAccount: BankAccount;
beforeAll(async () => {
  wallet = await newWallet(app.as("master"));
  bankAccount = await newBankAccount(app.as("master"));
});
const sale = () => saleBody({ wallet, bankAccount });
const created = (body: object) => transactions().create(body as NewTransaction);

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
    const { id } = await created(purchaseBody({ wallet, bankAccount }));
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
    const methods = {
      wallet: await newWallet(app.as("master"), "base", owner),
      bankAccount: await newBankAccount(app.as("master"), { userId: owner }),
    };
    for (let number = 0; number < 7; number++) {
      const body =
        number % 3 === 0
          ? purchaseBody(methods)
          : saleBody(methods, {}, {}, number % 2 === 0 ? "WIRE" : "ACH");
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
    for await (const page of transactions().list({ limit: 3, userId: owner }).pages())
      pages.push(page);
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
