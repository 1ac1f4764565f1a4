import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewTransaction, TransactionStatus } from "@slipway/sdk";
import { getContractAddress } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manualClock } from "../../../../test/manual-clock.ts";
import { useApp } from "../../../../test/test-app.ts";
import type { Hex } from "../../../chains/hex.ts";
import { sql } from "../../../database/sql.ts";
import { assert } from "../../../lib/errors.ts";
import { supportedTokens } from "../../../ramp/assets.ts";
import { evmDepositAddress } from "../../../ramp/rails/evm/deposit-addresses.ts";
import { readAchFile } from "../../../ramp/rails/nacha/read-file.ts";
import { contracts, founder, tokens as marketTokens } from "../../chain/layout.ts";
import { type OpenSandboxChain, openSandboxChain } from "../../chain/open-sandbox-chain.ts";
import { localDepositKey } from "./deposit-key.ts";
import { localHotWallet, localKeys } from "./keys.ts";
import { balanceOf, type LocalRpc, localRpc } from "./local-rpc.ts";
import {
  founderAddress,
  harbourAddress,
  harbourTokens,
  localTokens,
  wrappedEtherAddress,
} from "./tokens.ts";

/** A Wednesday noon in New York. */
const clock = manualClock(Date.UTC(2026, 3, 15, 16));
const folder = mkdtempSync(join(tmpdir(), "slipway-local-chain-"));
const journalFile = join(folder, "blocks.jsonl");
const buyer: Hex = "0x52908400098527886E0F7030069857D2E4169EE7";
const seller = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
let chain: OpenSandboxChain;
let rpc: LocalRpc;
let wallets: Record<string, string>;

async function openChain(port = 0): Promise<void> {
  const history = { days: 0.01, swaps: 5 };
  const warn = (message: string) => expect.fail(message);
  chain = await openSandboxChain({
    ...{ clock, warn, seed: 7, history, live: false, journalFile, port },
  });
  await chain.seeded;
  rpc = localRpc(chain.url);
}

beforeAll(() => openChain());
afterAll(async () => {
  await chain.close();
  rmSync(folder, { recursive: true });
});
const app = useApp({}, clock, { localChainUrl: () => chain.url });

beforeAll(async () => {
  const { ramp } = app.as("master");
  const register = async (address: string) =>
    (await ramp.wallets.create({ address, blockchain: "ethereum" })).id;
  wallets = { [buyer]: await register(buyer), [seller]: await register(seller) };
});

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await app.ask(`/sandbox/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const content = (await answer.json()) as Answer;
  expect([answer.status, content]).toEqual([expect.any(Number), content]);
  return { status: answer.status, ...content };
}

let accounts = 0;
async function create(order: (bankAccountId: string) => NewTransaction): Promise<string> {
  const { ramp } = app.as("master");
  const { id } = await ramp.bankAccounts.create({
    routingNumber: "021000021",
    accountNumber: `70000${++accounts}1`,
    billingDetails: {
      ...{ city: "Austin", country: "US", line1: "1 Main St", province: "TX" },
      ...{ fullName: "Sandbox Master", phone: "+15125550100", postalCode: "78701" },
    },
  });
  return (await ramp.transactions.create(order(id))).id;
}

const buy = (currency: string) =>
  create((bankAccountId) => ({
    settlementMethod: "WIRE",
    sourceOrder: { bankAccountId, currency: "USD", quantity: "100.00" },
    destinationOrder: { walletId: wallets[buyer] ?? "", blockchain: "ethereum", currency },
  }));

const sell = (currency: string, quantity: string) =>
  create((bankAccountId) => ({
    settlementMethod: "ACH",
    sourceOrder: { walletId: wallets[seller] ?? "", blockchain: "ethereum", currency, quantity },
    destinationOrder: { bankAccountId, currency: "USD" },
  }));

const statusOf = (id: string): Promise<TransactionStatus> =>
  app.as("master").ramp.transactions.status(id);
const stateOf = async (id: string) => (await statusOf(id)).state;
const pass = (seconds: number) => app.as("master").sandbox.advanceClock(seconds);
type Deposit = { status: number; transactionHash: string; address: string; errors: unknown };
const deposit = (transactionId: string, quantity: string, more: object = {}) =>
  post<Deposit>("deposits", { transactionId, quantity, ...more });

function has(address: string, symbol: string): Promise<bigint> {
  const token = localTokens.find((one) => one.symbol === symbol);
  assert(token, `there is ${symbol}`);
  return balanceOf(rpc, token, address as Hex);
}

/** All rules hold, and the chain was compared with the books. */
async function expectSoundBooks(): Promise<void> {
  const answer = await app.ask("/operator/invariants", {
    headers: { apiKey: "slp_sandbox_operator" },
  });
  const { checks } = (await answer.json()) as { checks: { ok: boolean; detail: string }[] };
  expect(checks.filter(({ ok, detail }) => !ok || detail.includes("not compared"))).toEqual([]);
}

async function ledgerBalance(account: string): Promise<bigint> {
  const [row] = await app.db.query<{ owned: string }>(
    sql`select -balance as owned from ledger_accounts where name = ${account}`,
  );
  return BigInt(row?.owned ?? 0);
}

describe("what is written down of the sandbox's Ethereum", () => {
  test("are the market's own tokens, and those that the harbour deploys first", () => {
    expect([founderAddress, wrappedEtherAddress]).toEqual([
      founder.address,
      contracts.wrappedEther,
    ]);
    const deployed = harbourTokens.map(({ symbol, decimals }, nonce) => {
      const address = getContractAddress({ from: harbourAddress, nonce: BigInt(nonce) });
      return { symbol, decimals, address: address.toLowerCase() };
    });
    const known = [...marketTokens, ...deployed].map(({ symbol, decimals, address }) => [
      ...[symbol, decimals, address],
    ]);
    const here = localTokens.map(({ symbol, decimals, contract }) => [symbol, decimals, contract]);
    const supported = supportedTokens.filter(({ blockchain }) => blockchain === "ethereum");
    expect(here.map(([symbol]) => symbol)).toEqual(supported.map(({ symbol }) => symbol));
    expect(known).toEqual(expect.arrayContaining(here.filter(([symbol]) => symbol !== "ETH")));
  });

  test("are addresses to which there are keys", () => {
    const keys = localKeys();
    expect(keys.hot.address.toLowerCase()).toBe(localHotWallet);
    for (const index of [0, 7]) {
      const address = evmDepositAddress(localDepositKey, index);
      expect(keys.deposit(index)?.address.toLowerCase()).toBe(address.toLowerCase());
    }
  });
});

describe("on the sandbox's own Ethereum", () => {
  test.each([
    ["USDC", 100_000_000n],
    ["ETH", 28_571_428_571_428_571n],
    ["UNI", 9_302_325_581_395_348_837n],
  ])("dollars that come by wire arrive as %s, to the unit", async (currency, units) => {
    const before = await has(buyer, currency);
    const id = await buy(currency);
    await post("wires", { transactionId: id, amountUsd: "100.00" });
    expect(await stateOf(id)).toBe("PAYOUT_SUBMITTED");
    expect((await has(buyer, currency)) - before).toBe(units);
    await pass(60);
    const { state, trace } = await statusOf(id);
    expect(state).toBe("COMPLETED");
    expect(await rpc("eth_getTransactionReceipt", [trace])).toMatchObject({ status: "0x1" });
    await expectSoundBooks();
  });

  test.each([
    ["USDC", "100"],
    ["ETH", "0.5"],
  ])(
    "%s that is sold is seen at once, final within two minutes, and swept",
    async (currency, quantity) => {
      const id = await sell(currency, quantity);
      const { status, transactionHash, address } = await deposit(id, quantity);
      expect(status).toBe(201);
      expect(await rpc("eth_getTransactionReceipt", [transactionHash])).toMatchObject({
        status: "0x1",
      });
      expect(await stateOf(id)).toBe("DEPOSIT_SEEN");
      await expectSoundBooks();
      await pass(120);
      expect(await stateOf(id)).toBe("PAYOUT_QUEUED");
      await expectSoundBooks();
      const hot = await has(localHotWallet, currency);
      await pass(600);
      expect(await has(address, currency)).toBeLessThan(10n ** 15n);
      expect(await ledgerBalance(`hot:${currency}.ethereum`)).toBe(
        await has(localHotWallet, currency),
      );
      expect(hot).toBeGreaterThan(0n);
      await expectSoundBooks();
    },
  );

  test("a reorganisation takes a deposit back, and what else happened since comes again", async () => {
    const [sale, purchase] = [await sell("USDC", "100"), await buy("USDC")];
    const { transactionHash, address } = await deposit(sale, "100");
    const before = await has(buyer, "USDC");
    await post("wires", { transactionId: purchase, amountUsd: "100.00" });
    await pass(5);
    expect(await post("reorgs", { transactionId: sale })).toEqual({
      ...{ status: 201, transactionHashes: [transactionHash] },
    });
    expect(await stateOf(sale)).toBe("AWAITING_DEPOSIT");
    expect(await has(address, "USDC")).toBe(0n);
    expect(await has(buyer, "USDC")).toBe(before);
    expect(await post("reorgs", { transactionId: sale })).toMatchObject({ status: 409 });
    const again = await deposit(sale, "100");
    expect(await stateOf(sale)).toBe("DEPOSIT_SEEN");
    await pass(120);
    expect([await stateOf(sale), await stateOf(purchase)]).toEqual(["PAYOUT_QUEUED", "COMPLETED"]);
    expect((await has(buyer, "USDC")) - before).toBe(100_000_000n);
    expect(again.status).toBe(201);
    expect(await post("reorgs", { transactionId: sale })).toMatchObject({ status: 409 });
    await expectSoundBooks();
  });

  test("what was sold leaves in one file; chain, ledger and files agree to the cent and the unit", async () => {
    const { operator, sandbox } = app.as("operator");
    const quantities = { USDC: "123.456789", ETH: "0.010101010101010101" };
    const sales = await Promise.all(
      Object.entries(quantities).map(([currency, quantity]) => sell(currency, quantity)),
    );
    for (const [index, quantity] of Object.values(quantities).entries())
      await deposit(sales[index] ?? "", quantity);
    await pass(2 * 24 * 3_600);
    const [newest] = await operator.bankFiles.list({ direction: "out" });
    assert(newest, "there is a file");
    const { text } = await operator.bankFiles.content(newest.id);
    const entries = readAchFile(Buffer.from(text)).batches.flatMap((batch) => batch.entries);
    // 0.010101010101010101 ETH are 35.353… dollars.
    const ours = (await operator.bankFiles.get(newest.id)).entries.filter(({ amountUsd }) =>
      ["123.45", "35.35"].includes(amountUsd),
    );
    expect(ours).toHaveLength(2);
    const sum = entries.reduce((total, { cents }) => total + cents, 0n);
    expect(`${sum / 100n}.${String(sum % 100n).padStart(2, "0")}`).toBe(newest.amountUsd);
    const [row] = await app.db.query<{ filed: string; settled: string }>(sql`
      select (select sum(cents) from bank_entries where file_id = ${newest.id}) as filed,
        (select sum(payouts.amount) from payouts join bank_entries on payout_id = id
          where file_id = ${newest.id} and payouts.state = 'settled') as settled`);
    expect([row?.filed, row?.settled].map((cents) => BigInt(cents ?? 0))).toEqual([sum, sum]);
    for (const symbol of Object.keys(quantities)) {
      const owned = await ledgerBalance(`hot:${symbol}.ethereum`);
      expect([symbol, await has(localHotWallet, symbol)]).toEqual([symbol, owned]);
    }
    await sandbox.statement();
    await pass(60);
    const { reports, notCompared } = await operator.reconciliations.run();
    expect(notCompared).toEqual([]);
    expect(reports.map(({ subject, ok, differences }) => [subject, ok, differences])).toEqual([
      ["bank", true, []],
      ["chain:ethereum", true, []],
    ]);
    await expectSoundBooks();
  });

  test("nobody sends who cannot, nor what is not there", async () => {
    const id = await sell("ETH", "0.5");
    const { address } = await deposit(id, "0.1");
    const refusals = [
      [{ fromAddress: localHotWallet }, "fromAddress must not be an address of the ramp"],
      [{ fromAddress: address }, "fromAddress must not be an address of the ramp"],
      [{ fromAddress: marketTokens[1]?.address }, "fromAddress is a contract"],
      [{ quantity: "1000000" }, "quantity is more than there is of ETH"],
      [{ quantity: "1000000", currency: "WETH" }, "quantity is more than there is of WETH"],
    ] as const;
    for (const [more, message] of refusals) {
      const { status, errors } = await deposit(id, "0.1", more);
      expect([status, errors]).toEqual([400, [{ message: expect.stringContaining(message) }]]);
    }
    expect((await deposit(id, "0.4")).status).toBe(201);
    await pass(60);
    expect(await stateOf(id)).toBe("PAYOUT_QUEUED");
    await expectSoundBooks();
  });

  test("a restart keeps everything but the way back", async () => {
    const id = await sell("DAI", "50");
    const { address } = await deposit(id, "50");
    const { port } = chain;
    await chain.close();
    expect(await deposit(id, "50")).toMatchObject({ status: 503 });
    await openChain(port);
    expect(await has(address, "DAI")).toBe(50n * 10n ** 18n);
    expect(await post("reorgs", { transactionId: id })).toMatchObject({
      ...{ status: 409, errors: [{ message: expect.stringContaining("was restarted") }] },
    });
    await pass(60);
    expect(await stateOf(id)).toBe("PAYOUT_QUEUED");
    await expectSoundBooks();
  });

  test("a chain that lost its past is given what the books say, and goes on", async () => {
    const [sale, purchase] = [await sell("USDC", "70"), await buy("USDC")];
    await deposit(sale, "70");
    await post("wires", { transactionId: purchase, amountUsd: "100.00" });
    const { port } = chain;
    await chain.close();
    rmSync(journalFile);
    await openChain(port);
    await pass(1);
    expect(await stateOf(sale)).toBe("AWAITING_DEPOSIT");
    expect(await stateOf(purchase)).not.toBe("PAYOUT_SUBMITTED");
    await expectSoundBooks();
    for (const symbol of ["USDC", "ETH", "WETH", "UNI"]) {
      const owned = await ledgerBalance(`hot:${symbol}.ethereum`);
      expect([symbol, await has(localHotWallet, symbol)]).toEqual([symbol, owned]);
    }
    await deposit(sale, "70");
    await pass(600);
    expect(await stateOf(sale)).toBe("PAYOUT_QUEUED");
    await expectSoundBooks();
  });
});
