import type { Chance } from "./chance.ts";

/** What can go wrong outside and underneath, and in which share of the cases it does. */
const shares = {
  /** The rail cannot be reached; it takes the payment and does not say so; it cannot be asked. */
  submit_unreachable: 0.1,
  submit_unanswered: 0.12,
  find_unreachable: 0.15,
  /** The rail refuses, or takes a payment that does not go through, or that comes back, in time or after it. */
  payout_refused: 0.1,
  payout_failed: 0.12,
  payout_returned: 0.3,
  payout_returned_late: 0.2,
  confirmation_overdue: 0.04,
  /** News that cannot be read, whose answer is lost, that come late (and so in another order), or twice. */
  read_unreachable: 0.04,
  read_unanswered: 0.04,
  notice_late: 0.15,
  notice_twice: 0.15,
  /** A block is taken back: the transfer in it comes again in another block, or never. */
  deposit_mined_again: 0.12,
  deposit_gone: 0.06,
  screening_unreachable: 0.08,
  price_missing: 0.08,
  /** The database cannot be reached, or fails a statement, or does what it is told and its answer is lost. */
  database_unreachable: 0.004,
  statement_failed: 0.008,
  commit_unanswered: 0.01,
  /** The process dies, somewhere in its work. */
  crash: 0.1,
  /** While a process waits for a rail or for screening, another one does all there is to do. */
  other_process: 0.2,
} as const;

export type FaultKind = keyof typeof shares;
export const faultKinds = Object.keys(shares) as FaultKind[];

export type Faults = {
  /** Whether this goes wrong now. */
  strikes(kind: FaultKind): boolean;
  /** From now on nothing goes wrong any more, or nothing but what banks and chains do with payments and how they tell it. */
  end(exceptPayments?: "except payments"): void;
  /** How often each has gone wrong. */
  readonly counts: ReadonlyMap<FaultKind, number>;
};

/** Faults for one story: in some there are none, in others twice as many as usual. */
export function openFaults(chance: Chance): Faults {
  const level = chance.pick([0, 0.4, 1, 1, 2]);
  const counts = new Map<FaultKind, number>();
  let ended: "nothing" | "all but payments" | "everything" = "nothing";

  function mayStrike(kind: FaultKind): boolean {
    if (ended === "nothing") return level > 0;
    return ended === "all but payments" && /^(payout|notice)_/.test(kind);
  }

  return {
    counts,
    strikes(kind) {
      const isStruck = mayStrike(kind) && chance.isTrue(shares[kind] * level);
      if (isStruck) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return isStruck;
    },
    end(exceptPayments) {
      ended = exceptPayments ? "all but payments" : "everything";
    },
  };
}
