import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "../../../test/test-database.ts";
import { sql } from "../../database/sql.ts";
import { UnavailableError } from "../../lib/errors.ts";
import { asUnits } from "../../lib/money.ts";
import type { RampChain } from "../../ramp/rails/evm/ramp-chain.ts";
import { hotWalletFindings } from "./hot-wallet.ts";

const held = useDatabase(1);
const now = Date.UTC(2026, 10, 16);
const gwei = 10n ** 9n;

const chain: RampChain = {
  ...{
    blockchain: "ethereum",
    chainId: 1,
    rpcUrls: [],
    agreeing: 1,
    pollMs: 1,
    bumpAfterBlocks: 1,
  },
  ...{ finality: { rule: "depth", blocks: 3 }, smallDeposits: undefined, depositKey: "" },
  hotWallet: `0x${"aa".repeat(20)}`,
  tokens: [
    { symbol: "ETH", decimals: 18, contract: undefined },
    { symbol: "USDC", decimals: 6, contract: `0x${"bb".repeat(20)}` },
  ],
  limits: { USDC: { floor: asUnits(50_000_000n), perPayout: undefined, perDay: undefined } },
};

/** What the chain says; one gas costs 10 gwei, so that ten payouts take 0.0065 ether. */
const holds = { ETH: 10n ** 18n, USDC: 75_500_000n, nonce: 4 };
beforeEach(async () => {
  Object.assign(holds, { ETH: 10n ** 18n, USDC: 75_500_000n, nonce: 4 });
  await held.db.query(sql`truncate chain_senders, chain_transactions cascade`);
});

const look = (db: typeof held.db | undefined = held.db) =>
  hotWalletFindings({
    ...{ chain, db, now },
    nodes: {
      balance: async (_, { symbol }) => (symbol === "ETH" ? holds.ETH : holds.USDC),
      fees: async () => ({ maxFee: 10n * gwei, priorityFee: gwei }),
      nonce: async () => holds.nonce,
    },
  });

async function haveSent(nextNonce: number, waitingSince?: Date): Promise<void> {
  const { blockchain, hotWallet } = chain;
  await held.db.query(sql`
    insert into chain_senders (blockchain, address, next_nonce)
    values (${blockchain}, ${hotWallet}, ${nextNonce})`);
  if (!waitingSince) return;
  await held.db.query(sql`
    insert into chain_transactions (id, blockchain, sender, nonce, purpose, currency, units, call,
      state, created_at, updated_at)
    values ('ctx-1', ${blockchain}, ${hotWallet}, ${nextNonce - 1}, 'gas', 'ETH', 1, '{}', 'signed',
      ${waitingSince}, ${waitingSince})`);
}

describe("a hot wallet", () => {
  test("is well with gas, with more than must stay in it, and with what we sent", async () => {
    const well = [{ state: "ok", what: `${chain.hotWallet} has 1 ETH, 75.5 USDC` }];
    expect(await look()).toEqual(well);
    await haveSent(5, new Date(now - 60_000));
    expect(await look()).toEqual(well);
    expect(await look(undefined)).toEqual(well);
  });

  test.each([
    [10n ** 15n, "warning", "0.001 ETH"],
    [0n, "broken", "0 ETH"],
  ])("with %i wei for gas is %s", async (ETH, state, what) => {
    holds.ETH = ETH;
    expect(await look()).toMatchObject([
      { state, what: expect.stringContaining(what), fix: "Send ETH to it on ethereum." },
    ]);
  });

  test("with no more than must stay in it pays nothing out", async () => {
    holds.USDC = 50_000_000n;
    expect(await look()).toMatchObject([
      {
        state: "warning",
        what: "The hot wallet has 50 USDC, and 50 must stay in it.",
        fix: expect.stringContaining("ramp.rails.chains.ethereum.limits.USDC.floor"),
      },
    ]);
  });

  test("that has sent more than we know of may be somebody else's too", async () => {
    await haveSent(3);
    expect(await look()).toMatchObject([
      { state: "broken", what: expect.stringContaining("has sent 4 transactions") },
    ]);
  });

  test("whose transactions no block takes is worth a look", async () => {
    await haveSent(5, new Date(now - 45 * 60_000));
    expect(await look()).toMatchObject([
      { state: "warning", what: expect.stringContaining("the oldest for 45 min") },
    ]);
  });

  test("of which the nodes say nothing is broken", async () => {
    const failing = () => Promise.reject(new UnavailableError("Too few nodes agree."));
    const nodes = { balance: failing, fees: failing, nonce: failing };
    expect(await hotWalletFindings({ chain, nodes, db: undefined, now })).toMatchObject([
      { state: "broken", what: "Too few nodes agree." },
    ]);
  });
});
