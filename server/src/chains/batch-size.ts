import type { RpcFailure } from "./rpc-failure.ts";

/** How many requests an endpoint takes in one body. */
export type BatchSize = {
  most(): number;
  /** So many requests were answered. */
  answered(requests: number): void;
  /** A batch of so many was not answered. */
  failed(requests: number, failure: RpcFailure): void;
  /** A batch of so many was too much. */
  shrink(requests: number): void;
};

/** So many full batches before a larger one is tried, at first and after many disappointments. */
const growAfterFirst = 16;
const growAfterMost = 4_096;

/** So many batches lost in a row, and the next ones are smaller. What happens once may happen to any request. */
const lostMost = 2;

/** Finds out how large batches may be: half when one is refused, twice after many that were not. */
export function openBatchSize(limit: number): BatchSize {
  let most = limit;
  let growAfter = growAfterFirst;
  let full = 0;
  let lost = 0;

  function shrink(requests: number): void {
    most = Math.max(1, Math.min(most, Math.floor(requests / 2)));
    growAfter = Math.min(growAfterMost, growAfter * 4);
    full = 0;
    lost = 0;
  }

  return {
    most: () => most,
    shrink,
    answered(requests) {
      lost = 0;
      if (requests < most || most === limit) return;
      full++;
      if (full < growAfter) return;
      full = 0;
      most = Math.min(limit, most * 2);
    },
    failed(requests, { kind, details }) {
      if (requests === 1) return;
      if (kind === "broken" || kind === "slow") lost++;
      if (details.refusesBatch || lost >= lostMost) shrink(requests);
    },
  };
}
