import { HDKey } from "@scure/bip32";
import { numberToHex, type RpcBlock } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Hex } from "../src/chains/hex.ts";
import { sql } from "../src/database/sql.ts";
import { assert } from "../src/lib/errors.ts";
import { newId } from "../src/lib/ids.ts";
import { asUnits } from "../src/lib/money.ts";
import { systemRandom } from "../src/lib/random.ts";
import { openSealer } from "../src/lib/seal.ts";
import type { Notice, PayoutInstruction } from "../src/ramp/ports.ts";
import type { EvmContext } from "../src/ramp/rails/evm/chain-rail.ts";
import { hexSigner, sweepSigners } from "../src/ramp/rails/evm/keys.ts";
import { openEvmNodes } from "../src/ramp/rails/evm/open-evm-nodes.ts";
import { ownTransactionsWatch } from "../src/ramp/rails/evm/own-transactions.ts";
import type { ChainToken, RampChain } from "../src/ramp/rails/evm/ramp-chain.ts";
import { railNews } from "../src/ramp/rails/store/notices.ts";
import { tokens, traders } from "../src/sandbox/chain/layout.ts";
import {
  type OpenSandboxChain,
  openSandboxChain,
} from "../src/sandbox/chain/open-sandbox-chain.ts";
import { manualClock } from "./manual-clock.ts";
import { recordingLog } from "./silent-log.ts";
import { useDatabase } from "./test-database.ts";

export type ChainPayout = Extract<PayoutInstruction, { rail: "chain" }>;

/** A real chain and a real database, with nothing sent yet. */
export type EvmScene = {
  chain: OpenSandboxChain;
  context: EvmContext;
  clock: ReturnType<typeof manualClock>;
  /** What was logged in this test. */
  lines: string[];
};

export const ether: ChainToken = { symbol: "ETH", decimals: 18, contract: undefined };
export const dollar: ChainToken = {
  symbol: "USDC",
  decimals: 6,
  contract: tokens.find(({ symbol }) => symbol === "USDC")?.address,
};

const [hot] = traders;
assert(hot, "there are traders");
export const hotWallet: Hex = hot.address;

const depositKey = HDKey.fromMasterSeed(Buffer.alloc(32, 7));

/** A chain as money is moved on it. A block is for good when three others stand on it. */
export function rampChainAt(...rpcUrls: string[]): RampChain {
  return {
    ...{ blockchain: "ethereum", chainId: 1, rpcUrls, agreeing: rpcUrls.length },
    ...{ finality: { rule: "depth", blocks: 3 }, smallDeposits: undefined },
    ...{ tokens: [ether, dollar], hotWallet, depositKey: depositKey.publicExtendedKey },
    ...{ limits: {}, bumpAfterBlocks: 4, pollMs: 1_000 },
  };
}

/** A chain without a market, so that nothing happens on it by itself. */
export async function openQuietChain(): Promise<OpenSandboxChain> {
  const chain = await openSandboxChain({
    ...{ clock: manualClock(), warn: (message) => expect.fail(message), seed: 7 },
    ...{ history: { days: 0.001, swaps: 1 }, live: false, port: 0 },
  });
  await chain.seeded;
  return chain;
}

/** What sending money on a chain takes. After each test the chain is as it was before. */
export function useEvmScene(): EvmScene {
  const held = useDatabase();
  const scene = {} as EvmScene;
  let snapshot: Hex;
  beforeAll(async () => {
    scene.chain = await openQuietChain();
  });
  beforeEach(async () => {
    await held.db.query(sql`
      truncate chain_transactions, chain_attempts, chain_senders, rail_notices cascade`);
    const { lines, log } = recordingLog();
    const keys = [Buffer.alloc(32, 1)];
    const sealer = openSealer({ keys, digestKey: Buffer.alloc(32, 2), random: systemRandom });
    const chain = rampChainAt(scene.chain.url);
    snapshot = await scene.chain.request("evm_snapshot");
    scene.clock = manualClock();
    scene.lines = lines;
    scene.context = {
      ...{ db: held.db, clock: scene.clock, random: systemRandom, sealer, log, chain },
      nodes: openEvmNodes(chain),
      keys: {
        hot: hexSigner(hot?.key ?? "0x"),
        deposit: sweepSigners(depositKey.privateExtendedKey ?? ""),
      },
      blockTime: (seconds) => seconds * 1_000,
    };
  });
  afterEach(async () => {
    await scene.context.nodes.close();
    await scene.chain.request("evm_revert", [snapshot]);
  });
  afterAll(() => scene.chain.close());
  return scene;
}

/** Queues a payout in the books, and says what a rail would be told: 25 USDC to a new address, unless told otherwise. */
export async function newPayout(
  { context: { db, clock } }: EvmScene,
  changes: { token?: ChainToken; units?: bigint; to?: string } = {},
): Promise<ChainPayout> {
  const { token = dollar, units = 25_000_000n, to = newAddress() } = changes;
  const wireId = newId("wir", systemRandom);
  const reference = newId("pay", systemRandom);
  const now = new Date(clock.now());
  await db.query(sql`
    insert into incoming_wires
      (id, source, bank_reference, cents, sealed, state, received_at, updated_at)
    values (${wireId}, 'bank', ${wireId}, 1, '', 'returning', ${now}, ${now})`);
  await db.query(sql`
    insert into payouts
      (id, purpose, wire_id, rail, asset, amount, state, created_at, updated_at)
    values (${reference}, 'wire_return', ${wireId}, 'chain', ${`${token.symbol}.ethereum`},
      ${units}, 'submitted', ${now}, ${now})`);
  const { symbol, decimals } = token;
  const asked = { symbol, decimals, blockchain: "ethereum" };
  return { reference, rail: "chain", token: asked, units: asUnits(units), to };
}

/** An address that has never been used. */
export function newAddress(): Hex {
  return `0x${systemRandom.bytes(20).toString("hex")}`;
}

/** Mines empty blocks. */
export async function mine({ chain }: Pick<EvmScene, "chain">, count = 1): Promise<void> {
  for (let mined = 0; mined < count; mined++) {
    const { timestamp } = await chain.request<RpcBlock>("eth_getBlockByNumber", ["latest", false]);
    await chain.request("evm_mine", [numberToHex(BigInt(timestamp) + 12n)]);
  }
}

/** Lets time pass on the chain and here, and looks after what was sent. */
export async function pass(scene: EvmScene, blocks: number): Promise<void> {
  await mine(scene, blocks);
  scene.clock.advance(61_000);
  await ownTransactionsWatch(scene.context).run();
}

/** What an address has. */
export function balanceOf({ context }: EvmScene, address: string, token = dollar): Promise<bigint> {
  return context.nodes.balance(address as Hex, token, "latest");
}

/** What was told, in its order. */
export async function toldBy({ context }: EvmScene): Promise<readonly Notice[]> {
  return (await railNews(context, "chain:ethereum").read(null)).notices;
}

export type SentRow = {
  id: string;
  state: string;
  nonce: number;
  hash: Hex | null;
  purpose: string;
  attempts: number;
};

/** What we sent, in the order of the nonces. */
export function sentRows({ context }: EvmScene): Promise<SentRow[]> {
  return context.db.query(sql`
    select id, state, nonce::int as nonce, hash, purpose,
      (select count(*)::int from chain_attempts where transaction_id = t.id) as attempts
    from chain_transactions t order by sender, nonce`);
}
