import {
  formatTransaction,
  keccak256,
  type RpcTransaction,
  serializeTransaction,
  type TransactionSerializable,
} from "viem";
import type { Hex } from "../../chains/hex.ts";
import type { KeptTransaction } from "./journal.ts";

/** How a mined transaction can be sent again, so that it has the same hash. */
export function keepTransaction(mined: RpcTransaction): KeptTransaction {
  const raw = signedForm(mined);
  return raw && keccak256(raw) === mined.hash ? raw : { impersonated: requestFor(mined) };
}

/** The bytes that were signed, with their signature; nothing for kinds that only their senders can write down. */
function signedForm(mined: RpcTransaction): Hex | undefined {
  if (mined.type !== "0x0" && mined.type !== "0x1" && mined.type !== "0x2") return undefined;
  const { r, s, v, yParity, input, chainId, ...fields } = formatTransaction(mined);
  const transaction = { ...fields, data: input, ...(chainId && { chainId }) };
  return serializeTransaction(transaction as TransactionSerializable, { r, s, v, yParity });
}

/** Without a signature that fits, it was sent for an address that nobody has the key of. */
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
