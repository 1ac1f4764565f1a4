import { base58, bech32, bech32m } from "@scure/base";
import { Address, NETWORK } from "@scure/btc-signer";
import type { Form } from "./check-address.ts";

const mainnet = Address(NETWORK);
const base58Form = /^[13][1-9A-HJ-NP-Za-km-z]{24,34}$/;
const bech32Form = /^(?:bc1[02-9ac-hj-np-z]{6,87}|BC1[02-9AC-HJ-NP-Z]{6,87})$/;
/** Version, hash and checksum. */
const base58Bytes = 25;

/** Has a good checksum and no key: the best known place to burn at. */
const eater = "1BitcoinEaterAddressDontSendf59kuE";

/** Checks an address of Bitcoin's main network: base58, bech32 or bech32m. */
export function checkBitcoinAddress(text: string): Form {
  const script = decoded(text);
  if (!script) return { fault: hasBadChecksum(text) ? "checksum" : "form" };
  const program = "hash" in script ? script.hash : "pubkey" in script ? script.pubkey : undefined;
  if (!program || program.every((byte) => byte === 0) || text === eater) return { fault: "nobody" };
  return { address: bech32Form.test(text) ? text.toLowerCase() : text };
}

function decoded(text: string): ReturnType<typeof mainnet.decode> | undefined {
  try {
    return mainnet.decode(text);
  } catch {
    return undefined;
  }
}

function hasBadChecksum(text: string): boolean {
  if (base58Form.test(text)) return base58.decode(text).length === base58Bytes;
  return bech32Form.test(text) && !bech32.decodeUnsafe(text) && !bech32m.decodeUnsafe(text);
}
