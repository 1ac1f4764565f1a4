import type { Hex } from "../../../chains/hex.ts";

/** What a signature of Ethereum is made of. */
type Signature = { r: Hex; s: Hex; yParity: 0 | 1 };

/** Whoever has a private key. It is asked for a signature and never for the key, so that it can be a KMS. */
export type Signer = {
  address: Hex;
  /** Signs 32 bytes, a transaction's hash. */
  sign(digest: Hex): Promise<Signature>;
};

/** The keys of a chain. Only who moves money has them. */
export type ChainKeys = {
  /** Pays out. */
  hot: Signer;
  /** Signs for a deposit address; nothing when its key is kept elsewhere, then deposits are not swept. */
  deposit(index: number): Signer | undefined;
};
