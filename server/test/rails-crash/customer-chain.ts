import { HDKey } from "@scure/bip32";
import { encodeEventTopics, erc20Abi, hexToBigInt, numberToHex, padHex } from "viem";
import type { Hex } from "../../src/chains/hex.ts";
import { assert } from "../../src/lib/errors.ts";
import { hexSigner, sweepSigners } from "../../src/ramp/rails/evm/keys.ts";
import type { ChainToken, RampChain } from "../../src/ramp/rails/evm/ramp-chain.ts";
import type { ChainKeys, Signer } from "../../src/ramp/rails/evm/signer.ts";
import { tokens, traders } from "../../src/sandbox/chain/layout.ts";
import { chainId } from "../../src/sandbox/chain/sandbox-deployment.ts";
import {
  act,
  blockAt,
  type LocalRpc,
  sending,
} from "../../src/sandbox/ramp/local-chain/local-rpc.ts";

const [hot, buyer] = traders;
assert(hot && buyer, "there are traders");

/** Whoever buys and sells; the chain signs for them. */
export const customer: Hex = buyer.address;

const depositRoot = HDKey.fromMasterSeed(Buffer.alloc(32, 7));

const sweepSigner = sweepSigners(depositRoot.privateExtendedKey ?? "");
/** To make one takes longer than anything else here. */
const signers = new Map<number, Signer>();

/** Who signs for the hot wallet and the deposit addresses. */
export const chainKeys: ChainKeys = {
  hot: hexSigner(hot.key),
  deposit: (index) => {
    const signer = signers.get(index) ?? sweepSigner(index);
    if (signer) signers.set(index, signer);
    return signer;
  },
};

export const ether: ChainToken = { symbol: "ETH", decimals: 18, contract: undefined };
export const dollar: ChainToken = {
  ...{ symbol: "USDC", decimals: 6 },
  contract: tokens.find(({ symbol }) => symbol === "USDC")?.address,
};

/** The chain at a port, as money is moved on it. With so many blocks on top of it a block is for good. */
export function crashChainAt(port: number, finalityBlocks: number): RampChain {
  return {
    ...{ blockchain: "ethereum", chainId, rpcUrls: [`ws://127.0.0.1:${port}`], agreeing: 1 },
    ...{ finality: { rule: "depth", blocks: finalityBlocks }, smallDeposits: undefined },
    ...{ tokens: [ether, dollar], hotWallet: chainKeys.hot.address, limits: {} },
    depositKey: depositRoot.publicExtendedKey,
    ...{ bumpAfterBlocks: 4, pollMs: 1_000 },
  };
}

/** Makes a block at a time, or as soon after the newest one as can be. */
export async function mineAt(rpc: LocalRpc, at: number): Promise<void> {
  const head = await headOf(rpc);
  await rpc("evm_mine", [numberToHex(Math.max(Math.floor(at / 1_000), head.time + 1))]);
}

/** The newest block. */
export async function headOf(rpc: LocalRpc): Promise<{ number: number; time: number }> {
  const head = await blockAt(rpc, "latest");
  assert(head, "a chain has a newest block");
  return head;
}

/** Lets the customer send dollars. */
export async function payOnChain(rpc: LocalRpc, to: string, units: bigint): Promise<void> {
  await act(rpc, { from: customer, ...sending(dollar, lowerCase(to), units) });
}

/** Dollars that went from one address to another on the chain as it is now. */
export type DollarTransfer = { from: Hex; to: Hex; units: bigint };

const [transferTopic] = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer" });

/** The dollars that came to an address since a block. */
export async function listTransfers(
  rpc: LocalRpc,
  to: string,
  sinceBlock = 0,
): Promise<DollarTransfer[]> {
  const logs = await rpc<{ topics: Hex[]; data: Hex }[]>("eth_getLogs", [
    {
      ...{ address: dollar.contract, fromBlock: numberToHex(sinceBlock) },
      topics: [transferTopic, null, padHex(lowerCase(to), { size: 32 })],
    },
  ]);
  return logs.map(({ topics: [, from, receiver], data }) => ({
    from: addressIn(from),
    to: addressIn(receiver),
    units: hexToBigInt(data),
  }));
}

const addressIn = (topic: Hex = "0x"): Hex => `0x${topic.slice(-40)}`;

function lowerCase(address: string): Hex {
  return `0x${address.slice(2).toLowerCase()}`;
}
