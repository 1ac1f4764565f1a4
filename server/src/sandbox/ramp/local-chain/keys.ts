import { hash } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { keccak256, toBytes } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import { assert } from "../../../lib/errors.ts";
import { hexSigner, sweepSigners } from "../../../ramp/rails/evm/keys.ts";
import type { ChainKeys } from "../../../ramp/rails/evm/signer.ts";

/** Who pays out on the sandbox's Ethereum. */
export const localHotWallet: Hex = "0x4700a66e1c0e32b34d21d60cf0b35e61ba15407e";

/** The keys of the sandbox's hot wallet and deposit addresses. Everybody can know them: nobody should believe in them. */
export function localKeys(): ChainKeys {
  const { privateExtendedKey } = HDKey.fromMasterSeed(
    hash("sha512", "slipway sandbox deposits", "buffer"),
  );
  assert(privateExtendedKey, "a key from a seed is private");
  const hot = hexSigner(keccak256(toBytes("slipway sandbox hot wallet")));
  return { hot, deposit: sweepSigners(privateExtendedKey) };
}
