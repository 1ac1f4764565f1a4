import { HDKey } from "@scure/bip32";
import { keccak256, stringToHex } from "viem";
import { beforeAll } from "vitest";
import type { Hex } from "../src/chains/hex.ts";
import type { Database } from "../src/database/database.ts";
import type { DueRunner } from "../src/database/due.ts";
import { sql } from "../src/database/sql.ts";
import { checkInvariants } from "../src/ramp/invariants.ts";
import type { Notice } from "../src/ramp/ports.ts";
import { chainBalances } from "../src/ramp/rails/evm/chain-books.ts";
import { evmRail } from "../src/ramp/rails/evm/chain-rail.ts";
import { evmDepositAddress } from "../src/ramp/rails/evm/deposit-addresses.ts";
import type { DepositContext } from "../src/ramp/rails/evm/deposit-watch.ts";
import { evmRunners } from "../src/ramp/rails/evm/evm-runners.ts";
import { hexSigner, sweepSigners } from "../src/ramp/rails/evm/keys.ts";
import type { RampChain } from "../src/ramp/rails/evm/ramp-chain.ts";
import { railNews } from "../src/ramp/rails/store/notices.ts";
import { rampRunners } from "../src/ramp/run-ramp.ts";
import type { OffRamp } from "../src/ramp/transaction.ts";
import { type MemoryEvm, memoryEvm } from "./memory-evm.ts";
import { createSale, useWorld, type World } from "./ramp-world.ts";

const usdc = { symbol: "USDC", decimals: 6, contract: `0x${"c".repeat(40)}` } as const;
export const eth = { symbol: "ETH", decimals: 18, contract: undefined } as const;
export const stranger: Hex = `0x${"5".repeat(40)}`;

const root = HDKey.fromMasterSeed(Buffer.alloc(32, 7));
const hot = hexSigner(keccak256(stringToHex("hot wallet")));
export const keys = { hot, deposit: sweepSigners(root.privateExtendedKey) };

const chain: RampChain = {
  ...{ blockchain: "base", chainId: 8453, rpcUrls: [], agreeing: 1, tokens: [usdc, eth] },
  ...{ finality: { rule: "tag", tag: "finalized" }, smallDeposits: undefined },
  ...{ hotWallet: hot.address, depositKey: root.publicExtendedKey, limits: {} },
  ...{ bumpAfterBlocks: 3, pollMs: 4_000 },
};

/** A ramp with one customer on a chain in memory, where its hot wallet has what its books say. */
export type EvmWorld = { world: World; evm: MemoryEvm; context: DepositContext };

/** Makes such a ramp. A cent is a hundredth of a USDC, and a four-thousandth of a hundredth of an ETH. */
export function useEvmWorld(): EvmWorld {
  const world = useWorld();
  const held = { world } as EvmWorld;
  beforeAll(() => {
    held.evm = newEvm(world);
    const { clock, random, sealer, log } = world.context;
    held.context = {
      ...{ db: world.db, clock, random, sealer, log, chain, nodes: held.evm.nodes, keys },
      blockTime: (seconds) => seconds * 1_000,
      worthCents: (currency, units) =>
        currency === "USDC" ? units / 10_000n : (units * 400_000n) / 10n ** 18n,
    };
  });
  return held;
}

/** A chain that starts now, with a hot wallet that has what `useWorld` has booked. */
export function newEvm({ clock }: World): MemoryEvm {
  const evm = memoryEvm({ tokens: chain.tokens, startTime: Math.floor(clock.now() / 1_000) });
  evm.give(hot.address, "USDC", 1_000_000n * 10n ** 6n);
  evm.give(hot.address, "ETH", 100n * 10n ** 18n);
  evm.mine();
  return evm;
}

/** Makes a new sale, and says where its deposit has to go. */
export async function newDepositAddress(
  { world }: Pick<EvmWorld, "world">,
  index: number,
  changes: Partial<OffRamp> = {},
): Promise<Hex> {
  const depositAddress = evmDepositAddress(chain.depositKey, index);
  await createSale(world, { depositAddress, depositIndex: index, ...changes });
  return depositAddress.toLowerCase() as Hex;
}

/** Everything that the chain told so far, in order. */
export async function toldBy({ context }: EvmWorld): Promise<Notice[]> {
  const source = railNews(context, `chain:${context.chain.blockchain}`);
  const told: Notice[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await source.read(cursor);
    told.push(...page.notices);
    if (page.notices.length === 0) return told;
    cursor = page.cursor;
  }
}

/** Ties the ramp to the chain: it reads its news, pays out on it, and compares its books with it. */
export function connect({ world, context }: Pick<EvmWorld, "world" | "context">): void {
  const { ports } = world;
  const { blockchain } = context.chain;
  world.context.ports = {
    ...ports,
    rails: { ...ports.rails, chain: evmRail(context) },
    news: [...ports.news, railNews(context, `chain:${blockchain}`)],
    books: {
      async balances() {
        const all = await ports.books.balances();
        const elsewhere = all.filter(({ account }) => !account.endsWith(`.${blockchain}`));
        return [...elsewhere, ...(await chainBalances(context))];
      },
    },
  };
}

/** Makes blocks, and does after each of them what is to be done on the chain and in the ramp. */
export async function passBlocks({ world, evm, context }: EvmWorld, blocks: number): Promise<void> {
  for (let count = 0; count < blocks; count++) {
    evm.mine();
    world.clock.advance(60_000);
    for (const runner of runnersOf({ world, context })) await runner.run();
  }
}

/** What has to be done on the chain and in the ramp. The books are checked by the tests themselves. */
export function runnersOf({ world, context }: Pick<EvmWorld, "world" | "context">): DueRunner[] {
  const all = [...evmRunners(context), ...rampRunners(world.context)];
  return all.filter(({ name }) => name !== "invariants");
}

/** What comparing the books with the outside says. */
export async function comparison({ world }: Pick<EvmWorld, "world">): Promise<string> {
  const { checks } = await checkInvariants(world.context, 0);
  const found = checks.find(({ id }) => id === "I10");
  return found?.detail.replace(/^[^:]*: /, "") ?? "";
}

/** Forgets everything that was seen on the chain. */
export async function forgetChain(db: Database): Promise<void> {
  await db.query(sql`truncate chain_cursors, chain_blocks, chain_deposits, rail_notices`);
}
