import {
  formatTransaction,
  hexToBigInt,
  keccak256,
  type RpcTransaction,
  serializeTransaction,
  type TransactionSerializable,
} from "viem";
import type { Hex } from "../../chains/hex.ts";
import { assert } from "../../lib/errors.ts";
import type { KeptTransaction } from "./journal.ts";

/** How a mined transaction can be sent again, so that it has the same hash. */
export function keepTransaction(mined: RpcTransaction): KeptTransaction {
  // In place of a signature that nobody can make, the engine puts the address itself.
  if (hexToBigInt(mined.r) === hexToBigInt(mined.from)) return { impersonated: requestFor(mined) };
  const raw = signedForm(mined);
  assert(keccak256(raw) === mined.hash, "a transaction can be written as it was signed");
  return raw;
}

/** The bytes that were signed, with their signature. */
function signedForm(mined: RpcTransaction): Hex {
  const { r, s, v, yParity, input, chainId, ...fields } = formatTransaction(mined);
  const transaction = { ...fields, data: input, ...(chainId && { chainId }) };
  return serializeTransaction(transaction as TransactionSerializable, { r, s, v, yParity });
}

/** The request that the engine made it from. */
function requestFor(mined: RpcTransaction): Record<string, unknown> {
  const { from, to, nonce, value, gas, input, gasPrice, accessList } = mined;
  const { maxFeePerGas, maxPriorityFeePerGas } = mined;
  return {
    from,
    ...(to && { to }),
    nonce,
    value,
    gas,
    data: input,
    ...(maxFeePerGas ? { maxFeePerGas, maxPriorityFeePerGas } : { gasPrice }),
    ...(accessList && { accessList }),
  };
}
