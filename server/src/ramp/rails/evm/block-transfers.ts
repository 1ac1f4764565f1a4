import type { Hex } from "../../../chains/hex.ts";
import { resultOf } from "../../../chains/json-rpc.ts";
import { readBytes } from "../../../chains/read-hex.ts";
import { asUnits } from "../../../lib/money.ts";
import {
  asList,
  asObject,
  hasSucceeded,
  type MinedLog,
  type MinedValue,
  readBlock,
  readLogs,
  readValues,
  wrong,
} from "./evm-answers.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import type { EvmBlock, EvmTransfer } from "./evm-nodes.ts";
import type { ChainToken, RampChain } from "./ramp-chain.ts";

/** keccak256 of `Transfer(address,address,uint256)`. */
const transferTopic: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** A topic that holds an address. */
const addressTopic = /^0x0{24}([0-9a-f]{40})$/;

/** How many receipts are asked for at once where they have to be asked for one by one. */
const receiptsAtOnce = 16;

type Placed = EvmTransfer & { transactionIndex: number };

/** What a block moved of the chain's tokens and its own coin, in its order, as one endpoint tells it. */
export async function transfersOf(
  endpoint: EvmEndpoint,
  { tokens }: RampChain,
  block: EvmBlock,
): Promise<EvmTransfer[]> {
  const coin = tokens.find(({ contract }) => contract === undefined);
  const placed = [
    ...(await tokenTransfers(endpoint, tokens, block)),
    ...(coin ? await coinTransfers(endpoint, coin, block) : []),
  ];
  placed.sort((a, b) => a.transactionIndex - b.transactionIndex || a.logIndex - b.logIndex);
  return placed.map(({ transactionIndex, ...transfer }) => transfer);
}

async function tokenTransfers(
  endpoint: EvmEndpoint,
  tokens: readonly ChainToken[],
  block: EvmBlock,
): Promise<Placed[]> {
  const byContract = new Map(
    tokens.flatMap((token) => (token.contract ? [[token.contract.toLowerCase(), token]] : [])),
  );
  if (byContract.size === 0) return [];
  const filter = {
    blockHash: block.hash,
    address: [...byContract.keys()],
    topics: [transferTopic],
  };
  const logs = readLogs(await endpoint.ask("eth_getLogs", [filter]), block.hash);
  return logs.flatMap((log) => {
    const token = byContract.get(log.address);
    if (!token) throw wrong("a log is of a contract that was not asked for");
    return transferIn(log, token) ?? [];
  });
}

/** The transfer that a log tells of. Nothing for other events, such as one of an NFT, and where nothing was moved. */
function transferIn(log: MinedLog, token: ChainToken): Placed | undefined {
  const { topics, data, transactionHash, transactionIndex, logIndex } = log;
  if (topics.length !== 3 || topics[0] !== transferTopic) return undefined;
  const [from, to] = [addressIn(topics[1]), addressIn(topics[2])];
  if (!from || !to || typeof data !== "string" || data.length !== 66) return undefined;
  const units = asUnits(BigInt(readBytes(data, 32, "data")));
  if (units === 0n) return undefined;
  return { transactionHash, logIndex, token, from, to, units, transactionIndex };
}

function addressIn(topic: Hex | undefined): Hex | undefined {
  const [, digits] = addressTopic.exec(topic ?? "") ?? [];
  return digits === undefined ? undefined : `0x${digits}`;
}

async function coinTransfers(
  endpoint: EvmEndpoint,
  coin: ChainToken,
  block: EvmBlock,
): Promise<Placed[]> {
  const answer = await endpoint.ask("eth_getBlockByHash", [block.hash, true]);
  if (readBlock(answer)?.hash !== block.hash) throw wrong(`it has no block ${block.hash}`);
  const values = readValues(answer);
  const succeeded = await succeededOf(endpoint, values, block);
  return values
    .filter(({ hash }) => succeeded.has(hash))
    .map(({ hash, index, from, to, value }) => ({
      ...{ transactionHash: hash, logIndex: -1, token: coin, from, to },
      ...{ units: asUnits(value), transactionIndex: index },
    }));
}

/** Which of the transactions did what they should. Each must have a receipt of this very block. */
async function succeededOf(
  endpoint: EvmEndpoint,
  values: readonly MinedValue[],
  block: EvmBlock,
): Promise<ReadonlySet<Hex>> {
  if (values.length === 0) return new Set();
  const answers = (await wholeBlock(endpoint, block)) ?? (await oneByOne(endpoint, values));
  const outcomes = new Map<Hex, boolean>();
  for (const answer of answers) {
    const receipt = asObject(answer, "a receipt");
    if (readBytes(receipt.blockHash, 32, "blockHash") !== block.hash)
      throw wrong("a receipt is of another block");
    const hash = readBytes(receipt.transactionHash, 32, "transactionHash");
    outcomes.set(hash, hasSucceeded(receipt));
  }
  const missing = values.find(({ hash }) => !outcomes.has(hash));
  if (missing) throw wrong(`it has no receipt of ${missing.hash}`);
  return new Set([...outcomes].filter(([, isGood]) => isGood).map(([hash]) => hash));
}

/** All receipts of a block; nothing when the node cannot give them at once. */
async function wholeBlock(endpoint: EvmEndpoint, block: EvmBlock): Promise<unknown[] | undefined> {
  const method = "eth_getBlockReceipts";
  if (endpoint.lacks.has(method)) return undefined;
  const reply = await endpoint.reply(method, [block.hash]);
  return endpoint.lacks.has(method) ? undefined : asList(resultOf(reply), "receipts");
}

async function oneByOne(endpoint: EvmEndpoint, values: readonly MinedValue[]): Promise<unknown[]> {
  const receipts: unknown[] = [];
  while (receipts.length < values.length) {
    const some = values.slice(receipts.length, receipts.length + receiptsAtOnce);
    receipts.push(
      ...(await Promise.all(
        some.map(({ hash }) => endpoint.ask("eth_getTransactionReceipt", [hash])),
      )),
    );
  }
  return receipts;
}
