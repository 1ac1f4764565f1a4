import { hash } from "node:crypto";
import { base58 } from "@scure/base";

/** A transaction's hash in the form of its blockchain, the same for the same seed. */
export function transactionHash(blockchain: string, seed: string): string {
  if (blockchain === "solana") return base58.encode(hash("sha512", seed, "buffer"));
  const digest = hash("sha256", seed, "hex");
  return blockchain === "bitcoin" ? digest : `0x${digest}`;
}
