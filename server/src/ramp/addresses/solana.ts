import { base58 } from "@scure/base";
import type { Form } from "./check-address.ts";
import { solanaContracts } from "./known-contracts.ts";
import { isOnCurve } from "./on-curve.ts";

const form = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const keyBytes = 32;
const contracts = new Set(solanaContracts);

/** Programs, system variables, wrapped SOL and the incinerator: names that are filled up with ones. */
const filledUp = /1{10,}.?$/;

/** Checks an address of Solana. It has no checksum, but half of all mistakes are no public key. */
export function checkSolanaAddress(text: string): Form {
  if (!form.test(text)) return { fault: "form" };
  const bytes = base58.decode(text);
  if (bytes.length !== keyBytes) return { fault: "form" };
  const isNobodys = contracts.has(text) || filledUp.test(text) || !isOnCurve(bytes);
  return isNobodys ? { fault: "nobody" } : { address: text };
}
