import { randomBytes, randomInt } from "node:crypto";

/** Where chance comes from. Handed in, so that a test can choose it. */
export type Random = {
  bytes(count: number): Buffer;
  /** A whole number from 0 to `limit` - 1; `limit` at most 2^48. */
  below(limit: number): number;
};

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  below: (limit) => randomInt(limit),
};
