import { ECDH } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { bytesToHex } from "viem";
import { publicKeyToAddress } from "viem/accounts";
import { assert } from "../../../lib/errors.ts";

/** The deposit address of an index: child 0/index of the extended public key, with its checksum. */
export function evmDepositAddress(depositKey: string, index: number): string {
  const { publicKey } = receiving(depositKey).deriveChild(index);
  assert(publicKey, "every child of a public key has one");
  const whole = ECDH.convertKey(publicKey, "secp256k1", undefined, undefined, "uncompressed");
  assert(typeof whole !== "string", "without an encoding bytes are answered");
  return publicKeyToAddress(bytesToHex(whole));
}

const keys = new Map<string, HDKey>();

/** The first step of the way is the same for all indexes, and each step costs a multiplication on the curve. */
function receiving(depositKey: string): HDKey {
  const known = keys.get(depositKey);
  if (known) return known;
  const key = HDKey.fromExtendedKey(depositKey).deriveChild(0);
  keys.set(depositKey, key);
  return key;
}
