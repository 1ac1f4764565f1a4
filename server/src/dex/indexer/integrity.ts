import type { Hex } from "../../chains/hex.ts";

/** What a node told us cannot be true, or not all of it. */
export class IntegrityError extends Error {
  /** The pool whose logs do not fit together. */
  readonly pool: Hex | undefined;

  constructor(message: string, pool?: Hex) {
    super(message);
    this.name = "IntegrityError";
    this.pool = pool;
  }
}
