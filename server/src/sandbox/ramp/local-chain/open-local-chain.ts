import { hash } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { hexSigner, sweepSigners } from "../../../ramp/rails/evm/keys.ts";
import type { RampChain } from "../../../ramp/rails/evm/ramp-chain.ts";
import type { ChainKeys } from "../../../ramp/rails/evm/signer.ts";
import { chainId } from "../../chain/sandbox-deployment.ts";
import { keeperNamed, localBlockchain, localTokens } from "./tokens.ts";

/** Keys that everybody can know: nobody should believe in them. */
const hotWallet = keeperNamed("hot wallet");
const depositSeed = HDKey.fromMasterSeed(hash("sha512", "slipway sandbox deposits", "buffer"));

/** The key of which the deposit addresses of the sandbox's Ethereum are children. */
export const localDepositKey: string = depositSeed.publicExtendedKey;

/** The sandbox's Ethereum, as money is moved on it. */
export function localRampChain(rpcUrl: string): RampChain {
  return {
    blockchain: localBlockchain,
    chainId,
    rpcUrls: [rpcUrl],
    agreeing: 1,
    finality: { rule: "age", ms: 60_000 },
    smallDeposits: undefined,
    tokens: localTokens,
    hotWallet: hotWallet.address,
    depositKey: localDepositKey,
    limits: {},
    bumpAfterBlocks: 10,
    pollMs: 1_000,
  };
}

/** The keys of the sandbox's hot wallet and deposit addresses. */
export function localKeys(): ChainKeys {
  return {
    hot: hexSigner(hotWallet.key),
    deposit: sweepSigners(depositSeed.privateExtendedKey ?? ""),
  };
}
