import type { Log } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import type { Dialect } from "../deployment.ts";
import { IntegrityError } from "./integrity.ts";

/** What the contracts of an exchange say, in our own terms. Amounts are in the tokens' smallest units. */
export type PoolEvent =
  | {
      kind: "poolCreated";
      pool: Hex;
      token0: Hex;
      token1: Hex;
      fee: number;
      tickSpacing: number;
      /** What a pool held that is older than the chain's logs. */
      found?: { liquidity: bigint; balance0: bigint; balance1: bigint };
    }
  | { kind: "initialize"; sqrtPrice: bigint; tick: number }
  | {
      kind: "mint";
      sender: Hex;
      owner: Hex;
      tickLower: number;
      tickUpper: number;
      amount: bigint;
      amount0: bigint;
      amount1: bigint;
    }
  | {
      kind: "burn";
      owner: Hex;
      tickLower: number;
      tickUpper: number;
      amount: bigint;
      amount0: bigint;
      amount1: bigint;
    }
  | {
      kind: "swap";
      sender: Hex;
      recipient: Hex;
      amount0: bigint;
      amount1: bigint;
      sqrtPrice: bigint;
      liquidity: bigint;
      tick: number;
    }
  | { kind: "collect"; amount0: bigint; amount1: bigint }
  | { kind: "flash"; paid0: bigint; paid1: bigint }
  | { kind: "setFeeProtocol"; feeProtocol0: number; feeProtocol1: number }
  | { kind: "collectProtocol"; amount0: bigint; amount1: bigint };

export type EventOf<Kind extends PoolEvent["kind"]> = Extract<PoolEvent, { kind: Kind }>;

/** How many topics and words of data a log must have, and what they mean. */
type Decoder = { topics: number; words: number; read(log: Log): PoolEvent };

const poolCreated = "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118";

/** No contract says this: it is how we write down a pool that was there before the chain's logs. */
export const poolFoundTopic: Hex = `0x${"0".repeat(63)}1`;

/** First topics of a log, and how the rest of it is read. */
const common: Record<Hex, Decoder> = {
  [poolCreated]: {
    topics: 4,
    words: 2,
    read: (log) => ({
      kind: "poolCreated",
      token0: addressIn(log, 1),
      token1: addressIn(log, 2),
      fee: smallIn(log, 3),
      tickSpacing: smallAt(log.data, 0),
      pool: addressAt(log.data, 1),
    }),
  },
  [poolFoundTopic]: {
    topics: 4,
    words: 5,
    read: (log) => ({
      kind: "poolCreated",
      token0: addressIn(log, 1),
      token1: addressIn(log, 2),
      fee: smallIn(log, 3),
      tickSpacing: smallAt(log.data, 0),
      pool: addressAt(log.data, 1),
      found: {
        liquidity: unsignedAt(log.data, 2),
        balance0: unsignedAt(log.data, 3),
        balance1: unsignedAt(log.data, 4),
      },
    }),
  },
  "0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95": {
    topics: 1,
    words: 2,
    read: ({ data }) => ({
      kind: "initialize",
      sqrtPrice: unsignedAt(data, 0),
      tick: smallAt(data, 1),
    }),
  },
  "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde": {
    topics: 4,
    words: 4,
    read: (log) => ({
      kind: "mint",
      owner: addressIn(log, 1),
      tickLower: smallIn(log, 2),
      tickUpper: smallIn(log, 3),
      sender: addressAt(log.data, 0),
      amount: unsignedAt(log.data, 1),
      amount0: unsignedAt(log.data, 2),
      amount1: unsignedAt(log.data, 3),
    }),
  },
  "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c": {
    topics: 4,
    words: 3,
    read: (log) => ({
      kind: "burn",
      owner: addressIn(log, 1),
      tickLower: smallIn(log, 2),
      tickUpper: smallIn(log, 3),
      amount: unsignedAt(log.data, 0),
      amount0: unsignedAt(log.data, 1),
      amount1: unsignedAt(log.data, 2),
    }),
  },
  "0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0": {
    topics: 4,
    words: 3,
    read: ({ data }) => ({
      kind: "collect",
      amount0: unsignedAt(data, 1),
      amount1: unsignedAt(data, 2),
    }),
  },
  "0xbdbdb71d7860376ba52b25a5028beea23581364a40522f6bcfb86bb1f2dca633": {
    topics: 3,
    words: 4,
    read: ({ data }) => ({
      kind: "flash",
      paid0: unsignedAt(data, 2),
      paid1: unsignedAt(data, 3),
    }),
  },
  "0x596b573906218d3411850b26a6b437d6c4522fdb43d2d2386263f86d50b8b151": {
    topics: 3,
    words: 2,
    read: ({ data }) => ({
      kind: "collectProtocol",
      amount0: unsignedAt(data, 0),
      amount1: unsignedAt(data, 1),
    }),
  },
};

/** PancakeSwap adds two words to its Swap and widens the shares of SetFeeProtocol; what both have stands alike. */
const readSwap = (log: Log): PoolEvent => ({
  kind: "swap",
  sender: addressIn(log, 1),
  recipient: addressIn(log, 2),
  amount0: signedAt(log.data, 0),
  amount1: signedAt(log.data, 1),
  sqrtPrice: unsignedAt(log.data, 2),
  liquidity: unsignedAt(log.data, 3),
  tick: smallAt(log.data, 4),
});

const readSetFeeProtocol = ({ data }: Log): PoolEvent => ({
  kind: "setFeeProtocol",
  feeProtocol0: smallAt(data, 2),
  feeProtocol1: smallAt(data, 3),
});

const decoders: Record<Dialect, Record<Hex, Decoder>> = {
  uniswap: {
    ...common,
    "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67": {
      topics: 3,
      words: 5,
      read: readSwap,
    },
    "0x973d8d92bb299f4af6ce49b52a8adb85ae46b9f214c4c4fc06ac77401237b133": {
      topics: 1,
      words: 4,
      read: readSetFeeProtocol,
    },
  },
  pancake: {
    ...common,
    "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83": {
      topics: 3,
      words: 7,
      read: readSwap,
    },
    "0xb3159fed3ddfba67bae294599eafe2d0ec98c08bb38e0e5fb87d33154b6e05aa": {
      topics: 1,
      words: 4,
      read: readSetFeeProtocol,
    },
  },
};

/** The first topic of the factory's one event, and those of everything a pool says. */
export const factoryTopics: readonly Hex[] = [poolCreated];

export function poolTopics(dialect: Dialect): Hex[] {
  const ofFactory: Hex[] = [poolCreated, poolFoundTopic];
  return (Object.keys(decoders[dialect]) as Hex[]).filter((topic) => !ofFactory.includes(topic));
}

const wordDigits = 64;

/** Reads a log by fixed offsets: forty times faster than a general ABI decoder. */
export function decode(log: Log, dialect: Dialect): PoolEvent {
  const decoder = decoders[dialect][log.topics[0] ?? "0x"];
  const isWhole =
    decoder?.topics === log.topics.length && log.data.length === 2 + decoder.words * wordDigits;
  if (isWhole) return decoder.read(log);
  throw new IntegrityError(`the log ${log.index} of block ${log.block} is not whole`);
}

function wordAt(data: Hex, word: number): string {
  return data.slice(2 + word * wordDigits, 2 + (word + 1) * wordDigits);
}

function unsignedAt(data: Hex, word: number): bigint {
  return BigInt(`0x${wordAt(data, word)}`);
}

function signedAt(data: Hex, word: number): bigint {
  return BigInt.asIntN(256, unsignedAt(data, word));
}

/** A number of at most 24 bits with a sign, which ends its word. Unsigned ones that fit in 23 bits read the same. */
function small(word: string): number {
  return (Number.parseInt(word.slice(-6), 16) << 8) >> 8;
}

function smallAt(data: Hex, word: number): number {
  return small(wordAt(data, word));
}

function smallIn({ topics }: Log, topic: number): number {
  return small(topics[topic] ?? "");
}

function addressAt(data: Hex, word: number): Hex {
  return `0x${wordAt(data, word).slice(24)}`;
}

function addressIn({ topics }: Log, topic: number): Hex {
  return `0x${(topics[topic] ?? "").slice(26)}`;
}
