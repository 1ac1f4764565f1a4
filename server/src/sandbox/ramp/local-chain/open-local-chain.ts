import { UnavailableError } from "../../../lib/errors.ts";
import type { EvmContext } from "../../../ramp/rails/evm/chain-rail.ts";
import { openEvmNodes } from "../../../ramp/rails/evm/open-evm-nodes.ts";
import type { RampChain } from "../../../ramp/rails/evm/ramp-chain.ts";
import type { RailContext } from "../../../ramp/rails/rail-context.ts";
import { chainId } from "../../chain/sandbox-deployment.ts";
import type { SandboxClock } from "../clock.ts";
import { localDepositKey } from "./deposit-key.ts";
import { localHotWallet, localKeys } from "./keys.ts";
import { localNodes } from "./local-nodes.ts";
import { type LocalRpc, localRpc } from "./local-rpc.ts";
import { localBlockchain, localTokens } from "./tokens.ts";
import { prepareTreasury } from "./treasury.ts";

/** The sandbox's Ethereum with the ramp's wallet on it. */
export type LocalChain = {
  /** What the ramp's own rail works with. */
  evm: EvmContext;
  /** What the sandbox's controls work with. */
  rpc: LocalRpc;
  /** Which run of the chain's process it is. */
  instance(): Promise<string>;
  /** Whether the chain is there with all its blocks, and the wallet with its tokens. Makes it so when it can. */
  isReady(): Promise<boolean>;
  /** The same for those who cannot go on without, at once or after some patience. */
  ensureReady(): Promise<void>;
  untilReady(): Promise<void>;
};

/** A chain that is started for the first time makes up its past for about this long. */
const patienceMs = 20_000;
const lookAgainMs = 250;

/** For how long it is believed to be ready: in less time no process can end and another take its place. */
const freshMs = 250;

type LocalContext = Omit<RailContext, "clock"> & { clock: SandboxClock };

/** Opens the ramp's side of the sandbox's Ethereum. Nothing is asked yet. */
export function openLocalChain(context: LocalContext, rpcUrl: string): LocalChain {
  const { db, clock } = context;
  const rpc = localRpc(rpcUrl);
  const chain = localRampChain(rpcUrl);
  let readyInstance: string | undefined;
  let isFresh = false;
  let preparing: Promise<boolean> | undefined;

  async function instance(): Promise<string> {
    return (await rpc<{ instanceId: string }>("hardhat_metadata")).instanceId;
  }

  async function prepare(found: string): Promise<boolean> {
    const isPrepared = await prepareTreasury(context, rpc);
    if (isPrepared) readyInstance = found;
    return isPrepared;
  }

  /** Every process of the chain is looked at anew: it may have other blocks than the one before. */
  async function look(): Promise<boolean> {
    if ((await rpc("eth_syncing")) !== false) return false;
    const found = await instance();
    if (found === readyInstance) return true;
    preparing ??= prepare(found).finally(() => {
      preparing = undefined;
    });
    return preparing;
  }

  async function becomeReady(): Promise<boolean> {
    if (isFresh) return true;
    isFresh = await look();
    if (isFresh) void clock.sleep(freshMs).then(() => (isFresh = false));
    return isFresh;
  }

  async function ensureReady(): Promise<void> {
    if (await becomeReady()) return;
    throw new UnavailableError("The sandbox's Ethereum is not ready yet; try again in a moment.");
  }

  const isReady = () =>
    becomeReady().catch((error) => {
      if (error instanceof UnavailableError) return false;
      throw error;
    });

  async function untilReady(): Promise<void> {
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookAgainMs) {
      if (await isReady()) return;
      await clock.sleep(lookAgainMs);
    }
    await ensureReady();
  }

  const nodes = localNodes({ db, clock, nodes: openEvmNodes(chain), ensureReady });
  const blockTime = (unixSeconds: number) => unixSeconds * 1_000;
  return {
    evm: { ...context, chain, nodes, keys: localKeys(), blockTime },
    rpc,
    instance,
    isReady,
    ensureReady,
    untilReady,
  };
}

/** The sandbox's Ethereum, as money is moved on it. */
function localRampChain(rpcUrl: string): RampChain {
  return {
    blockchain: localBlockchain,
    chainId,
    rpcUrls: [rpcUrl],
    agreeing: 1,
    // Less than a minute, so that a minute of the sandbox's clock is always enough.
    finality: { rule: "age", ms: 50_000 },
    smallDeposits: undefined,
    tokens: localTokens,
    hotWallet: localHotWallet,
    depositKey: localDepositKey,
    limits: {},
    bumpAfterBlocks: 10,
    pollMs: 1_000,
  };
}
