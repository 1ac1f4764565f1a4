import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewTransaction, TransactionStatus } from "@slipway/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manualClock } from "../../../../test/manual-clock.ts";
import { useApp } from "../../../../test/test-app.ts";
import type { Hex } from "../../../chains/hex.ts";
import { sql } from "../../../database/sql.ts";
import { assert } from "../../../lib/errors.ts";
import { tokens as marketTokens } from "../../chain/layout.ts";
import { type OpenSandboxChain, openSandboxChain } from "../../chain/open-sandbox-chain.ts";
import { localDepositKey } from "./deposit-key.ts";
import { localHotWallet, localKeys } from "./keys.ts";
import { balanceOf, type LocalRpc, localRpc } from "./local-rpc.ts";
import { localTokens } from "./tokens.ts";

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

test("the tokens of the market and of the ramp are the same", () => {
  const inMarket = new Map(marketTokens.map(({ symbol, decimals }) => [symbol, decimals]));
  const both = localTokens.filter(({ symbol }) => inMarket.has(symbol));
  expect(both.map(({ symbol }) => symbol).toSorted()).toEqual(
    ["DAI", "LINK", "USDC", "USDT", "WBTC", "WETH"].toSorted(),
  );
  for (const { symbol, decimals } of both) expect([symbol, decimals]).toEqual([symbol, inMarket.get(symbol)]);
  expect(new Set(localTokens.map(({ contract }) => contract)).size).toBe(localTokens.length);
});
