import type { NewTransaction, TransactionStatus } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { useApp } from "../../../test/test-app.ts";
import { sql } from "../../database/sql.ts";

/** A Wednesday noon in New York. */
const start = Date.UTC(2026, 3, 15, 16);
const app = useApp({}, manualClock(start));
const walletAddress = "0x52908400098527886E0F7030069857D2E4169EE7";
const dayS = 86_400;
let walletId: string;

const bankAccount = (accountNumber: string) =>
  app.as("master").ramp.bankAccounts.create({
    routingNumber: "021000021",
    accountNumber,
    billingDetails: {
      city: "Austin",
      country: "US",
      line1: "1 Main St",
      province: "TX",
      fullName: "Sandbox Master",
      phone: "+15125550100",
      postalCode: "78701",
    },
  });

beforeAll(async () => {
  const { ramp } = app.as("master");
  walletId = (await ramp.wallets.create({ address: walletAddress, blockchain: "base" })).id;
});

/** What an answer may hold. */
type Answer = { now: string; transactionHash: string; errors: [{ message: string }] };

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await app.ask(`/sandbox/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Answer, headers: answer.headers };
}

const create = async (transaction: NewTransaction) =>
  (await app.as("master").ramp.transactions.create(transaction)).id;

async function buy(accountNumber = "000111222", quantity = "100.00"): Promise<string> {
  const { id: bankAccountId } = await bankAccount(accountNumber);
  return create({
    settlementMethod: "WIRE",
    sourceOrder: { bankAccountId, currency: "USD", quantity },
    destinationOrder: { walletId, blockchain: "base", currency: "USDC" },
  });
}

async function sell(accountNumber: string, method: "ACH" | "WIRE" = "ACH"): Promise<string> {
  const { id: bankAccountId } = await bankAccount(accountNumber);
  return create({
    settlementMethod: method,
    sourceOrder: { walletId, blockchain: "base", currency: "USDC", quantity: "100" },
    destinationOrder: { bankAccountId, currency: "USD" },
  });
}

const status = (id: string): Promise<TransactionStatus> =>
  app.as("master").ramp.transactions.status(id);
const stateOf = async (id: string) => (await status(id)).state;
const pass = (advanceSeconds: number) => app.as("master").sandbox.advanceClock(advanceSeconds);
const deposit = (transactionId: string, more: object = {}) =>
  post("deposits", { transactionId, quantity: "100", ...more });

async function expectSoundBooks(): Promise<void> {
  const answer = await app.ask("/operator/invariants", {
    headers: { apiKey: "slp_sandbox_operator" },
  });
  const { checks } = (await answer.json()) as { checks: { ok: boolean; detail: string }[] };
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(checks.map(({ detail }) => detail).join()).not.toContain("not compared");
}

describe("the clock", () => {
  test("shows the time, and stands where it was moved to", async () => {
    const { now } = await app.as("master").sandbox.clock();
    expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    const moved = await post("clock", { advanceSeconds: 90 });
    expect(moved).toMatchObject({ status: 200, body: { now: expect.any(String) } });
    expect(Date.parse(`${moved.body.now}Z`) - Date.parse(`${now}Z`)).toBe(90_000);
    expect(await app.as("master").sandbox.clock()).toEqual(moved.body);
  });

  test("is moved once by a request that comes twice", async () => {
    const headers = { "idempotency-key": "once" };
    const first = await post("clock", { advanceSeconds: 60 }, headers);
    const second = await post("clock", { advanceSeconds: 60 }, headers);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await app.as("master").sandbox.clock()).toEqual(first.body);
  });

  test("is moved by everybody who asks at the same time", async () => {
    const { now } = await app.as("master").sandbox.clock();
    await Promise.all([1, 2, 3].map(() => post("clock", { advanceSeconds: 10 })));
    const moved = await app.as("master").sandbox.clock();
    expect(Date.parse(`${moved.now}Z`) - Date.parse(`${now}Z`)).toBe(30_000);
  });

  test.each([
    [{}, "Required field is missing: advanceSeconds"],
    [{ advanceSeconds: 0 }, "advanceSeconds must be a whole number of seconds from 1 to 34560000"],
    [{ advanceSeconds: 34_560_001 }, "advanceSeconds must be a whole number of seconds"],
    [{ advanceSeconds: 1.5 }, "advanceSeconds must be a whole number of seconds"],
    [{ advanceSeconds: "60" }, "advanceSeconds must be a whole number of seconds"],
    ['{"advanceSeconds":1e999}', "advanceSeconds must be a whole number of seconds"],
  ])("refuses %j", async (body, message) => {
    const answer = await post("clock", body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].message).toContain(message);
  });
});

describe("a wire", () => {
  test("buys what it pays for, and the crypto arrives a minute later", async () => {
    const id = await buy();
    expect(await post("wires", { transactionId: id, amountUsd: "100.00" })).toMatchObject({
      status: 201,
      body: {
        amountUsd: "100.00",
        senderName: "Sandbox Master",
        reference: expect.stringMatching(/^RMP /),
      },
    });
    expect(await stateOf(id)).toBe("PAYOUT_SUBMITTED");
    await pass(60);
    expect(await status(id)).toMatchObject({
      state: "COMPLETED",
      trace: expect.stringMatching(/^0x/),
    });
    await expectSoundBooks();
  });

  test.each([
    ["0.01", { amountUsd: "90.00" }, "PAYOUT_SUBMITTED"],
    ["0.03", { amountUsd: "110.00" }, "PAYOUT_SUBMITTED"],
    ["0.05", { amountUsd: "100.00", reference: null }, "AWAITING_FUNDS"],
    ["0.07", { amountUsd: "100.00", senderName: "Third Party" }, "IN_REVIEW"],
    ["0.09", { amountUsd: "100.00" }, "PAYOUT_SUBMITTED"],
    [0.01, { amountUsd: "90.00" }, "PAYOUT_SUBMITTED"],
    ["0.02", { amountUsd: "0.02" }, "REFUND_SUBMITTED"],
  ])("of %s is %j and leads to %s", async (amountUsd, wire, state) => {
    const id = await buy(`0002${String(amountUsd).slice(2)}${typeof amountUsd}`.slice(0, 12));
    expect((await post("wires", { transactionId: id, amountUsd })).body).toMatchObject(wire);
    expect(await stateOf(id)).toBe(state);
    await expectSoundBooks();
  });

  test("with a text that means nothing goes back by itself", async () => {
    const wire = await post("wires", { reference: "for my aunt", amountUsd: "77.77" });
    expect(wire).toMatchObject({ status: 201, body: { reference: "for my aunt" } });
    await pass(6 * dayS);
    await expectSoundBooks();
    const answer = await app.ask("/operator/wires?state=returned", {
      headers: { apiKey: "slp_sandbox_operator" },
    });
    expect(JSON.stringify(await answer.json())).toContain("77.77");
  });

  test.each([
    [{ amountUsd: "1" }, 400, "Required field is missing: transactionId, or reference"],
    [{ reference: "x" }, 400, "Required field is missing: amountUsd"],
    [{ reference: "x", amountUsd: "0" }, 400, "amountUsd must be more than 0"],
    [{ reference: "x", amountUsd: "-1" }, 400, "amountUsd must be a decimal string"],
    [{ reference: "x", amountUsd: "1.001" }, 400, "amountUsd has 3 decimals; USD allows 2"],
    [{ reference: "x", amountUsd: 1e21 }, 400, "amountUsd must be a decimal string"],
    [{ reference: "x", amountUsd: "10000000000" }, 400, "amountUsd must be at most 9999999999.99"],
    [{ reference: "\u0000", amountUsd: "1" }, 400, "reference must be the text on the wire"],
    [{ reference: "\ud800", amountUsd: "1" }, 400, "reference must be the text on the wire"],
    [{ reference: "", amountUsd: "1" }, 400, "reference must be the text on the wire"],
    [{ reference: "x", amountUsd: "1", senderName: "\n" }, 400, "senderName must be a name"],
    [{ transactionId: "txn-9", amountUsd: "1" }, 404, "Transaction txn-9 was not found"],
    [{ transactionId: "\u0000", amountUsd: "1" }, 404, "There is no such transaction"],
  ])("%j is refused", async (body, code, message) => {
    const answer = await post("wires", body);
    expect([answer.status, answer.body.errors[0].message]).toEqual([
      code,
      expect.stringContaining(message),
    ]);
  });
});

describe("a deposit", () => {
  test("is seen, final, sold and paid out by ACH", async () => {
    const id = await sell("300000001");
    expect(await deposit(id)).toMatchObject({
      status: 201,
      body: { blockchain: "base", currency: "USDC", quantity: "100", fromAddress: walletAddress },
    });
    expect(await stateOf(id)).toBe("DEPOSIT_SEEN");
    await pass(13 * 60);
    expect(await stateOf(id)).toBe("PAYOUT_QUEUED");
    await pass(8 * dayS);
    expect(await status(id)).toMatchObject({
      state: "COMPLETED",
      trace: expect.stringMatching(/^09100001/),
    });
    await expectSoundBooks();
  });

  test("that a reorganisation takes back is waited for again", async () => {
    const id = await sell("300000002");
    const { body } = await deposit(id);
    expect(await post("reorgs", { transactionId: id })).toMatchObject({
      status: 201,
      body: { transactionHashes: [body.transactionHash] },
    });
    expect(await stateOf(id)).toBe("AWAITING_DEPOSIT");
    expect(await post("reorgs", { transactionId: id })).toMatchObject({ status: 409 });
    await deposit(id);
    await pass(13 * 60);
    expect(await stateOf(id)).toBe("PAYOUT_QUEUED");
  });

  test("is refused when it cannot be", async () => {
    const id = await sell("300000003");
    const refusals = [
      [{ quantity: "0" }, 400, "quantity must be more than 0"],
      [{ quantity: "1.0000001" }, 400, "quantity has 7 decimals; USDC on base allows 6"],
      [{ quantity: null }, 400, "quantity must be a decimal string"],
      [{ currency: "DOGE" }, 400, "currency must be a token on base"],
      [{ fromAddress: "0x1" }, 400, "fromAddress is not a valid base address"],
      [{ transactionId: "txn-9" }, 404, "Transaction txn-9 was not found"],
      [{ transactionId: await buy("300000004") }, 409, "waits for a wire, not for crypto"],
    ] as const;
    for (const [more, code, message] of refusals) {
      const answer = await deposit(id, more);
      expect([answer.status, answer.body.errors[0].message]).toEqual([
        code,
        expect.stringContaining(message),
      ]);
    }
    expect(await post("wires", { transactionId: id, amountUsd: "1" })).toMatchObject({
      status: 409,
    });
  });
});

describe("a payout", () => {
  test.each([
    ["40000002", "payout_returned", "PAYOUT_RETURNED"],
    ["40000923", "late_return", "RETURNED_AFTER_COMPLETION"],
  ])("by ACH to %s comes back: %s", async (accountNumber, reason, state) => {
    const id = await sell(accountNumber);
    await deposit(id);
    await pass(9 * dayS);
    expect(await status(id)).toMatchObject({ state, reason });
    await expectSoundBooks();
  });

  test("by wire to an account that the bank refuses fails", async () => {
    const id = await sell("40000099", "WIRE");
    await deposit(id);
    await pass(4 * dayS);
    expect(await stateOf(id)).toBe("PAYOUT_FAILED");
    await expectSoundBooks();
  });

  test("by ACH comes back when a control says so, before and after completion", async () => {
    const before = await sell("400001234");
    const after = await sell("400001235");
    const none = { status: 409 };
    expect(await post("ach-returns", { transactionId: before, code: "R03" })).toMatchObject(none);
    await deposit(before);
    await pass(2 * dayS);
    expect(await stateOf(before)).toBe("PAYOUT_SUBMITTED");
    expect(await post("ach-returns", { transactionId: before, code: "R03" })).toMatchObject({
      status: 201,
      body: { transactionId: before, payoutId: expect.stringMatching(/^pay-/), code: "R03" },
    });
    expect(await stateOf(before)).toBe("PAYOUT_RETURNED");
    expect(await post("ach-returns", { transactionId: before, code: "R03" })).toMatchObject(none);
    await deposit(after);
    await pass(9 * dayS);
    expect(await stateOf(after)).toBe("COMPLETED");
    await post("ach-returns", { transactionId: after, code: "R23" });
    expect(await stateOf(after)).toBe("RETURNED_AFTER_COMPLETION");
    await expectSoundBooks();
  });

  test.each(["R00", "R86", "r03", "R3", "X", 3])("cannot come back with %s", async (code) => {
    const answer = await post("ach-returns", { transactionId: "txn-9", code });
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].message).toBe("code must be a return code from R01 to R85");
  });
});

describe("others", () => {
  const asUnverified = { apiKey: "slp_sandbox_unverified" };

  test("cannot touch a transaction that is not theirs, but the operator can", async () => {
    const id = await buy("500000001");
    const wire = { transactionId: id, amountUsd: "100.00" };
    const refused = await post("wires", wire, asUnverified);
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      404,
      `Transaction ${id} was not found`,
    ]);
    const operator = { apiKey: "slp_sandbox_operator" };
    expect(await post("wires", wire, operator)).toMatchObject({ status: 201 });
  });

  test("are verified by themselves, their master or the operator", async () => {
    const { ramp } = app.as("master");
    const sub = { name: "Sub Account", email: "sub@sandbox.example" };
    const { newSubAccountId: userId } = await ramp.subaccounts.create(sub);
    const approved = { userId, status: "approved" };
    expect(await post("verification", approved)).toMatchObject({ status: 200, body: approved });
    expect(await post("verification", approved, asUnverified)).toMatchObject({
      status: 403,
      body: { errors: [{ message: "userId is not a subaccount of this account." }] },
    });
    const operator = { apiKey: "slp_sandbox_operator" };
    expect(await post("verification", { userId, status: "rejected" }, operator)).toMatchObject({
      status: 200,
    });
    const unknown = { userId: "usr-9", status: "approved" };
    expect(await post("verification", unknown, operator)).toMatchObject({ status: 404 });
    expect(await post("verification", { userId, status: "odd" })).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringContaining("status must be one of none, ") }] },
    });
    expect(await post("verification", { userId: "\u0000", status: "none" })).toMatchObject({
      status: 403,
    });
  });
});

describe("a deposit that is not as it should be", () => {
  test.each([
    [{ currency: "DAI", quantity: "5" }, "wrong_token"],
    [{ fromAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D" }, "unregistered_sender"],
    [{ fromAddress: "0x8617e340b3d01fa5f11f306f4090fd50e238dead" }, "sanctioned"],
    [{ quantity: 1 }, "below_minimum"],
  ])("of %j is held as %s", async (more, reason) => {
    const id = await sell(`31${reason.length}${reason.charCodeAt(0)}`);
    expect((await deposit(id, more)).status).toBe(201);
    await pass(13 * 60);
    expect(await status(id)).toMatchObject({ reason });
    await expectSoundBooks();
  });

  test("waits as long as screening does not answer, and holds nothing else up", async () => {
    const id = await sell("600000001");
    await deposit(id, { fromAddress: "0x8617e340b3d01fa5f11f306f4090fd50e238fade" });
    await pass(13 * 60);
    await app.ask(`/operator/transactions/${id}/release`, {
      method: "POST",
      headers: { apiKey: "slp_sandbox_operator", "content-type": "application/json" },
      body: JSON.stringify({ note: "known to us" }),
    });
    await pass(dayS);
    expect(await status(id)).toMatchObject({ reason: "screening_unavailable" });
    await expectSoundBooks();
  });
});

test("time ends with the year 2099", async () => {
  await app.db.query(sql`update sandbox_clock set wished_at = '2099-12-31T23:59:59Z'`);
  expect(await post("clock", { advanceSeconds: 2 })).toMatchObject({
    status: 400,
    body: { errors: [{ message: "advanceSeconds must not lead beyond the year 2099" }] },
  });
});
