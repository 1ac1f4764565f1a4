import type { Hex } from "../../server/src/chains/hex.ts";
import type { ConfiguredChain } from "../../server/src/dex/configured.ts";
import { addressOf, hashOf, hex, type NewLog } from "../../server/test/fake-chain.ts";
import { type SyntheticExchange, syntheticExchange } from "../../server/test/synthetic-exchange.ts";

/** Blocks as they are sent, ready before anybody asks. */
export type SyntheticChain = {
  exchange: SyntheticExchange;
  head: number;
  /** The JSON of a block, or of nothing. */
  block(number: number, withTransactions: boolean): string;
  /** The JSON of the logs of these blocks and addresses, without brackets. Without addresses: all. */
  logs(from: number, to: number, addresses: ReadonlySet<string> | undefined): Buffer[];
};

const logsPerBlock = 20;
export const finalityBlocks = 64;
/** The block that creates and fills the pools; the swaps follow, and then blocks without any. */
const foundingBlock = 1;

const firstTime = 1_700_000_000;
const secondsPerBlock = 12;
const emptyBloom = `0x${"0".repeat(512)}`;
const mintTopic = "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde";
const comma = Buffer.from(",");

export function benchExchange(): SyntheticExchange {
  return syntheticExchange({ pools: 100, seed: 1 });
}

/** The chain as it would be configured. */
export function benchChain(rpcUrls: string[]): ConfiguredChain {
  const { deployment } = benchExchange();
  const chain = {
    id: deployment.blockchain,
    name: "Ethereum",
    chainId: 1,
    rpcUrls,
    finalityBlocks,
    agreeing: 1,
    totalDifficulty: "0",
  };
  return { chain, deployments: [deployment], blocks: 0 };
}

/** The last block with logs, of so many. */
export function lastSwapBlock(swaps: number): number {
  return foundingBlock + Math.ceil(swaps / logsPerBlock);
}

/** Pools hold what their liquidity is made of, as on a real chain, so that no swap takes more than there is. */
function filled(log: NewLog): NewLog {
  const { topics, data = "0x" } = log;
  if (topics[0] !== mintTopic) return log;
  const [sender, liquidity] = [data.slice(2, 66), data.slice(66, 130)];
  return { ...log, data: `0x${sender}${liquidity}${liquidity}${liquidity}` };
}

/** The logs of a block: each one's bytes, and all of them together. */
type Spoken = { addresses: Hex[]; texts: Buffer[]; whole: Buffer };

/** A chain with this many swaps, each of which follows from those before it. */
export function syntheticChain(
  swaps: number,
  progressed: (done: number) => void = () => {},
): SyntheticChain {
  const exchange = benchExchange();
  const spoken: Spoken[] = [speak(0, [])];
  spoken.push(speak(foundingBlock, (exchange.founding().logs ?? []).map(filled)));
  for (let done = 0; done < swaps; done += logsPerBlock) {
    const { logs = [] } = exchange.swaps(Math.min(logsPerBlock, swaps - done));
    spoken.push(speak(spoken.length, logs));
    progressed(done + logs.length);
  }
  const head = spoken.length - 1 + finalityBlocks;

  return {
    exchange,
    head,
    block(number, withTransactions) {
      if (number > head) return "null";
      const transactions = withTransactions ? (spoken[number]?.texts ?? []) : [];
      return JSON.stringify({
        ...headerOf(number),
        transactions: transactions.map((_, index) => transactionOf(number, index)),
      });
    },
    logs(from, to, addresses) {
      const parts: Buffer[] = [];
      for (const block of spoken.slice(from, to + 1)) {
        for (const text of selected(block, addresses)) {
          if (parts.length > 0) parts.push(comma);
          parts.push(text);
        }
      }
      return parts;
    },
  };
}

function selected({ addresses, texts, whole }: Spoken, wanted: ReadonlySet<string> | undefined) {
  if (texts.length === 0) return [];
  if (!wanted || addresses.every((address) => wanted.has(address))) return [whole];
  return texts.filter((_, index) => wanted.has(addresses[index] ?? ""));
}

function speak(number: number, logs: readonly NewLog[]): Spoken {
  const place = { blockNumber: hex(number), blockHash: hashOfBlock(number), removed: false };
  const lines = logs.map(({ address, topics, data }, index) =>
    JSON.stringify({
      address,
      topics,
      data,
      ...place,
      blockTimestamp: hex(timeOf(number)),
      transactionHash: hashOfTransaction(number, index),
      transactionIndex: hex(index),
      logIndex: hex(index),
    }),
  );
  const whole = Buffer.from(lines.join(","));
  let end = -1;
  const texts = lines.map((line) => {
    const start = end + 1;
    end = start + line.length;
    return whole.subarray(start, end);
  });
  return { addresses: logs.map(({ address }) => address), texts, whole };
}

const timeOf = (number: number) => firstTime + secondsPerBlock * number;
const hashOfBlock = (number: number) => hashOf(`block ${number}`);
const hashOfTransaction = (number: number, index: number) => hashOf(`${number} ${index}`);

function headerOf(number: number) {
  return {
    number: hex(number),
    hash: hashOfBlock(number),
    parentHash: hashOfBlock(number - 1),
    timestamp: hex(timeOf(number)),
    logsBloom: emptyBloom,
    miner: addressOf("miner"),
    size: hex(1_000),
    gasLimit: hex(30_000_000),
    gasUsed: hex(3_000_000),
    receiptsRoot: hashOf("receipts"),
  };
}

function transactionOf(number: number, index: number) {
  return {
    hash: hashOfTransaction(number, index),
    transactionIndex: hex(index),
    blockNumber: hex(number),
    blockHash: hashOfBlock(number),
    from: addressOf("trader"),
    to: addressOf("router"),
  };
}
