import type { Hex } from "../../../chains/hex.ts";
import type { ChainKeys, Signer } from "./signer.ts";

/** A signer with a private key in memory. */
export function hexSigner(_privateKey: Hex): Signer {
  throw new Error("not there yet");
}

/** Signs for deposit addresses, the children 0/index of an extended private key. */
export function sweepSigners(_xprv: string): ChainKeys["deposit"] {
  throw new Error("not there yet");
}
