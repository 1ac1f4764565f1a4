import { numberToHex } from "viem";
import type { Chain } from "../../chains/chain.ts";
import type { Deployment } from "../../dex/deployment.ts";
import type { Clock } from "../../lib/clock.ts";
import { openChronicle } from "./chronicle.ts";
import { openEngine, resultIn } from "./engine.ts";
import { type Beginning, openJournal } from "./journal.ts";
import { lifeOf } from "./life.ts";
import { openNode } from "./node.ts";
import { type RpcServer, serveRpc } from "./rpc-server.ts";
import { sandboxChainAt, sandboxDeployment } from "./sandbox-deployment.ts";

/** How much of the chain's time is there, in seconds, of how much there will be before it goes on living. */
export type Progress = { done: number; total: number };

/** A local Ethereum with Uniswap v3 on it, in this process. */
export type OpenSandboxChain = {
  url: string;
  port: number;
  chain: Chain;
  deployment: Deployment;
  progress(): Progress;
  /** Resolves when history is complete, or when the chain is closed before. Rejects when it cannot go on. */
  seeded: Promise<void>;
  /** Resolves when the chain stops growing by itself. Rejects when it cannot go on. */
  ended: Promise<void>;
  /** Calls a method of the node, as those outside do, for a result in the form that the node gives it. */
  request<Result>(method: string, params?: readonly unknown[]): Promise<Result>;
  /** Lets the market make a block now, or at a Unix time in seconds. */
  step(time?: number): Promise<void>;
  close(): Promise<void>;
};

export type SandboxChainOptions = {
  clock: Clock;
  /** Told when the chain could not be brought back as it was. */
  warn(message: string): void;
  seed: number;
  /** Where the blocks are kept. Without it they are gone with the chain. */
  journalFile?: string;
  /** How long history is, and about how many swaps are in it. */
  history: { days: number; swaps: number };
  /** Whether the market goes on by itself after history. */
  live: boolean;
  /** 0 for any that is free. */
  port: number;
  onProgress?: (progress: Progress) => void;
};

const secondsInDay = 86_400;

/** How many swaps there are in a block of history, measured. */
const swapsInBlock = 2.05;

/** Opens a chain: it replays what was kept, makes up what is missing of history, and goes on from there. */
export async function openSandboxChain(options: SandboxChainOptions): Promise<OpenSandboxChain> {
  const { clock, warn, journalFile, live, onProgress } = options;
  const begin = () => beginningOf(options);
  const journal = journalFile ? openJournal(journalFile, begin) : undefined;
  const { blocks = [], beginning = begin() } = journal ?? {};
  const stopping = new AbortController();
  let server: RpcServer | undefined;
  let isReplayed = false;
  let isSeeded = false;
  let closed: Promise<void> | undefined;

  const engine = await openEngine(beginning.genesisTime, (notice) => server?.notify(notice));
  const chronicle = await openChronicle({ engine, journal, warn, onHead: () => tellPercent() });
  const timeNow = () => (isSeeded ? Math.floor(clock.now() / 1_000) : 0);
  const node = openNode({ engine, chronicle, isKept: journal !== undefined, timeNow });
  const life = lifeOf({ engine, chronicle, node, beginning, clock });

  const total = Math.max(beginning.historyEnd, blocks.at(-1)?.time ?? 0) - beginning.genesisTime;
  const progress = () => ({
    done: Math.min(chronicle.head().time - beginning.genesisTime, total),
    total,
  });
  const tellPercent = percentTeller(progress, onProgress);

  /** A node that is not done with what it had tells so, as others do. */
  async function answer(method: string, params: readonly unknown[]): Promise<string> {
    if (method !== "eth_syncing" || isReplayed) return node.answer(method, params);
    const currentBlock = numberToHex(chronicle.head().number);
    const highestBlock = numberToHex(blocks.length);
    return JSON.stringify({ result: { startingBlock: "0x0", currentBlock, highestBlock } });
  }

  async function found(): Promise<void> {
    await node.inTurn(() => chronicle.replay(stopping.signal));
    isReplayed = true;
    if (!stopping.signal.aborted) await life.found();
  }

  async function seed(): Promise<void> {
    await founded;
    await life.makeHistory(stopping.signal);
    isSeeded = true;
  }

  async function goOn(): Promise<void> {
    await seeded;
    if (live) await life.goOn(stopping.signal);
  }

  async function close(): Promise<void> {
    stopping.abort();
    await server?.close();
    await Promise.allSettled([ended]);
    await engine.settle();
    journal?.close();
  }

  server = await serveRpc(options.port, answer);
  const founded = found();
  const seeded = seed();
  const ended = goOn();
  if (blocks.length === 0) await founded;

  const { port } = server;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    chain: sandboxChainAt(url),
    deployment: sandboxDeployment,
    progress,
    seeded,
    ended,
    request: async (method, params = []) => resultIn(await answer(method, params)),
    step: (time) => life.step(time ?? Math.floor(clock.now() / 1_000)),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** Tells of progress once for every percent. */
function percentTeller(progress: () => Progress, tell: SandboxChainOptions["onProgress"]) {
  let told = -1;
  return () => {
    const { done, total } = progress();
    const percent = Math.floor((100 * done) / total);
    if (percent === told) return;
    told = percent;
    tell?.({ done, total });
  };
}

function beginningOf({ clock, seed, history: { days, swaps } }: SandboxChainOptions): Beginning {
  const historyEnd = Math.floor(clock.now() / 1_000);
  const seconds = days * secondsInDay;
  return {
    seed,
    genesisTime: historyEnd - Math.round(seconds),
    historyEnd,
    historyBlockSeconds: (seconds / swaps) * swapsInBlock,
  };
}
