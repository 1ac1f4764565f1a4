import { getAddress } from "viem";
import { describe, expect, test } from "vitest";
import { closeTransaction, insertOpenTransaction } from "../../../test/open-transaction.ts";
import { useApp } from "../../../test/test-app.ts";
import { findWallet } from "../store/wallets.ts";

const app = useApp();
const path = "/v2/ramp/paymentMethods/wallets";
const master = "usr-10000000000001";
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
const wallets = (key = "master") => app.as(key).ramp.wallets;

let count = 0;
/** An address that no other test has. */
const newAddress = () =>
  getAddress(`0x${(++count).toString(16).padStart(8, "0")}${"5b".repeat(16)}`);

const ask = (body: unknown, init: RequestInit = {}) =>
  app.ask(path, {
    method: "POST",
    body: JSON.stringify(body),
    ...init,
    headers: { "content-type": "application/json", ...init.headers },
  });
const messagesOf = async (response: Response) => {
  const { errors } = (await response.json()) as { errors: { message: string }[] };
  return errors.map(({ message }) => message);
};
const typesTold = async () => {
  const { events } = await app.as("master").ramp.events();
  return events.map(({ type, data }) => [type, (data.object as { id: string }).id]);
};

describe("POST /v2/ramp/paymentMethods/wallets", () => {
  test("201: exactly the promised fields, the address with its checksum, the blockchain by its id", async () => {
    const address = newAddress();
    const response = await ask({ address: address.toLowerCase(), blockchain: "ETH" });
    expect(response.status).toBe(201);
    const wallet = (await response.json()) as { id: string };
    expect(wallet).toEqual({
      id: expect.stringMatching(/^wal-\d+$/),
      userId: master,
      address,
      blockchain: "ethereum",
      createdAt: time,
      updatedAt: time,
    });
    expect(Object.keys(wallet)).toEqual([
      "id",
      "userId",
      "address",
      "blockchain",
      "createdAt",
      "updatedAt",
    ]);
    expect(await wallets().get(wallet.id)).toEqual(wallet);
    expect(await typesTold()).toContainEqual(["ramp.wallet.created", wallet.id]);
  });

  test("201: nested in wallet, as the specification's sample has it", async () => {
    const response = await ask({ wallet: { address: newAddress(), blockchain: "base" } });
    expect(response.status).toBe(201);
  });

  test("201: an address once for each blockchain, and again once it was deleted", async () => {
    const address = newAddress();
    const first = await wallets().create({ address, blockchain: "polygon" });
    expect(await wallets().create({ address, blockchain: "base" })).toMatchObject({ address });
    await wallets().delete(first.id);
    const again = await wallets().create({ address, blockchain: "polygon" });
    expect(again.id).not.toBe(first.id);
  });

  test("201: for a subaccount, to which it then belongs", async () => {
    const { newSubAccountId: userId } = await app
      .as("master")
      .ramp.subaccounts.create({ name: "Ada Lovelace", email: "wallets@example.com" });
    const wallet = await wallets().create({ address: newAddress(), blockchain: "base", userId });
    expect(wallet.userId).toBe(userId);
    expect(await wallets().list({ userId })).toEqual([wallet]);
    await expect(wallets().get(wallet.id)).rejects.toMatchObject({ status: 404 });
    expect(await wallets().get(wallet.id, { userId })).toEqual(wallet);
    await wallets().delete(wallet.id, { userId });
    expect(await wallets().list({ userId })).toEqual([]);
  });

  test("201: the same answer again with the same Idempotency-Key, and one wallet", async () => {
    const body = { address: newAddress(), blockchain: "base" };
    const headers = { "idempotency-key": "wallet-once" };
    const [first, second] = [await ask(body, { headers }), await ask(body, { headers })];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await second.text()).toBe(await first.text());
  });

  test("400: every missing field at once", async () => {
    const response = await ask({});
    expect(response.status).toBe(400);
    expect(await messagesOf(response)).toEqual([
      "Required field is missing: address",
      "Required field is missing: blockchain",
    ]);
  });

  const good = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
  test.each([
    [{ address: good, blockchain: "foo" }, 'blockchain "foo" is not supported'],
    [{ address: good, blockchain: "x".repeat(9_000) }, "blockchain is not supported"],
    [{ address: good, blockchain: "bitcoin" }, "address is not a valid bitcoin address"],
    [{ address: good.replace("d", "D"), blockchain: "base" }, "address fails its checksum"],
    [
      { address: `0x${"0".repeat(40)}`, blockchain: "base" },
      "address is a contract or burn address",
    ],
    [{ address: 5, blockchain: "base" }, "address must be an address on the blockchain"],
    [{ address: "", blockchain: "base" }, "address must be an address on the blockchain"],
    [{ address: "\u0000", blockchain: "base" }, "address is not a valid base address"],
  ])("400: %j", async (body, message) => {
    const response = await ask(body);
    expect(response.status).toBe(400);
    expect(await messagesOf(response)).toEqual([message]);
  });

  test("403: a wallet we may not deal with; 503 while nobody can say", async () => {
    const ending = (end: string) => `0x${"7".repeat(36)}${end}`;
    const refused = await ask({ address: ending("dead"), blockchain: "ethereum" });
    expect(refused.status).toBe(403);
    expect(await messagesOf(refused)).toEqual([
      "This wallet cannot be registered. Please contact support.",
    ]);
    const unknown = await ask({ address: ending("fade"), blockchain: "ethereum" });
    expect(unknown.status).toBe(503);
  });

  test("409: an address that is registered already, also when both come at once", async () => {
    const body = { address: newAddress(), blockchain: "ethereum" };
    const responses = await Promise.all([ask(body), ask(body), ask(body)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const [wallet] = await wallets().list({ limit: 1 });
    const again = await ask({ ...body, address: body.address.toLowerCase() });
    expect(await messagesOf(again)).toEqual([
      `This address is already registered for ethereum as ${wallet?.id}.`,
    ]);
    await expect(wallets("unverified").create(body)).resolves.toMatchObject(body);
  });
});

describe("GET /v2/ramp/paymentMethods/wallets", () => {
  test("200: the account's own, newest first, all of them or a part", async () => {
    const created = [];
    for (let number = 0; number < 3; number++) {
      created.unshift(
        await wallets("operator").create({ address: newAddress(), blockchain: "base" }),
      );
    }
    expect(await wallets("operator").list()).toEqual(created);
    expect(await wallets("operator").list({ skip: 1, limit: 1 })).toEqual([created[1]]);
  });

  test.each(["limit=0", "limit=1001", "limit=x", "skip=-1"])("400: %s", async (query) => {
    expect((await app.ask(`${path}?${query}`)).status).toBe(400);
  });
});

describe("GET and DELETE /v2/ramp/paymentMethods/wallets/{walletId}", () => {
  test.each([
    ["an id that does not exist", "wal-9", "Wallet wal-9 was not found."],
    ["an id of the wrong form", "nonsense", "There is no such id here: ids look like wal-123."],
    ["a NUL byte", "wal-%00", "There is no such id here: ids look like wal-123."],
  ])("404: %s", async (_, id, message) => {
    for (const method of ["GET", "DELETE"]) {
      const response = await app.ask(`${path}/${id}`, { method });
      expect(response.status).toBe(404);
      expect(await messagesOf(response)).toEqual([message]);
    }
  });

  test("404: somebody else's", async () => {
    const wallet = await wallets().create({ address: newAddress(), blockchain: "base" });
    await expect(wallets("unverified").get(wallet.id)).rejects.toMatchObject({ status: 404 });
    await expect(wallets("unverified").delete(wallet.id)).rejects.toMatchObject({ status: 404 });
    expect(await wallets().get(wallet.id)).toEqual(wallet);
  });

  test("204: without a body; from then on it is not there", async () => {
    const { id } = await wallets().create({ address: newAddress(), blockchain: "base" });
    const response = await app.ask(`${path}/${id}`, { method: "DELETE" });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    await expect(wallets().get(id)).rejects.toMatchObject({ status: 404 });
    await expect(wallets().delete(id)).rejects.toMatchObject({ status: 404 });
    expect((await wallets().list()).map((wallet) => wallet.id)).not.toContain(id);
    expect(await typesTold()).toContainEqual(["ramp.wallet.deleted", id]);
  });

  test("409: while an open transaction uses it, also one that is just being made", async () => {
    const { id: walletId } = await wallets().create({ address: newAddress(), blockchain: "base" });
    const { id: bankAccountId } = await app.as("master").ramp.bankAccounts.create({
      routingNumber: "021000021",
      accountNumber: "000123456789",
      billingDetails: {
        city: "New York",
        country: "US",
        line1: "1 Wall Street",
        province: "NY",
        fullName: "Ada Lovelace",
        phone: "+12125550123",
        postalCode: "10005",
      },
    });
    let deleting: Promise<Response> | undefined;
    const id = await app.db.transact(async (tx) => {
      expect(await findWallet(tx, master, walletId)).toMatchObject({ id: walletId });
      deleting ??= app.ask(`${path}/${walletId}`, { method: "DELETE" });
      return insertOpenTransaction(tx, { userId: master, walletId, bankAccountId });
    });
    const response = await deleting;
    expect(response?.status).toBe(409);
    expect(response && (await messagesOf(response))).toEqual([
      `Wallet ${walletId} is used by an open transaction.`,
    ]);
    await closeTransaction(app.db, id);
    await wallets().delete(walletId);
    expect(await app.db.transact((tx) => findWallet(tx, master, walletId))).toBeUndefined();
  });
});
