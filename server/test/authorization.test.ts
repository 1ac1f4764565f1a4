import { hash } from "node:crypto";
import { Agent, request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { customerScopes, newApiKey } from "../src/accounts/api-key.ts";
import { endKey, issueKey } from "../src/accounts/keys.ts";
import { insertUser } from "../src/accounts/store/users.ts";
import { sql } from "../src/database/sql.ts";
import { systemClock } from "../src/lib/clock.ts";
import { systemRandom } from "../src/lib/random.ts";
import { testSecret, useApp } from "./test-app.ts";

/** Who is whose subaccount: two families, one of them four deep. */
const masterOf: Record<string, string | null> = {
  "usr-1": null,
  "usr-11": "usr-1",
  "usr-111": "usr-11",
  "usr-1111": "usr-111",
  "usr-11111": "usr-1111",
  "usr-2": null,
  "usr-21": "usr-2",
  "usr-211": "usr-21",
};
const subOf = (id: string) =>
  Object.keys(masterOf).find((each) => masterOf[each] === id) ?? "usr-0";

type Actor = { name: string; id: string; isKnown: boolean };
const actors: Actor[] = [
  { name: "a master", id: "usr-1", isKnown: true },
  { name: "another master", id: "usr-2", isKnown: true },
  { name: "a subaccount", id: "usr-11", isKnown: true },
  { name: "a subaccount's subaccount", id: "usr-111", isKnown: true },
  { name: "a revoked key", id: "usr-1", isKnown: false },
  { name: "an expired key", id: "usr-1", isKnown: false },
  { name: "a live key", id: "usr-1", isKnown: false },
  { name: "no key", id: "usr-1", isKnown: false },
];
const keys = new Map<string, string>();

/** Whom a request names, as seen by the actor. */
const targets: Record<string, (actorId: string) => string> = {
  self: (id) => id,
  "own subaccount": subOf,
  "own subaccount's subaccount": (id) => subOf(subOf(id)),
  "own master": (id) => masterOf[id] ?? "usr-3",
  "somebody else's subaccount": (id) => (id.startsWith("usr-2") ? "usr-11" : "usr-21"),
  unknown: () => "usr-424242",
  deleted: () => "usr-9",
  malformed: () => "nonsense",
};

/** Where a request names it. */
const places: Record<string, (target: string) => { body?: string; query?: string }> = {
  nowhere: () => ({}),
  body: (target) => ({ body: target }),
  query: (target) => ({ query: target }),
  both: (target) => ({ body: target, query: target }),
  "both, differently": (target) => ({
    body: target,
    query: target === "usr-1" ? "usr-2" : "usr-1",
  }),
};

type Owned = { wallet: string; bankAccount: string; transaction: string };
const owned = new Map<string, Owned>();
const ownedBy = (account: string) =>
  owned.get(account) ?? { wallet: "wal-1", bankAccount: "bac-1", transaction: "txn-1" };
const ownId = (kind: keyof Owned) => (account: string) => ownedBy(account)[kind];

type Operation = {
  method: "GET" | "POST" | "DELETE";
  path: string;
  actsFor: "self" | "subaccounts";
  status: number;
  /** What stands in the path when the account may be acted for. */
  id?: (account: string) => string | Promise<string>;
  body?: (account: string) => object;
};

const ramp = "/v2/ramp";
const wallets = `${ramp}/paymentMethods/wallets`;
const bankAccounts = `${ramp}/paymentMethods/bankAccounts`;
const transactions = `${ramp}/transactions`;
const forAll = { actsFor: "subaccounts", status: 200 } as const;
const forSelf = { actsFor: "self", status: 200 } as const;

const operations: Operation[] = [
  { ...forAll, method: "POST", path: transactions, status: 201, body: newTransaction },
  { ...forAll, method: "GET", path: transactions },
  { ...forAll, method: "GET", path: `${transactions}/{transactionId}`, id: ownId("transaction") },
  { ...forAll, method: "POST", path: wallets, status: 201, body: newWallet },
  { ...forAll, method: "GET", path: wallets },
  { ...forAll, method: "GET", path: `${wallets}/{walletId}`, id: ownId("wallet") },
  {
    ...forAll,
    method: "DELETE",
    path: `${wallets}/{walletId}`,
    status: 204,
    id: (account) => create(wallets, account, newWallet()),
  },
  { ...forAll, method: "POST", path: bankAccounts, status: 201, body: newBankAccount },
  { ...forAll, method: "GET", path: bankAccounts },
  { ...forAll, method: "GET", path: `${bankAccounts}/{bankAccountId}`, id: ownId("bankAccount") },
  {
    ...forAll,
    method: "DELETE",
    path: `${bankAccounts}/{bankAccountId}`,
    status: 204,
    id: (account) => create(bankAccounts, account, newBankAccount()),
  },
  { ...forSelf, method: "POST", path: `${ramp}/subaccounts`, status: 201, body: newSubaccount },
  { ...forSelf, method: "GET", path: `${ramp}/subaccounts` },
  { ...forSelf, method: "GET", path: `${ramp}/subaccounts/{accountId}`, id: subOf },
  { ...forSelf, method: "GET", path: `${ramp}/crypto` },
  { ...forSelf, method: "GET", path: `${ramp}/blockchains` },
];

let count = 0;

function newWallet() {
  const address = `0x${hash("sha256", `wallet ${++count}`).slice(0, 40)}`;
  return { address, blockchain: "ethereum" };
}

function newBankAccount() {
  const billingDetails = {
    fullName: "Some Body",
    phone: "+12125550123",
    line1: "1 Main Street",
    city: "New York",
    province: "NY",
    postalCode: "10001",
    country: "US",
  };
  return {
    routingNumber: "021000021",
    accountNumber: String(10_000_000 + ++count),
    billingDetails,
  };
}

function newSubaccount() {
  return { name: "Some Body", email: `${++count}@example.com` };
}

function newTransaction(account: string) {
  return saleOf(ownedBy(account));
}

function saleOf({ wallet: walletId, bankAccount: bankAccountId }: Omit<Owned, "transaction">) {
  return {
    settlementMethod: "ACH",
    sourceOrder: { walletId, blockchain: "ethereum", currency: "USDC", quantity: "100" },
    destinationOrder: { bankAccountId, currency: "USD" },
  };
}

/** What has to happen, and for whom. */
function model(
  { id, isKnown }: Actor,
  { method, actsFor, status }: Operation,
  place: { body?: string; query?: string },
): { status: number; account: string } {
  // What is sent along with a GET means nothing.
  const body = method === "GET" ? undefined : place.body;
  const account = body ?? place.query ?? id;
  if (!isKnown) return { status: 401, account };
  if (body && place.query && body !== place.query) return { status: 400, account };
  const isOwn = account === id || (actsFor === "subaccounts" && masterOf[account] === id);
  return { status: isOwn ? status : 403, account };
}

const app = useApp();
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
afterAll(() => agent.destroy());

type Answer = { status: number; json: unknown };

function send(
  key: string | undefined,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const payload = body && JSON.stringify(body);
  const headers = {
    ...(key ? { apikey: key } : {}),
    ...(payload
      ? { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }
      : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = request(app.url + path, { method, headers, agent }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({
        status: response.statusCode ?? 0,
        json: text === "" ? undefined : JSON.parse(text),
      });
    });
    sent.once("error", reject).end(payload);
  });
}

/** Makes something for an account, with its own key or its master's. */
async function create(path: string, account: string, body: object): Promise<string> {
  const actor = actors.find(({ id }) => id === account || id === masterOf[account]);
  const { status, json } = await send(keys.get(actor?.name ?? ""), "POST", path, {
    ...body,
    userId: account,
  });
  expect([status, json]).toEqual([201, expect.objectContaining({ id: expect.any(String) })]);
  return (json as { id: string }).id;
}

/** All of them, a few at a time. */
async function each<Item>(
  items: readonly Item[],
  use: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const work = async () => {
    for (const item of queue) await use(item);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

beforeAll(async () => {
  const clock = systemClock;
  const now = new Date(clock.now());
  for (const [id, masterId] of Object.entries({ ...masterOf, "usr-9": "usr-1" })) {
    const user = { id, masterId, name: "Some Body", email: `${id}@example.com` };
    await insertUser(app.db, { ...user, verification: "approved", now });
  }
  await app.db.query(sql`delete from users where id = 'usr-9'`);

  const context = {
    db: app.db,
    mode: "sandbox",
    secret: testSecret,
    clock,
    random: systemRandom,
  } as const;
  const issue = (userId: string, expiresAt: Date | null = null) =>
    issueKey(context, { userId, label: "", scopes: customerScopes, expiresAt });
  for (const { name, id, isKnown } of actors) if (isKnown) keys.set(name, (await issue(id)).key);
  const revoked = await issue("usr-1");
  await endKey(context, revoked.id);
  keys.set("a revoked key", revoked.key);
  keys.set("an expired key", (await issue("usr-1", new Date(now.getTime() - 1))).key);
  keys.set("a live key", newApiKey("live", systemRandom).key);

  for (const account of ["usr-1", "usr-11", "usr-111", "usr-1111", "usr-2", "usr-21"]) {
    const wallet = await create(wallets, account, newWallet());
    const bankAccount = await create(bankAccounts, account, newBankAccount());
    owned.set(account, { wallet, bankAccount, transaction: "" });
    const transaction = await create(transactions, account, newTransaction(account));
    owned.set(account, { wallet, bankAccount, transaction });
  }
}, 60_000);

/** Whose rows an answer shows, as far as it says so. */
function ownersIn(json: unknown): string[] {
  const rows = Array.isArray(json) ? json : [json];
  return rows.flatMap((row) =>
    row && typeof row === "object" && "userId" in row ? [row.userId] : [],
  );
}

test("all 16 operations of the ramp are there", async () => {
  const { json } = await send(undefined, "GET", "/openapi.json");
  const { paths } = json as { paths: Record<string, Record<string, unknown>> };
  const missing = operations.filter(({ method, path }) => !paths[path]?.[method.toLowerCase()]);
  expect(operations.length).toBe(16);
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

type Cell = { actor: Actor; name: string; place: { body?: string; query?: string } };

const cells: Cell[] = actors.flatMap((actor) =>
  Object.entries(targets).flatMap(([targetName, target]) =>
    Object.entries(places).map(([placeName, place]) => ({
      actor,
      name: `${actor.name} names ${targetName} in ${placeName}`,
      place: place(target(actor.id)),
    })),
  ),
);

async function ask(
  operation: Operation,
  { actor, place }: Cell,
  account: string,
  isAllowed: boolean,
) {
  const id = isAllowed ? await operation.id?.(account) : "usr-1";
  const path = operation.path.replace(/\{.*\}/, id ?? "");
  const query = place.query === undefined ? "" : `?userId=${place.query}`;
  const named = place.body === undefined ? {} : { userId: place.body };
  const body = { ...operation.body?.(account), ...named };
  const hasBody = Object.keys(body).length > 0;
  return send(keys.get(actor.name), operation.method, path + query, hasBody ? body : undefined);
}

describe("who may do what for whom", () => {
  const named = operations.map((operation) => {
    return [`${operation.method} ${operation.path}`, operation] as const;
  });

  test.each(named)(
    "%s",
    async (_, operation) => {
      const wrong: string[] = [];
      await each(cells, async (cell) => {
        const { status, account } = model(cell.actor, operation, cell.place);
        const got = await ask(operation, cell, account, status === operation.status);
        const strangers = ownersIn(got.json).filter((owner) => owner !== account);
        if (got.status === status && strangers.length === 0) return;
        wrong.push(`${cell.name}: ${got.status}, not ${status}: ${JSON.stringify(got.json)}`);
      });
      expect(wrong).toEqual([]);
    },
    60_000,
  );
});

describe("what belongs to somebody else is the same as what does not exist", () => {
  const master = () => keys.get("a master");
  const said = (json: unknown) => JSON.stringify(json).replace(/(wal|bac|txn|usr)-\d+/g, "$1-?");

  test.each<[string, string, keyof Owned]>([
    ["GET", transactions, "transaction"],
    ["GET", wallets, "wallet"],
    ["DELETE", wallets, "wallet"],
    ["GET", bankAccounts, "bankAccount"],
    ["DELETE", bankAccounts, "bankAccount"],
  ])("%s %s: an id of another account in the path", async (method, path, kind) => {
    const prefix = ownedBy("usr-2")[kind].slice(0, 4);
    const unknown = await send(master(), method, `${path}/${prefix}404`);
    expect(unknown.status).toBe(404);
    for (const account of ["usr-2", "usr-11", "usr-111"]) {
      const { status, json } = await send(master(), method, `${path}/${ownedBy(account)[kind]}`);
      expect([status, said(json)]).toEqual([404, said(unknown.json)]);
    }
    const own = await send(master(), "GET", `${path}/${ownedBy("usr-11")[kind]}?userId=usr-11`);
    expect(own.status).toBe(200);
  });

  test.each(["wallet", "bankAccount"] as const)(
    "a %s of another account in a body",
    async (kind) => {
      const own = ownedBy("usr-1");
      const post = (id: string) =>
        send(master(), "POST", transactions, saleOf({ ...own, [kind]: id }));
      const unknown = await post(kind === "wallet" ? "wal-404" : "bac-404");
      expect(unknown.status).toBe(400);
      for (const account of ["usr-2", "usr-11", "usr-111"]) {
        const { status, json } = await post(ownedBy(account)[kind]);
        expect([status, said(json)]).toEqual([400, said(unknown.json)]);
      }
      expect((await post(own[kind])).status).toBe(201);
    },
  );

  test("userId inside of what is wrapped means nothing", async () => {
    const wallet = { ...newWallet(), userId: "usr-11" };
    expect(await send(master(), "POST", wallets, { wallet })).toMatchObject({
      status: 201,
      json: { userId: "usr-1" },
    });
    const { sourceOrder: sellOrder, destinationOrder: buyOrder } = newTransaction("usr-1");
    const transaction = { sellOrder, buyOrder, userId: "usr-11" };
    const { status, json } = await send(master(), "POST", transactions, { transaction });
    expect(status).toBe(201);
    const path = `${transactions}/${(json as { id: string }).id}`;
    expect((await send(master(), "GET", path)).json).toMatchObject({ userId: "usr-1" });
    const subAccount = { ...newSubaccount(), userId: "usr-11" };
    const created = await send(master(), "POST", `${ramp}/subaccounts`, { subAccount });
    expect(created.status).toBe(201);
    const { newSubAccountId } = created.json as { newSubAccountId: string };
    expect((await send(master(), "GET", `${ramp}/subaccounts/${newSubAccountId}`)).status).toBe(
      200,
    );
  });
});
