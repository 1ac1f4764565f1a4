import { encodeFunctionData, erc20Abi, keccak256 } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import { resultOf } from "../../../chains/json-rpc.ts";
import { readBigQuantity, readBytes, readQuantity, toQuantity } from "../../../chains/read-hex.ts";
import { isRevert } from "../../../chains/rpc-errors.ts";
import { RpcFailure } from "../../../chains/rpc-failure.ts";
import { OperatorError } from "../../../lib/errors.ts";
import { agreed, askAll, disagreement } from "./agreed.ts";
import { transfersOf } from "./block-transfers.ts";
import { readBlock, readReceipt, wrong } from "./evm-answers.ts";
import { type EvmEndpoint, openEvmEndpoint } from "./evm-endpoint.ts";
import type { EvmBlock, EvmCall, EvmNodes } from "./evm-nodes.ts";
import { networkFees } from "./fees.ts";
import type { ChainToken, RampChain } from "./ramp-chain.ts";

/** How nodes say that they have had a transaction before, and that its nonce has been used. */
const knownTexts =
  /already known|known transaction|already (?:imported|exists|in (?:the )?(?:mem)?pool)/i;
const usedNonceTexts = /nonce (?:is )?too low|old ?nonce|nonce has already been used/i;

/** Opens the nodes of a chain. Nothing is asked yet. */
export function openEvmNodes(chain: RampChain, options: { fetch?: typeof fetch } = {}): EvmNodes {
  const { blockchain, agreeing, rpcUrls } = chain;
  if (rpcUrls.length < agreeing) {
    throw new OperatorError(
      `${agreeing} nodes of ${blockchain} have to agree, but there are only ${rpcUrls.length}. ` +
        "Add to its rpcUrls, or lower agreeing.",
    );
  }
  const endpoints = rpcUrls.map((url) => openEvmEndpoint(url, chain, options));

  const agree = <Value>(what: string, ask: (endpoint: EvmEndpoint) => Promise<Value>) =>
    agreed(endpoints, agreeing, `${what} on ${blockchain}`, ask);

  const blockAt = (number: number) =>
    agree(`block ${number}`, (endpoint) => numberedBlock(endpoint, number));

  /** Nodes are rarely at the same block: the newest that enough of them have is the one to believe. */
  async function blockTagged(tag: Tag): Promise<EvmBlock | undefined> {
    const said = await askAll(endpoints, (endpoint) => taggedBlock(endpoint, tag));
    const blocks = said.flatMap((one) => ("error" in one ? [] : [one.value]));
    if (blocks.length < agreeing)
      throw disagreement(`Too few nodes tell the ${tag} block of ${blockchain}`, said);
    if (endpoints.length === 1) return blocks[0];
    const numbers = blocks.map((block) => block?.number ?? -1).sort((a, b) => b - a);
    const number = numbers[agreeing - 1] ?? -1;
    return number < 0 ? undefined : blockAt(number);
  }

  return {
    block: (which) => (typeof which === "number" ? blockAt(which) : blockTagged(which)),

    transfers: (block) =>
      agree(`what block ${block.number} moved`, (endpoint) => transfersOf(endpoint, chain, block)),

    receipt: (hash) =>
      agree(`the receipt of ${hash}`, async (endpoint) => {
        const receipt = readReceipt(await endpoint.ask("eth_getTransactionReceipt", [hash]));
        if (receipt && receipt.hash !== hash) throw wrong("it answers with another receipt");
        return receipt;
      }),

    nonce: (address, at) =>
      agree(`the nonce of ${address}`, async (endpoint) =>
        readQuantity(
          await endpoint.ask("eth_getTransactionCount", [address, placeOf(at)]),
          "nonce",
        ),
      ),

    balance: (address, token, at) =>
      agree(`the ${token.symbol} of ${address}`, (endpoint) =>
        balanceOf(endpoint, address, token, placeOf(at)),
      ),

    async fees() {
      const head = await blockTagged("latest");
      const baseFee = head?.baseFee ?? 0n;
      const said = await askAll(endpoints, (endpoint) => suggestedTip(endpoint, baseFee));
      const tips = said.flatMap((one) => ("error" in one ? [] : [one.value]));
      if (tips.length === 0) throw disagreement(`No node tells the fees of ${blockchain}`, said);
      return networkFees(baseFee, tips);
    },

    async estimateGas(from, call) {
      const said = await askAll(endpoints, (endpoint) => estimate(endpoint, from, call));
      const gas = said.flatMap((one) => ("error" in one ? [] : [one.value]));
      const [refusal] = gas.filter((one) => typeof one === "string");
      if (refusal) throw new Error(`The contract on ${blockchain} refuses the call: ${refusal}`);
      const [most] = gas.filter((one) => typeof one === "bigint").sort((a, b) => (a < b ? 1 : -1));
      if (most === undefined)
        throw disagreement(`No node tells the gas of a call on ${blockchain}`, said);
      return most;
    },

    async send(raw) {
      const said = await askAll(endpoints, (endpoint) => handOver(endpoint, raw));
      if (said.every((one) => "error" in one))
        throw disagreement(`No node of ${blockchain} takes ${keccak256(raw)}`, said);
    },

    async close() {
      for (const endpoint of endpoints) endpoint.close();
    },
  };
}

type Tag = "latest" | "safe" | "finalized";

const placeOf = (at: "latest" | number) => (at === "latest" ? at : toQuantity(at));

async function numberedBlock(endpoint: EvmEndpoint, number: number): Promise<EvmBlock | undefined> {
  const answer = await endpoint.ask("eth_getBlockByNumber", [toQuantity(number), false]);
  const block = readBlock(answer);
  if (block && block.number !== number) throw wrong(`it answers with block ${block.number}`);
  return block;
}

/** Nodes that have just started know of no final block yet, and some say so with an error. */
async function taggedBlock(endpoint: EvmEndpoint, tag: Tag): Promise<EvmBlock | undefined> {
  try {
    return readBlock(await endpoint.ask("eth_getBlockByNumber", [tag, false]));
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === "missing") return undefined;
    throw error;
  }
}

async function balanceOf(
  endpoint: EvmEndpoint,
  address: Hex,
  { contract }: ChainToken,
  place: string,
): Promise<bigint> {
  if (!contract) {
    return readBigQuantity(await endpoint.ask("eth_getBalance", [address, place]), "balance");
  }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [address] });
  const answer = await endpoint.ask("eth_call", [{ to: contract, data }, place]);
  return BigInt(readBytes(answer, 32, "balance"));
}

/** What a node suggests to pay beyond the base fee; those that do not say tell a price of both. */
async function suggestedTip(endpoint: EvmEndpoint, baseFee: bigint): Promise<bigint> {
  const method = "eth_maxPriorityFeePerGas";
  const reply = endpoint.lacks.has(method) ? undefined : await endpoint.reply(method, []);
  if (reply && !endpoint.lacks.has(method)) return readBigQuantity(resultOf(reply), "priority fee");
  const price = readBigQuantity(await endpoint.ask("eth_gasPrice", []), "gas price");
  return price > baseFee ? price - baseFee : 0n;
}

/** How much gas a call takes, or why it would fail. */
async function estimate(endpoint: EvmEndpoint, from: Hex, call: EvmCall): Promise<bigint | string> {
  const { to, value, data } = call;
  const request = { from, to, value: `0x${value.toString(16)}`, data };
  const reply = await endpoint.reply("eth_estimateGas", [request]);
  if ("error" in reply && isRevert(reply.error)) return reply.error.message;
  return readBigQuantity(resultOf(reply), "gas");
}

/** Hands signed bytes to a node. It is as good when the node, or a block, had them before. */
async function handOver(endpoint: EvmEndpoint, raw: Hex): Promise<void> {
  const reply = await endpoint.reply("eth_sendRawTransaction", [raw]);
  const hash = keccak256(raw);
  if (!("error" in reply)) {
    if (readBytes(reply.result, 32, "hash") !== hash) throw wrong("it answers with another hash");
    return;
  }
  if (knownTexts.test(reply.error.message)) return;
  if (usedNonceTexts.test(reply.error.message)) {
    const known = await endpoint.ask("eth_getTransactionByHash", [hash]);
    if (known !== null) return;
  }
  resultOf(reply);
}
