import type { RangeAdvice } from "./range-errors.ts";

/** What was wrong with an answer, as far as it decides what to do next. */
export type FailureKind =
  /** Nobody is there, or they do not let us in. Asking for less would not help. */
  | "away"
  /** We ask too often. */
  | "limited"
  /** Nothing came in time. */
  | "slow"
  /** What came is no answer. */
  | "broken"
  /** The answer contradicts itself, the question or the chain. */
  | "wrong"
  /** The node does not know (yet) what should exist. */
  | "missing"
  /** More blocks or logs than the provider gives at once. */
  | "wide";

type FailureDetails = {
  /** How long the provider asks us to wait. */
  waitMs?: number;
  /** What the provider says about ranges. */
  advice?: RangeAdvice;
  /** Whether it was the batch that was refused, not what is in it. */
  refusesBatch?: boolean;
};

/** A request that an endpoint did not answer well. Another endpoint may. */
export class RpcFailure extends Error {
  readonly kind: FailureKind;
  readonly details: FailureDetails;

  constructor(kind: FailureKind, message: string, details: FailureDetails = {}) {
    super(message);
    this.name = "RpcFailure";
    this.kind = kind;
    this.details = details;
  }
}
