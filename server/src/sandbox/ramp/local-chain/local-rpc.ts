import {
  encodeFunctionData,
  hexToBigInt,
  hexToNumber,
  numberToHex,
  parseEther,
  parseGwei,
} from "viem";
import type { Hex } from "../../../chains/hex.ts";
import { assert, messageOf, UnavailableError } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/is-object.ts";
import type { ChainToken } from "../../../ramp/rails/evm/ramp-chain.ts";
import { tokenAbi } from "../../chain/contracts/abis.ts";

/** Asks the sandbox's Ethereum. */
export type LocalRpc = <Result>(method: string, params?: readonly unknown[]) => Promise<Result>;

/** A call that the chain refused. */
class RefusedCall extends Error {
  override readonly name = "RefusedCall";
}

/** What somebody on the chain wants to have done. Without `to` it makes a contract. */
type Wanted = { from: Hex; to?: Hex; data?: Hex; value?: bigint; gas?: bigint };

const timeoutMs = 20_000;
const usualGas = 150_000n;
const maxFee = parseGwei("100");
const priorityFee = parseGwei("0.1");

/** As much Ether as the usual gas can cost. */
export const gasMoney = parseEther("0.02");

/** The way to the chain's JSON-RPC. */
export function localRpc(url: string): LocalRpc {
  return async <Result>(method: string, params: readonly unknown[] = []) => {
    const answer = await exchange(url, { jsonrpc: "2.0", id: 1, method, params });
    if (isObject(answer) && isObject(answer.error)) {
      throw new RefusedCall(String(answer.error.message));
    }
    assert(isObject(answer) && "result" in answer, "an answer has a result or an error");
    return answer.result as Result;
  };
}

async function exchange(url: string, request: object): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await response.json();
  } catch (error) {
    throw new UnavailableError(`The sandbox's Ethereum does not answer (${messageOf(error)}).`, {
      cause: error,
    });
  }
}

/** Lets somebody do something whose key the chain has or was told to do without. Returns the transaction and its block. */
export async function act(
  rpc: LocalRpc,
  { from, to, data = "0x", value = 0n, gas = usualGas }: Wanted,
): Promise<{ hash: Hex; block: number }> {
  const hash = await rpc<Hex>("eth_sendTransaction", [
    {
      from,
      ...(to && { to }),
      data,
      value: numberToHex(value),
      gas: numberToHex(gas),
      maxFeePerGas: numberToHex(maxFee),
      maxPriorityFeePerGas: numberToHex(priorityFee),
    },
  ]);
  const receipt = await rpc<{ status: Hex; blockNumber: Hex } | null>("eth_getTransactionReceipt", [
    hash,
  ]);
  if (receipt?.status !== "0x1") throw new RefusedCall(`transaction ${hash} failed`);
  return { hash, block: hexToNumber(receipt.blockNumber) };
}

/** Does something as somebody of whom nobody has the key. */
export async function actAs<Result>(
  rpc: LocalRpc,
  address: Hex,
  work: () => Promise<Result>,
): Promise<Result> {
  await rpc("hardhat_impersonateAccount", [address]);
  try {
    return await work();
  } finally {
    await rpc("hardhat_stopImpersonatingAccount", [address]);
  }
}

/** What an address has of a token, or of Ether. */
export async function balanceOf(
  rpc: LocalRpc,
  { contract }: ChainToken,
  address: Hex,
  block: number | "latest" = "latest",
): Promise<bigint> {
  const at = typeof block === "number" ? numberToHex(block) : block;
  if (!contract) return hexToBigInt(await rpc<Hex>("eth_getBalance", [address, at]));
  const data = encodeFunctionData({ abi: tokenAbi, functionName: "balanceOf", args: [address] });
  return hexToBigInt(await rpc<Hex>("eth_call", [{ to: contract, data }, at]));
}

/** The transaction that sends units of a token, or Ether. */
export function sending({ contract }: ChainToken, to: Hex, units: bigint): Omit<Wanted, "from"> {
  if (!contract) return { to, value: units };
  const args = [to, units] as const;
  return {
    to: contract,
    data: encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args }),
  };
}

/** A block by its number, or the newest. Nothing when there is none. */
export async function blockAt(
  rpc: LocalRpc,
  block: number | "latest",
): Promise<{ number: number; hash: Hex; time: number } | undefined> {
  const at = typeof block === "number" ? numberToHex(block) : block;
  const found = await rpc<{ number: Hex; hash: Hex; timestamp: Hex } | null>(
    "eth_getBlockByNumber",
    [at, false],
  );
  return found
    ? {
        number: hexToNumber(found.number),
        hash: found.hash,
        time: hexToNumber(found.timestamp),
      }
    : undefined;
}
