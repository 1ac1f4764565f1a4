import { HDKey } from "@scure/bip32";
import { keccak256, stringToHex } from "viem";
import type { Hex } from "../../src/chains/hex.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { findToken } from "../../src/ramp/assets.ts";
import { evmDepositAddress } from "../../src/ramp/rails/evm/deposit-addresses.ts";
import type { EvmNodes } from "../../src/ramp/rails/evm/evm-nodes.ts";
import { hexSigner, sweepSigners } from "../../src/ramp/rails/evm/keys.ts";
import type { BlockTime, RampChain } from "../../src/ramp/rails/evm/ramp-chain.ts";
import type { ChainKeys, Signer } from "../../src/ramp/rails/evm/signer.ts";
import { type MemoryEvm, memoryEvm } from "../memory-evm.ts";
import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import { faultyNodes } from "./faulty-nodes.ts";
import type { Happenings } from "./happenings.ts";

export const blockchain = "base";
const coin = "ETH";
/** The customer's own wallet. */
export const walletAddress = "0x00000000000000000000000000000000000ADA77";

const root = HDKey.fromMasterSeed(Buffer.alloc(32, 7));
const hot = hexSigner(keccak256(stringToHex("hot wallet")));
const owner: Hex = `0x${"0".repeat(38)}0e`;

/** Keys are made from an index again and again, and it takes long. */
function remembered<Made>(make: (index: number) => Made): (index: number) => Made {
  const made = new Map<number, Made>();
  return (index) => {
    const known = made.get(index) ?? make(index);
    made.set(index, known);
    return known;
  };
}

export const depositAddressAt = remembered((index) =>
  evmDepositAddress(root.publicExtendedKey, index),
);
const sweepSigner = remembered<Signer | undefined>(sweepSigners(root.privateExtendedKey));
export const chainKeys: ChainKeys = { hot, deposit: sweepSigner };

/** The chain of the stories, as the ramp knows it. */
export const rampChain: RampChain = {
  ...{ blockchain, chainId: 8453, rpcUrls: [], agreeing: 1 },
  tokens: ["USDC", "ETH", "USDT"].map((symbol, index) => ({
    symbol,
    decimals: findToken(symbol, blockchain)?.decimals ?? 0,
    contract: symbol === coin ? undefined : (`0x${"c".repeat(39)}${index}` as const),
  })),
  ...{ finality: { rule: "tag", tag: "finalized" }, smallDeposits: undefined },
  ...{ hotWallet: hot.address, depositKey: root.publicExtendedKey, limits: {} },
  ...{ bumpAfterBlocks: 3, pollMs: 90_000 },
};

/** How far the ramp has looked at the chain. */
export type Looked = { nextBlock: number; finalBlock: number; hash: string };

type Transfer = { address: string; fromAddress: string; currency: string; units: bigint };

/** A chain with blocks that are taken back, fees that rise and nodes that fail. It stands still when nobody uses it. */
export type Chain = {
  evm: MemoryEvm;
  /** As the ramp reaches it. */
  nodes: EvmNodes;
  blockTime: BlockTime;
  sendTransfer(transfer: Transfer): void;
  /** The owners put something into the hot wallet. */
  endow(symbol: string, units: bigint): void;
  /** What they put in, of a token, that no block up to this one has. */
  giftsAfter(block: number, symbol: string): bigint;
  /** Makes blocks until everything that waits is there for good. */
  settle(): void;
  /** Whether there is something that somebody who has looked so far has not seen. */
  hasNews(looked: Looked): boolean;
};

type ChainOutside = {
  clock: Clock;
  chance: Chance;
  faults: Faults;
  happenings: Happenings;
  narrate(line: string): void;
};

const second = 1_000;
const minute = 60 * second;
const gwei = 10n ** 9n;

/** How many blocks have to follow one until it is for good. */
const finalAfter = 3;

/** Opens a chain on which nobody has anything. */
export function openChain(outside: ChainOutside): Chain {
  const { clock, chance, faults, happenings, narrate } = outside;
  const { tokens } = rampChain;
  const evm = memoryEvm({ tokens, startTime: Math.floor(clock.now() / second) });
  evm.behind = { safe: 1, finalized: finalAfter };
  evm.reverts = () => faults.strikes("payment_reverted");
  /** When the blocks were made in the ramp's time, by their own. */
  const times = new Map([[evm.head().time, clock.now()]]);
  const gifts: { hash: Hex; symbol: string; units: bigint }[] = [];
  let isPlanned = false;
  let dearUntil = 0;
  /** The newest block that was ever for good: it is not taken back. */
  let forGood = 0;
  /** The newest block that has something in it. */
  let lastFull = 0;

  function mine(): void {
    const before = evm.waiting().length;
    evm.mine();
    times.set(evm.head().time, clock.now());
    forGood = Math.max(forGood, evm.head().number - finalAfter);
    if (evm.waiting().length < before) lastFull = evm.head().number;
  }

  const isBusy = () => evm.waiting().length > 0 || evm.head().number <= lastFull + finalAfter;

  function plan(): void {
    if (isPlanned || !isBusy()) return;
    isPlanned = true;
    happenings.later(chance.between(5 * second, 2 * minute), makeBlocks);
  }

  function makeBlocks(): void {
    isPlanned = false;
    changeFees();
    const depthMost = evm.head().number - forGood;
    if (depthMost > 0 && faults.strikes("block_taken_back")) takeBack(chance.between(1, depthMost));
    for (let blocks = chance.between(1, 4); blocks > 0; blocks--) mine();
    plan();
  }

  /** Every block costs something else than the one before, and some times are dear. */
  function changeFees(): void {
    const isDear = evm.baseFee > 2n * gwei;
    if (isDear && clock.now() < dearUntil) return;
    evm.baseFee = (gwei * BigInt(chance.between(90, 120))) / 100n;
    if (!faults.strikes("fees_risen")) return;
    evm.baseFee = gwei * BigInt(chance.between(3, 9));
    dearUntil = clock.now() + chance.between(minute, chance.pick([30, 30, 300]) * minute);
  }

  /** What was in the blocks is in other ones later, or gone; the owners see to it that their gifts are not. */
  function takeBack(depth: number): void {
    narrate(`chain takes back ${depth} blocks after ${evm.head().number}`);
    const isGift = (hash: Hex) => gifts.some((gift) => gift.hash === hash);
    evm.reorganise(depth, (hash) => isGift(hash) || !faults.strikes("block_lost"));
    lastFull = Math.max(lastFull, evm.head().number + 1);
  }

  const blockOf = (wanted: Hex) =>
    evm.transfers().find(({ transfer }) => transfer.transactionHash === wanted)?.block.number;

  return {
    evm,
    nodes: faultyNodes(evm, { chance, faults, happenings, afterSend: plan }),
    blockTime: (seconds) => times.get(seconds) ?? seconds * second,
    sendTransfer({ address, fromAddress, currency, units }) {
      const [from, to] = [address, fromAddress].map((one) => one.toLowerCase() as Hex).reverse();
      const transfer = { from: from ?? owner, to: to ?? owner, symbol: currency, units };
      evm.transfer(transfer);
      plan();
    },
    endow(symbol, units) {
      const hash = evm.transfer({ from: owner, to: hot.address, symbol, units });
      gifts.push({ hash, symbol, units });
      plan();
    },
    giftsAfter(block, symbol) {
      return gifts
        .filter((gift) => gift.symbol === symbol)
        .filter(({ hash }) => (blockOf(hash) ?? Number.POSITIVE_INFINITY) > block)
        .reduce((sum, { units }) => sum + units, 0n);
    },
    settle() {
      while (isBusy()) mine();
    },
    hasNews({ nextBlock, finalBlock, hash }) {
      const head = evm.head();
      const isSeen = nextBlock === head.number + 1 && hash === head.hash;
      return !isSeen || finalBlock < head.number - finalAfter;
    },
  };
}
