import { HDKey } from "@scure/bip32";
import { bytesToHex } from "viem";
import { privateKeyToAddress, sign } from "viem/accounts";
import type { Hex } from "../../../chains/hex.ts";
import { assert, OperatorError } from "../../../lib/errors.ts";
import type { ChainKeys, Signer } from "./signer.ts";

/** A signer with a private key in memory. */
export function hexSigner(privateKey: Hex): Signer {
  return {
    address: addressOf(privateKey),
    async sign(digest) {
      const { r, s, yParity } = await sign({ hash: digest, privateKey });
      assert(yParity === 0 || yParity === 1, "a signature has a parity");
      return { r, s, yParity };
    },
  };
}

/** Signs for deposit addresses, the children 0/index of an extended private key. */
export function sweepSigners(xprv: string): ChainKeys["deposit"] {
  const parent = readKey(xprv).deriveChild(0);
  return (index) => {
    const { privateKey } = parent.deriveChild(index);
    assert(privateKey, "a child of a private key has one");
    return hexSigner(bytesToHex(privateKey));
  };
}

/** The address that belongs to a private key, in lower case. */
export function addressOf(privateKey: Hex): Hex {
  try {
    return `0x${privateKeyToAddress(privateKey).slice(2).toLowerCase()}`;
  } catch {
    // What the library says could show the key.
    throw new OperatorError("A private key is not one of Ethereum: it is out of range.");
  }
}

function readKey(xprv: string): HDKey {
  let key: HDKey | undefined;
  try {
    key = HDKey.fromExtendedKey(xprv);
  } catch {
    // The same: no word of the library's.
  }
  if (key?.privateKey) return key;
  throw new OperatorError(
    "The sweep key is no extended private key: it must start with xprv, and its checksum must fit.",
  );
}
