import type { Blockchain } from "../blockchains.ts";
import { addressKey } from "./address-key.ts";
import { checkBitcoinAddress } from "./bitcoin.ts";
import { checkEvmAddress } from "./evm.ts";
import { checkSolanaAddress } from "./solana.ts";

/** An address as it is to be shown, or why it is none that money can be sent to. */
export type Form = { address: string } | { fault: "form" | "checksum" | "nobody" };

/** Longer than any address; what is longer is not looked at. */
const lengthMost = 100;

const checks: Partial<Record<Blockchain, (text: string) => Form>> = {
  bitcoin: checkBitcoinAddress,
  solana: checkSolanaAddress,
};

/** Checks an address of a blockchain. `key` is the same for all ways of writing it. */
export function checkAddress(
  blockchain: Blockchain,
  text: string,
): { address: string; key: string } | { fault: string } {
  const check = checks[blockchain] ?? checkEvmAddress;
  const form: Form = text.length > lengthMost ? { fault: "form" } : check(text.trim());
  if ("fault" in form) return { fault: sentenceFor(form.fault, blockchain) };
  return { address: form.address, key: addressKey(blockchain, form.address) };
}

function sentenceFor(fault: "form" | "checksum" | "nobody", blockchain: Blockchain): string {
  if (fault === "checksum") return "address fails its checksum";
  if (fault === "nobody") return "address is a contract or burn address";
  return `address is not a valid ${blockchain} address`;
}
