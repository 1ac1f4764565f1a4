import { hash } from "node:crypto";
import { base58, bech32 } from "@scure/base";
import { getAddress } from "viem";
import { isOnCurve } from "../../ramp/addresses/on-curve.ts";
import type { DepositAddresses } from "../../ramp/ports.ts";
import { evmDepositAddress } from "../../ramp/rails/evm/deposit-addresses.ts";
import { localDepositKey } from "./local-chain/deposit-key.ts";

/**
 * Valid addresses. On Ethereum, which the sandbox can have for real, they have keys; elsewhere they belong to nobody: they
 * are made of a hash, so there is no key to them.
 */
export const sandboxDepositAddresses: DepositAddresses = {
  at(blockchain, index) {
    if (blockchain === "ethereum") return evmDepositAddress(localDepositKey, index);
    const seed = `sandbox deposit ${blockchain} ${index}`;
    if (blockchain === "solana") return solanaAddress(seed);
    const short = hash("sha256", seed, "buffer").subarray(0, 20);
    // A payment to the hash of a public key: version 0 and 20 bytes.
    if (blockchain === "bitcoin") return bech32.encode("bc", [0, ...bech32.toWords(short)]);
    return getAddress(`0x${short.toString("hex")}`);
  },
};

/** Every other 32 bytes are no point on the curve, and so no wallet. */
function solanaAddress(seed: string): string {
  for (let attempt = 0; ; attempt++) {
    const bytes = hash("sha256", `${seed} ${attempt}`, "buffer");
    if (isOnCurve(bytes)) return base58.encode(bytes);
  }
}
