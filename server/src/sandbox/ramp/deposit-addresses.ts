import { hash } from "node:crypto";
import { base58, bech32 } from "@scure/base";
import { getAddress } from "viem";
import type { DepositAddresses } from "../../ramp/ports.ts";

/** Valid addresses that belong to nobody: they are made of a hash, so there is no key to them. */
export const sandboxDepositAddresses: DepositAddresses = {
  at(blockchain, index) {
    const digest = hash("sha256", `sandbox deposit ${blockchain} ${index}`, "buffer");
    if (blockchain === "solana") return base58.encode(digest);
    const short = digest.subarray(0, 20);
    // A payment to the hash of a public key: version 0 and 20 bytes.
    if (blockchain === "bitcoin") return bech32.encode("bc", [0, ...bech32.toWords(short)]);
    return getAddress(`0x${short.toString("hex")}`);
  },
};
