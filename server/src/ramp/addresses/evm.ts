import { getAddress } from "viem";
import type { Form } from "./check-address.ts";
import { evmContracts } from "./known-contracts.ts";

const contracts = new Set(evmContracts.map((address) => address.toLowerCase()));

/** Precompiles, 0x…dead and the like: whatever fits into four bytes. */
const nearZero = /^0x0{32}/;
/** One digit again and again, or a word: addresses that people burn at, and stand-ins for native coins. */
const repeated = /^0x(?:([0-9a-f])\1{39}|(?:dead){10})$/;
/** Contracts that are there from the first block of Optimism and Base. */
const predeployed = /^0x420{34}[0-9a-f]{4}$/;

/** Checks an address of Ethereum and its kin. Letters of both cases are a checksum; those of one are none. */
export function checkEvmAddress(text: string): Form {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return { fault: "form" };
  const lower = text.toLowerCase();
  const address = getAddress(lower);
  const digits = text.slice(2);
  const hasChecksum = /[a-f]/.test(digits) && /[A-F]/.test(digits);
  if (hasChecksum && text !== address) return { fault: "checksum" };
  return isNobodys(lower) ? { fault: "nobody" } : { address };
}

function isNobodys(lower: string): boolean {
  return [nearZero, repeated, predeployed].some((form) => form.test(lower)) || contracts.has(lower);
}
