import type { Header, Log, LogFilter, Nodes } from "../src/chains/chain.ts";
import type { Hex } from "../src/chains/hex.ts";
import type { FakeBlock, FakeChain, WireLog } from "./fake-chain.ts";
import { callToken, type FakeToken } from "./fake-node.ts";

export type MemoryNodes = Nodes & {
  /** How many ranges of logs were asked for, and how often anything was. */
  asked: { ranges: number; anything: number };
};

type MemoryNodesOptions = {
  rangeBlocks?: number;
  /** Answers calls that are no token's metadata; nothing means that it reverts. */
  onCall?: (to: Hex, data: Hex) => Hex | undefined;
};

/** The nodes of a chain in memory, without any wire between: for tests of what is above the wire. */
export function memoryNodes(
  chain: FakeChain,
  tokens: Record<Hex, FakeToken>,
  { rangeBlocks = 7, onCall }: MemoryNodesOptions = {},
): MemoryNodes {
  const asked = { ranges: 0, anything: 0 };
  const note = async () => {
    asked.anything++;
  };
  const headerAt = (number: number) => {
    const block = chain.byNumber(number);
    return block && headerOf(block);
  };
  return {
    asked,
    async head() {
      await note();
      return headerOf(chain.head());
    },
    async header(number) {
      await note();
      return headerAt(number);
    },
    async headers(numbers) {
      await note();
      return numbers.map((number) => {
        const header = headerAt(number);
        if (!header) throw new Error(`There is no block ${number}.`);
        return header;
      });
    },
    async *heads(signal) {
      let told: Hex | undefined;
      while (!signal.aborted) {
        const head = chain.head();
        if (head.hash !== told) {
          told = head.hash;
          yield headerOf(head);
          continue;
        }
        await new Promise<void>((resolve) => {
          const stop = chain.onHead(() => done());
          const done = () => {
            stop();
            signal.removeEventListener("abort", done);
            resolve();
          };
          signal.addEventListener("abort", done);
        });
      }
    },
    async *streamLogs(filter, from, to, signal) {
      for (let start = from; start <= to && !signal.aborted; start += rangeBlocks) {
        await note();
        asked.ranges++;
        const end = Math.min(start + rangeBlocks - 1, to);
        const blocks = chain.blocks.filter(({ number }) => number >= start && number <= end);
        yield { from: start, to: end, logs: blocks.flatMap((block) => logsOf(block, filter)) };
      }
    },
    async blockLogs({ hash }, filter) {
      await note();
      const block = chain.byHash(hash);
      if (!block) throw new Error("That block is not known.");
      return logsOf(block, filter);
    },
    async call(calls) {
      await note();
      return calls.map(({ to, data }) => callToken(tokens, to, data) ?? onCall?.(to, data));
    },
    async origins(hashes) {
      await note();
      return new Map(
        hashes.flatMap((hash) => {
          const origin = chain.originOf(hash);
          return origin ? [[hash, origin] as const] : [];
        }),
      );
    },
    distrust() {},
    health: () => [],
    close: () => Promise.resolve(),
  };
}

function headerOf({ number, hash, parentHash, time, logsBloom }: FakeBlock): Header {
  return {
    number,
    hash,
    parentHash,
    time,
    logsBloom,
    author: `0x${"c0".repeat(20)}`,
    size: 1_000,
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    totalDifficulty: undefined,
  };
}

function logsOf({ number, hash, time, logs }: FakeBlock, { addresses, topics }: LogFilter): Log[] {
  const isWanted = (log: WireLog) =>
    (addresses?.includes(log.address) ?? true) && topics.includes(log.topics[0] ?? "0x");
  return logs.filter(isWanted).map((log) => ({
    block: number,
    blockHash: hash,
    time,
    transactionHash: log.transactionHash,
    index: Number(log.logIndex),
    address: log.address,
    topics: log.topics,
    data: log.data,
  }));
}
