import type { NewTransaction } from "@slipway/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { manualClock } from "../../../../test/manual-clock.ts";
import { recordingLog } from "../../../../test/silent-log.ts";
import { testSealing, useApp } from "../../../../test/test-app.ts";
import { readConfig } from "../../../config.ts";
import { sql } from "../../../database/sql.ts";
import { assert, messageOf, UnavailableError } from "../../../lib/errors.ts";
import { systemRandom } from "../../../lib/random.ts";
import { type OpenRamp, openRamp } from "../../../open-ramp.ts";
import { checkInvariants } from "../../../ramp/invariants.ts";
import { type OpenSandboxChain, openSandboxChain } from "../../chain/open-sandbox-chain.ts";
import { localHotWallet } from "./keys.ts";
import { balanceOf, type LocalRpc } from "./local-rpc.ts";
import { localTokens } from "./tokens.ts";
import { prepareTreasury } from "./treasury.ts";

/** A Wednesday noon in New York. */
const clock = manualClock(Date.UTC(2026, 3, 15, 16));
const wallet = "0x52908400098527886E0F7030069857D2E4169EE7";
const { log, lines } = recordingLog();
/** Has Ethereum in tables. */
const app = useApp({}, clock);
let chain: OpenSandboxChain;

beforeAll(async () => {
  const history = { days: 0.01, swaps: 5 };
  const warn = (message: string) => expect.fail(message);
  chain = await openSandboxChain({ clock, warn, seed: 7, history, live: false, port: 0 });
  await chain.seeded;
});
afterAll(() => chain.close());

/** The same ramp as another process has it. */
function openOther(localChainUrl?: string): Promise<OpenRamp> {
  const { config } = readConfig({});
  const orders = { mode: config.mode, sealing: testSealing, settings: config.ramp, localChainUrl };
  return openRamp(orders, { db: app.db, clock, random: systemRandom, log });
}

async function settle({ runners }: OpenRamp): Promise<void> {
  for (let rounds = 0; rounds < 8; rounds++) for (const { run } of runners) await run();
}

async function expectSound({ ports }: OpenRamp): Promise<void> {
  assert(ports, "the sandbox has ports");
  const { checks } = await checkInvariants({ db: app.db, ports });
  expect(checks.filter(({ ok, detail }) => !ok || detail.includes("not compared"))).toEqual([]);
}

async function post(path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await app.ask(`/sandbox/${path}`, {
    ...{ method: "POST", headers, body: JSON.stringify(body) },
  });
  expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)]);
}

async function ownedOf(place: "hot" | "unswept", symbol: string): Promise<bigint> {
  const [row] = await app.db.query<{ owned: string }>(sql`
    select -balance as owned from ledger_accounts where name = ${`${place}:${symbol}.ethereum`}`);
  return BigInt(row?.owned ?? 0);
}

async function expectTreasury(): Promise<void> {
  for (const token of localTokens) {
    const { symbol } = token;
    const there = await balanceOf(chain.request, token, localHotWallet);
    expect([symbol, there]).toEqual([symbol, await ownedOf("hot", symbol)]);
    expect([symbol, await ownedOf("unswept", symbol)]).toEqual([symbol, 0n]);
  }
}

/** A way to the chain that breaks after so many calls. */
function breakingAfter(calls: number): LocalRpc {
  let left = calls;
  return (method, params) => {
    if (left-- <= 0) throw new UnavailableError("killed");
    return chain.request(method, params);
  };
}

test("a chain takes over what its twin had, whatever dies on the way, and gives it back", async () => {
  const { ramp, sandbox } = app.as("master");
  const { id: walletId } = await ramp.wallets.create({ address: wallet, blockchain: "ethereum" });
  const { id: bankAccountId } = await ramp.bankAccounts.create({
    ...{ routingNumber: "021000021", accountNumber: "700011112222" },
    billingDetails: {
      ...{ city: "Austin", country: "US", line1: "1 Main St", province: "TX" },
      ...{ fullName: "Sandbox Master", phone: "+15125550100", postalCode: "78701" },
    },
  });
  const create = async (order: NewTransaction) => (await ramp.transactions.create(order)).id;
  const place = { walletId, blockchain: "ethereum" };
  const sell = (currency: string, quantity: string) =>
    create({
      settlementMethod: "ACH",
      sourceOrder: { ...place, currency, quantity },
      destinationOrder: { bankAccountId, currency: "USD" },
    });
  const stateOf = async (id: string) => (await ramp.transactions.status(id)).state;

  const sold = await sell("USDC", "100");
  await post("deposits", { transactionId: sold, quantity: "100" });
  const tooMuch = await sell("ETH", "1");
  await post("deposits", { transactionId: tooMuch, quantity: "1000000000" });
  await sandbox.advanceClock(13 * 60);
  expect(await ownedOf("unswept", "USDC")).toBe(100_000_000n);
  const underWay = await sell("DAI", "50");
  await post("deposits", { transactionId: underWay, quantity: "50" });
  const bought = await create({
    settlementMethod: "WIRE",
    sourceOrder: { bankAccountId, currency: "USD", quantity: "100.00" },
    destinationOrder: { ...place, currency: "USDC" },
  });
  await post("wires", { transactionId: bought, amountUsd: "100.00" });
  expect(await stateOf(bought)).toBe("PAYOUT_SUBMITTED");

  const other = await openOther(chain.url);
  assert(other.sandboxClock, "the sandbox has a clock");
  const context = { ...other, clock: other.sandboxClock, db: app.db, log };
  expect(await prepareTreasury(context, breakingAfter(1))).toBe(false);
  for (const { run } of other.runners.filter(({ name }) => /sandbox|news/.test(name))) await run();
  expect(await stateOf(bought)).toBe("COMPLETED");
  expect(await stateOf(underWay)).toBe("DEPOSIT_FINAL");
  for (let calls = 0; ; calls += 7) {
    const isPrepared = await prepareTreasury(context, breakingAfter(calls)).catch(messageOf);
    if (isPrepared === true) break;
    expect(isPrepared).toBe("killed");
  }
  await expectTreasury();
  await settle(other);
  await expectTreasury();
  await expectSound(other);

  const third = await openOther(chain.url);
  await settle(third);
  await expectTreasury();

  const back = await openOther();
  await settle(back);
  await expectSound(back);
  await settle(await openOther(chain.url));
  await expectTreasury();
  expect(lines.filter((line) => /"level":"?(warn|error|40|50)/.test(line))).toEqual([]);
});
