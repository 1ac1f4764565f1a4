import { createHash } from "node:crypto";
import type { Hex } from "../../server/src/chains/hex.ts";
import { addressOf, hashOf, hex } from "../../server/test/fake-chain.ts";

/** How many blocks with how many transfers each, and the contract of the token. */
export type BlockOrders = { blocks: number; perBlock: number; contract: Hex };

/** What a node says about a block, as JSON. */
export type SyntheticBlock = {
  number: number;
  hash: Hex;
  header: string;
  full: string;
  logs: string;
  receipts: string;
};

/** Blocks without transfers at the end, so that those before them are for good. */
export const emptyBlocks = 3;

/** Of a hundred transfers one is to an address of ours. */
export const oursEvery = 100;

/** When the first block was made, in Unix seconds. */
export const firstTime = 1_770_000_000;

/** How many of our addresses are ever paid to: the first ones. */
const paidMost = 1_000;

const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const bloom = `0x${"0".repeat(512)}`;

/** The n-th of our deposit addresses, which stand anywhere among all addresses. */
export function depositAddress(n: number): Hex {
  return `0x${createHash("sha256").update(String(n)).digest("hex").slice(0, 40)}`;
}

export const blockHash = (number: number): Hex => hashOf(`block ${number}`);

export function syntheticBlocks({ blocks, perBlock, contract }: BlockOrders): SyntheticBlock[] {
  return Array.from({ length: 1 + blocks + emptyBlocks }, (_, number) => {
    const hasTransfers = number > 0 && number <= blocks;
    const transfers = Array.from({ length: hasTransfers ? perBlock : 0 }, (_, index) =>
      transferOf(number, index, (number - 1) * perBlock + index),
    );
    return blockOf(number, transfers, contract);
  });
}

/** Every tenth is of the chain's own coin. */
type Transfer = { index: number; hash: Hex; to: Hex; isCoin: boolean };

function transferOf(block: number, index: number, n: number): Transfer {
  const ours = Math.floor(n / oursEvery) % paidMost;
  const to = n % oursEvery === 7 ? depositAddress(ours) : addressOf(`somebody ${n}`);
  return { index, hash: hashOf(`${block} ${index}`), to, isCoin: n % 10 === 3 };
}

function blockOf(number: number, transfers: readonly Transfer[], contract: Hex): SyntheticBlock {
  const hash = blockHash(number);
  const place = { blockNumber: hex(number), blockHash: hash };
  const logs = transfers
    .filter(({ isCoin }) => !isCoin)
    .map((transfer, logIndex) => ({ ...logOf(transfer, logIndex, contract), ...place }));
  const header = {
    ...{ number: hex(number), hash, parentHash: blockHash(number - 1) },
    ...{ timestamp: hex(firstTime + 12 * number), baseFeePerGas: hex(1_000_000_000) },
    ...{
      logsBloom: bloom,
      miner: addressOf("miner"),
      gasLimit: hex(30_000_000),
      gasUsed: hex(3_000_000),
    },
  };
  const transactions = transfers.map((transfer) => ({
    ...transactionOf(transfer, contract),
    ...place,
  }));
  const receipts = transfers.map((transfer) => ({
    ...place,
    ...receiptOf(transfer),
    logs: logs.filter(({ transactionHash }) => transactionHash === transfer.hash),
  }));
  return {
    ...{ number, hash },
    header: JSON.stringify({ ...header, transactions: transfers.map((transfer) => transfer.hash) }),
    full: JSON.stringify({ ...header, transactions }),
    logs: JSON.stringify(logs),
    receipts: JSON.stringify(receipts),
  };
}

const word = (digits: string) => `0x${digits.replace("0x", "").padStart(64, "0")}`;

function logOf({ index, hash, to }: Transfer, logIndex: number, address: Hex) {
  return {
    address,
    topics: [transferTopic, word(addressOf("payer")), word(to)],
    data: word(hex(1_000_000 + index)),
    ...{
      transactionHash: hash,
      transactionIndex: hex(index),
      logIndex: hex(logIndex),
      removed: false,
    },
  };
}

function transactionOf({ index, hash, to, isCoin }: Transfer, contract: Hex) {
  return {
    ...{
      hash,
      transactionIndex: hex(index),
      from: addressOf("payer"),
      type: "0x2",
      chainId: "0x1",
    },
    ...{ to: isCoin ? to : contract, value: hex(isCoin ? 1_000_000 : 0), nonce: hex(index) },
    ...{
      gas: hex(60_000),
      maxFeePerGas: hex(3_000_000_000),
      maxPriorityFeePerGas: hex(1_000_000_000),
    },
    input: isCoin ? "0x" : `0xa9059cbb${word(to).slice(2)}${word(hex(1_000_000 + index)).slice(2)}`,
    ...{ r: hashOf("r"), s: hashOf("s"), yParity: "0x0", accessList: [] },
  };
}

function receiptOf({ index, hash }: Transfer) {
  return {
    ...{ transactionHash: hash, transactionIndex: hex(index), status: "0x1", type: "0x2" },
    ...{
      from: addressOf("payer"),
      gasUsed: hex(50_000),
      cumulativeGasUsed: hex(50_000 * (index + 1)),
    },
    ...{ effectiveGasPrice: hex(2_000_000_000), contractAddress: null, logsBloom: bloom },
  };
}
