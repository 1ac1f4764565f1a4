import { expect, test } from "vitest";
import { Slipway } from "./slipway.ts";

type Asked = { method: string; url: string; body: unknown; key: string | undefined };

/** A client whose service writes down what it is asked. */
function recording(status = 200) {
  const asked: Asked[] = [];
  const client = new Slipway({
    baseUrl: "http://service",
    apiKey: "key",
    fetch: async (url, { method = "", body, headers }) => {
      asked.push({
        method,
        url: url.replace("http://service", ""),
        body: body && JSON.parse(String(body)),
        key: (headers as Record<string, string>)["idempotency-key"],
      });
      return new Response(status === 204 ? null : "{}", { status });
    },
  });
  const lines = () => asked.map(({ method, url, body }) => [method, url, body].filter(Boolean));
  return { client, asked, lines };
}

test("transactions are created, read and decided under their paths", async () => {
  const { client, lines } = recording();
  const { transactions } = client.ramp;
  const orders = { sellOrder: { walletId: "wal-1" }, buyOrder: { bankAccountId: "bac-1" } };
  await transactions.createSellBuy({ transaction: orders, userId: "usr-2" });
  await transactions.list({ state: "COMPLETED", limit: 5 });
  await transactions.listSellBuy();
  await transactions.get("txn/1", { expand: "status,instructions", userId: "usr-2" });
  await transactions.getSellBuy("txn-1");
  await transactions.status("txn-1");
  await transactions.instructions("txn-1");
  await transactions.events("txn-1", { after: 3 });
  await transactions.ledger("txn-1");
  await transactions.cancel("txn-1");
  await transactions.accept("txn-1", { userId: "usr-2" });
  await transactions.replaceBankAccount("txn-1", "bac-2", { userId: "usr-2" });
  const path = "/v2/ramp/transactions";
  expect(lines()).toEqual([
    ["POST", path, { transaction: orders, userId: "usr-2" }],
    ["GET", `${path}?state=COMPLETED&limit=5`],
    ["GET", `${path}?shape=sellBuy`],
    ["GET", `${path}/txn%2F1?expand=status%2Cinstructions&userId=usr-2`],
    ["GET", `${path}/txn-1?shape=sellBuy`],
    ["GET", `${path}/txn-1/status`],
    ["GET", `${path}/txn-1/instructions`],
    ["GET", `${path}/txn-1/events?after=3`],
    ["GET", `${path}/txn-1/ledger`],
    ["POST", `${path}/txn-1/cancel`, {}],
    ["POST", `${path}/txn-1/accept`, { userId: "usr-2" }],
    ["POST", `${path}/txn-1/bankAccount`, { bankAccountId: "bac-2", userId: "usr-2" }],
  ]);
});

test("a key that makes repeating harmless goes into a header, and not into the body", async () => {
  const { client, asked } = recording();
  await client.ramp.wallets.create({ address: "0x1", blockchain: "base" }, { idempotencyKey: "a" });
  await client.ramp.transactions.cancel("txn-1", { idempotencyKey: "b", userId: "usr-2" });
  await client.ramp.webhooks.rotate("whk-1");
  expect(asked.map(({ key, body }) => [key, body])).toEqual([
    ["a", { address: "0x1", blockchain: "base" }],
    ["b", { userId: "usr-2" }],
    [expect.stringMatching(/^[0-9a-f]{32}$/), {}],
  ]);
});

test("what is deleted answers nothing", async () => {
  const { client, lines } = recording(204);
  expect(await client.ramp.bankAccounts.delete("bac-1", { userId: "usr-2" })).toBeUndefined();
  expect(await client.ramp.webhooks.delete("whk-1")).toBeUndefined();
  expect(await client.operator.killSwitches.clear("rail:ach")).toBeUndefined();
  expect(lines()).toEqual([
    ["DELETE", "/v2/ramp/paymentMethods/bankAccounts/bac-1?userId=usr-2"],
    ["DELETE", "/v2/ramp/webhooks/whk-1"],
    ["DELETE", "/operator/killSwitches/rail%3Aach"],
  ]);
});

test("every other group has its own paths", async () => {
  const { client, lines } = recording();
  const { ramp, operator, sandbox } = client;
  await ramp.assets();
  await ramp.events({ after: 5, type: "ramp.transaction.*" });
  await ramp.verification.start({ userId: "usr-2" });
  await ramp.webhooks.replay("whk-1", 7);
  await ramp.webhooks.replayDelivery("whk-1", "del-1");
  await operator.transactions.writeOff("txn-1", "lost");
  await operator.wires.match("wir-1", "txn-1");
  await operator.ledger.entries("bank:main:USD", { limit: 2 });
  await operator.verifications.approve("usr-2", "seen");
  await operator.audit.verify();
  await sandbox.advanceClock(60);
  await sandbox.achReturn({ transactionId: "txn-1", code: "R03" });
  await sandbox.statement();
  expect(lines()).toEqual([
    ["GET", "/v2/ramp/crypto"],
    ["GET", "/v2/ramp/events?after=5&type=ramp.transaction.*"],
    ["POST", "/v2/ramp/verification", { userId: "usr-2" }],
    ["POST", "/v2/ramp/webhooks/whk-1/replay", { after: 7 }],
    ["POST", "/v2/ramp/webhooks/whk-1/deliveries/del-1/replay", {}],
    ["POST", "/operator/transactions/txn-1/writeOff", { note: "lost" }],
    ["POST", "/operator/wires/wir-1/match", { transactionId: "txn-1" }],
    ["GET", "/operator/ledger/accounts/bank%3Amain%3AUSD/entries?limit=2"],
    ["POST", "/operator/verifications/usr-2/approve", { reason: "seen" }],
    ["GET", "/operator/audit/verify"],
    ["POST", "/sandbox/clock", { advanceSeconds: 60 }],
    ["POST", "/sandbox/ach-returns", { transactionId: "txn-1", code: "R03" }],
    ["POST", "/sandbox/statements", {}],
  ]);
});
