import type { NewBankAccount } from "@slipway/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closeTransaction, insertOpenTransaction } from "../../../test/open-transaction.ts";
import { testSecret, useApp } from "../../../test/test-app.ts";
import { issueKey } from "../../accounts/keys.ts";
import { systemClock } from "../../lib/clock.ts";
import { systemRandom } from "../../lib/random.ts";
import { stopAccount } from "../banking/account-news.ts";
import type { RampSettings } from "../settings.ts";

/** The service's own, so that a test can change them. */
let settings: RampSettings | undefined;
const app = useApp({}, systemClock, {
  ramp: (ramp) => {
    settings = ramp.settings;
    return {};
  },
});
const path = "/v2/ramp/paymentMethods/bankAccounts";
const master = "usr-10000000000001";
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
const accounts = (key = "master") => app.as(key).ramp.bankAccounts;

let count = 0;
/** An account that no other test has. */
const newAccount = (): NewBankAccount => ({
  routingNumber: "021000021",
  accountNumber: String(700_000_000 + count++),
  billingDetails: {
    city: "New York",
    country: "USA",
    line1: "1 Wall Street",
    province: "NY",
    fullName: "Ada Lovelace",
    phone: "(212) 555-0123",
    postalCode: "10005",
  },
});
const withBilling = (changes: object) => {
  const account = newAccount();
  return { ...account, billingDetails: { ...account.billingDetails, ...changes } };
};

const ask = (body: unknown, headers: Record<string, string> = {}) =>
  app.ask(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
const messagesOf = async (response: Response) => {
  const { errors } = (await response.json()) as { errors: { message: string }[] };
  return errors.map(({ message }) => message);
};
const newsOf = async (id: string) => {
  const { events } = await app.as("master").ramp.events();
  return events.filter(({ data }) => (data.object as { id: string }).id === id);
};

describe("POST /v2/ramp/paymentMethods/bankAccounts", () => {
  test("201: exactly the promised fields, with the bank that the number belongs to", async () => {
    const response = await ask({ ...newAccount(), accountNumber: "0001-2345 6789" });
    expect(response.status).toBe(201);
    const account = (await response.json()) as { id: string };
    const address = { city: "NEW YORK", country: "UNITED_STATES", province: "NY", line2: null };
    const times = { createdAt: time, updatedAt: time };
    expect(account).toStrictEqual({
      id: expect.stringMatching(/^bac-\d+$/),
      routingNumber: "021000021",
      accountNumber: "000123456789",
      bankName: "JPMORGAN CHASE BANK, NA",
      ...times,
      userId: master,
      fiatCurrency: "USD",
      bankAddress: { ...address, line1: "270 PARK AVENUE", ...times },
      billingDetails: {
        ...address,
        city: "New York",
        line1: "1 Wall Street",
        fullName: "Ada Lovelace",
        phone: "+12125550123",
        postalCode: "10005",
        ...times,
      },
    });
    expect(await accounts().get(account.id)).toStrictEqual(account);
  });

  test("201: is told with a masked number, and without what is sealed", async () => {
    const given = { ...newAccount(), accountNumber: "998877665544" };
    const { id } = await accounts().create(given);
    const [event] = await newsOf(id);
    expect(event).toMatchObject({
      type: "ramp.bank_account.created",
      data: { object: { id, accountNumber: "****5544" } },
    });
    expect(JSON.stringify(event)).not.toMatch(/998877665544|Lovelace|5550123/);
    expect(app.lines.join("")).not.toMatch(/998877665544|Lovelace|5550123/);
  });

  test("201: a bank that nobody has told us the name of", async () => {
    expect(await accounts().create({ ...newAccount(), routingNumber: "101000187" })).toMatchObject({
      bankName: "UNKNOWN",
      bankAddress: { city: "", line1: "", line2: null, province: "", country: "UNITED_STATES" },
    });
  });

  test("201: the same answer again with the same Idempotency-Key", async () => {
    const body = newAccount();
    const headers = { "idempotency-key": "account-once" };
    const [first, second] = [await ask(body, headers), await ask(body, headers)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.text()).toBe(await first.text());
  });

  test("400: every missing field at once", async () => {
    expect(await messagesOf(await ask({ accountNumber: "000123456789" }))).toEqual([
      "Required field is missing: routingNumber",
      "Required field is missing: billingDetails",
    ]);
    const response = await ask({ ...newAccount(), billingDetails: {} });
    expect(response.status).toBe(400);
    expect(await messagesOf(response)).toEqual(
      ["city", "country", "line1", "province", "fullName", "phone", "postalCode"].map(
        (field) => `Required field is missing: billingDetails.${field}`,
      ),
    );
  });

  test("400: every wrong field at once", async () => {
    const billing = withBilling({ country: "Atlantis", phone: "1", postalCode: "!" });
    const response = await ask({ ...billing, routingNumber: "021000022" });
    expect(response.status).toBe(400);
    expect(await messagesOf(response)).toEqual([
      "routingNumber fails its check digit",
      "billingDetails.country is not a known country",
      "billingDetails.phone must be a phone number such as +1 212 555 0123",
      "billingDetails.postalCode must have 2 to 12 letters, digits, spaces or dashes",
    ]);
  });

  test.each([
    [{ ...newAccount(), routingNumber: "02100002" }, "routingNumber must have 9 digits"],
    [{ ...newAccount(), routingNumber: 21000021 }, "routingNumber must have 9 digits"],
    [{ ...newAccount(), routingNumber: "000000000" }, "routingNumber is not a known US bank"],
    [{ ...newAccount(), accountNumber: "12-3" }, "accountNumber must be 4 to 17 digits or letters"],
    [
      { ...newAccount(), accountNumber: "1".repeat(18) },
      "accountNumber must be 4 to 17 digits or letters",
    ],
    [{ ...newAccount(), accountType: "current" }, "accountType must be checking or savings"],
    [{ ...newAccount(), billingDetails: "none" }, "billingDetails must be an object"],
    [
      withBilling({ fullName: "Ada\u0000Lovelace" }),
      "billingDetails.fullName must be one line of text with 1 to 140 characters",
    ],
    [
      withBilling({ line1: " ".repeat(50_000) }),
      "billingDetails.line1 must be one line of text with 1 to 100 characters",
    ],
    [
      withBilling({ line2: 7 }),
      "billingDetails.line2 must be one line of text with at most 100 characters, or null",
    ],
  ])("400: %j", async (body, message) => {
    const response = await ask(body);
    expect(response.status).toBe(400);
    expect(await messagesOf(response)).toEqual([message]);
  });

  test("403: a holder we may not deal with; 503 while nobody can say", async () => {
    const refused = await ask(withBilling({ fullName: "Sanctioned Person" }));
    expect(refused.status).toBe(403);
    expect(await messagesOf(refused)).toEqual([
      "This bank account cannot be registered. Please contact support.",
    ]);
    expect((await ask(withBilling({ fullName: "Unanswered Person" }))).status).toBe(503);
  });

  test("409: an account that is registered already, however its number is written", async () => {
    const given = { ...newAccount(), accountNumber: "445566778" };
    const responses = await Promise.all([ask(given), ask(given)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    const [{ id } = { id: "" }] = await accounts().list({ limit: 1 });
    const again = await ask({ ...given, accountNumber: "445 566-778" });
    expect(await messagesOf(again)).toEqual([`This bank account is already registered as ${id}.`]);
    await accounts().delete(id);
    expect((await ask(given)).status).toBe(201);
    expect((await ask({ ...given, routingNumber: "026009593" })).status).toBe(201);
  });

  test("any body is answered with a status below 500", async () => {
    const odd = fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue(), fc.constant(undefined));
    const body = fc.record({
      routingNumber: fc.oneof(fc.constant("021000021"), odd),
      accountNumber: fc.oneof(fc.constant("8877665544"), odd),
      accountType: fc.oneof(fc.constant("savings"), odd),
      billingDetails: fc.oneof(
        odd,
        fc.record({
          city: fc.string({ unit: "binary" }),
          country: fc.constantFrom("US", "Germany", "?"),
          line1: fc.string(),
          line2: odd,
          province: fc.string({ unit: "grapheme" }),
          fullName: fc.string({ unit: "binary" }),
          phone: fc.constantFrom("2125550123", "+4930901820"),
          postalCode: fc.constantFrom("10005", "SW1A 1AA"),
        }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        const { status } = await ask(given);
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
  });
});

describe("GET /v2/ramp/paymentMethods/bankAccounts", () => {
  test("200: the account's own, newest first, all of them or a part", async () => {
    const created = [];
    for (let number = 0; number < 3; number++) {
      created.unshift(await accounts("unverified").create(newAccount()));
    }
    expect(await accounts("unverified").list()).toEqual(created);
    expect(await accounts("unverified").list({ skip: 1, limit: 1 })).toEqual([created[1]]);
    const [first] = created;
    await expect(accounts().get(first?.id ?? "")).rejects.toMatchObject({ status: 404 });
  });

  test("200: a key that may not reveal numbers sees the last four characters", async () => {
    const given = { ...newAccount(), accountNumber: "11112222333" };
    const { id } = await accounts().create(given);
    const context = { db: app.db, mode: "sandbox", secret: testSecret } as const;
    const { key } = await issueKey(
      { ...context, clock: systemClock, random: systemRandom },
      { userId: master, label: "", scopes: ["ramp:read"], expiresAt: null },
    );
    expect(await accounts(key).get(id)).toMatchObject({ accountNumber: "****2333" });
    expect(JSON.stringify(await accounts(key).list())).not.toContain("11112222333");
    expect(await accounts().get(id)).toMatchObject({ accountNumber: "11112222333" });
  });

  test("200: nobody sees more when the service is set up that way", async () => {
    const given = { ...newAccount(), accountNumber: "99998888777" };
    Object.assign(settings ?? {}, { accountNumberDisplay: "last4" });
    const { id, accountNumber } = await accounts().create(given);
    expect(accountNumber).toBe("****8777");
    expect(await accounts().get(id)).toMatchObject({ accountNumber: "****8777" });
    Object.assign(settings ?? {}, { accountNumberDisplay: "full" });
    expect(await accounts().get(id)).toMatchObject({ accountNumber: "99998888777" });
  });
});

describe("what a bank says about an account", () => {
  const at = new Date("2026-11-14T12:00:00Z");
  const context = { random: systemRandom };

  test("a return stops it, and its owner hears of that once", async () => {
    const { id } = await accounts().create(newAccount());
    for (const code of ["R03", "R02"]) {
      await app.db.transact((tx) => stopAccount(tx, context, { id, code, at }));
    }
    const news = (await newsOf(id)).filter(({ type }) => type === "ramp.bank_account.stopped");
    expect(news).toEqual([
      expect.objectContaining({
        data: { object: expect.objectContaining({ stoppedCode: "R03" }) },
      }),
    ]);
    expect(await accounts().get(id)).toMatchObject({ updatedAt: "2026-11-14T12:00:00.000" });
  });
});

describe("DELETE /v2/ramp/paymentMethods/bankAccounts/{bankAccountId}", () => {
  test("204: without a body; from then on it is not there", async () => {
    const { id } = await accounts().create(newAccount());
    const response = await app.ask(`${path}/${id}`, { method: "DELETE" });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    const again = await app.ask(`${path}/${id}`, { method: "DELETE" });
    expect(again.status).toBe(404);
    expect(await messagesOf(again)).toEqual([`Bank account ${id} was not found.`]);
    const news = (await newsOf(id)).map(({ type }) => type);
    expect(news.sort()).toEqual(["ramp.bank_account.created", "ramp.bank_account.deleted"]);
  });

  test("409: while an open transaction uses it", async () => {
    const { id: bankAccountId } = await accounts().create(newAccount());
    const { id: walletId } = await app.as("master").ramp.wallets.create({
      address: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
      blockchain: "ethereum",
    });
    const id = await insertOpenTransaction(app.db, { userId: master, walletId, bankAccountId });
    const response = await app.ask(`${path}/${bankAccountId}`, { method: "DELETE" });
    expect(response.status).toBe(409);
    expect(await messagesOf(response)).toEqual([
      `Bank account ${bankAccountId} is used by an open transaction.`,
    ]);
    await closeTransaction(app.db, id);
    await accounts().delete(bankAccountId);
    await expect(accounts().get(bankAccountId)).rejects.toMatchObject({ status: 404 });
  });
});
