import { numberToHex } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import { assert, CallerError } from "../../../lib/errors.ts";
import type { ChainToken } from "../../../ramp/rails/evm/ramp-chain.ts";
import { act, actAs, blockAt, gasMoney, type LocalRpc, sending } from "./local-rpc.ts";
import type { LocalChain } from "./open-local-chain.ts";
import { supply } from "./supply.ts";
import { localTokens } from "./tokens.ts";

type NewTransfer = { symbol: string; units: bigint; from: string; to: string };

/** A transfer that is in a block, and where the chain stood before it. */
type SentTransfer = { transactionHash: string; block: number; snapshot: string };

/** Sends tokens on the sandbox's Ethereum as somebody of whom nobody has the key, who is given them when they are missing. */
export async function sendTransfer(
  { rpc, instance }: LocalChain,
  { symbol, units, from, to }: NewTransfer,
): Promise<SentTransfer> {
  const sender = lowerCase(from);
  const token = localTokens.find((one) => one.symbol === symbol);
  assert(token, `${symbol} is on the sandbox's Ethereum`);
  if ((await rpc<Hex>("eth_getCode", [sender, "latest"])) !== "0x")
    throw new CallerError(
      "bad_request",
      "fromAddress is a contract, which sends nothing by itself",
    );
  await fund(rpc, token, sender, units);
  const snapshot = await takeSnapshot(rpc, await instance());
  const { hash, block } = await actAs(rpc, sender, () =>
    act(rpc, { from: sender, ...sending(token, lowerCase(to), units) }),
  );
  return { transactionHash: hash, block, snapshot };
}

/** What the sender needs: what it sends, and Ether to pay for it. */
async function fund(rpc: LocalRpc, token: ChainToken, sender: Hex, units: bigint): Promise<void> {
  const ether = localTokens.find(({ contract }) => !contract);
  assert(ether, "Ether has no contract");
  const needs = token.contract ? gasMoney : units + gasMoney;
  const missing =
    (await supply(rpc, ether, sender, needs)) +
    (token.contract ? await supply(rpc, token, sender, units) : 0n);
  if (missing > 0n)
    throw new CallerError(
      "bad_request",
      `quantity is more than there is of ${token.symbol} on the sandbox's Ethereum`,
    );
}

/** Numbers of snapshots begin anew with every process of the chain. Written like this they sort as they were taken. */
async function takeSnapshot(rpc: LocalRpc, instance: string): Promise<string> {
  const number = await rpc<Hex>("evm_snapshot");
  return `${instance}:${number.slice(2).padStart(16, "0")}`;
}

/** Takes everything back that happened since, and lets another block follow. Returns the last block that stayed. */
export async function goBackTo(
  { rpc, instance }: LocalChain,
  snapshot: string,
): Promise<number | undefined> {
  const [taken, number = ""] = snapshot.split(":");
  if (taken !== (await instance())) return undefined;
  if (!(await rpc<boolean>("evm_revert", [numberToHex(BigInt(`0x${number}`))]))) return undefined;
  const head = await blockAt(rpc, "latest");
  assert(head, "a chain has a newest block");
  await rpc("evm_mine", [numberToHex(head.time + 1)]);
  return head.number;
}

function lowerCase(address: string): Hex {
  return `0x${address.slice(2).toLowerCase()}`;
}
