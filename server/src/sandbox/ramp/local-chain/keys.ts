import { hash } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { assert } from "../../../lib/errors.ts";
import { hexSigner, sweepSigners } from "../../../ramp/rails/evm/keys.ts";
import type { ChainKeys } from "../../../ramp/rails/evm/signer.ts";
import { keeperNamed } from "./tokens.ts";

/** Who pays out on the sandbox's Ethereum. Everybody can know its key: nobody should believe in it. */
export const localHotWallet = keeperNamed("hot wallet");

/** The keys of the sandbox's hot wallet and deposit addresses, which are worth nothing. */
export function localKeys(): ChainKeys {
  const { privateExtendedKey } = HDKey.fromMasterSeed(
    hash("sha512", "slipway sandbox deposits", "buffer"),
  );
  assert(privateExtendedKey, "a key from a seed is private");
  return { hot: hexSigner(localHotWallet.key), deposit: sweepSigners(privateExtendedKey) };
}
