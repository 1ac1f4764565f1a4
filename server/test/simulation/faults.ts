import type { Chance } from "./chance.ts";

/** What can go wrong outside and underneath, and in which share of the cases it does. */
const shares = {
  /** A rail cannot be reached; it takes the payment and does not say so; it cannot be asked; it refuses. */
  submit_unreachable: 0.08,
  submit_unanswered: 0.12,
  find_unreachable: 0.15,
  payout_refused: 0.08,
  /** The place for the bank's files cannot be reached, or does what it is told and its answer is lost. */
  exchange_unreachable: 0.1,
  exchange_unanswered: 0.1,
  /** The bank takes no payment of a file, or not this one, or it comes back, in time or after it. */
  file_rejected: 0.08,
  payout_failed: 0.12,
  payout_returned: 0.3,
  payout_returned_late: 0.2,
  payout_corrected: 0.25,
  payout_overdue: 0.12,
  /** A file of the bank's comes late (and so in another order), twice, or damaged before it comes whole. */
  file_late: 0.15,
  file_twice: 0.15,
  file_damaged: 0.08,
  /** Of a wire only the statement tells. */
  notification_missing: 0.1,
  /** Nobody says from which account a wire came, until somebody asks. */
  sender_untold: 0.3,
  /** No node answers, or only one that is behind the others, or the answer to what was sent is lost. */
  node_unreachable: 0.01,
  node_behind: 0.04,
  node_unanswered: 0.08,
  /** What was sent is forgotten, or shown to the others later. */
  send_forgotten: 0.08,
  send_late: 0.08,
  /** Blocks get dearer, are taken back, and what was in them is in none later; a transaction comes to nothing. */
  fees_risen: 0.06,
  block_taken_back: 0.25,
  block_lost: 0.5,
  payment_reverted: 0.06,
  /** News that cannot be read, or whose answer is lost. */
  read_unreachable: 0.04,
  read_unanswered: 0.04,
  screening_unreachable: 0.08,
  price_missing: 0.08,
  /** The database cannot be reached, or fails a statement, or does what it is told and its answer is lost. */
  database_unreachable: 0.002,
  statement_failed: 0.004,
  commit_unanswered: 0.015,
  /** The process dies, somewhere in its work, or just before or after it has done something outside. */
  crash: 0.12,
  crash_before_act: 0.04,
  crash_after_act: 0.06,
  /** While a process waits for somebody outside, another one does all there is to do. */
  other_process: 0.03,
} as const;

export type FaultKind = keyof typeof shares;
export const faultKinds = Object.keys(shares) as FaultKind[];

export type Faults = {
  /** Whether this goes wrong now. */
  strikes(kind: FaultKind): boolean;
  /** From now on nothing goes wrong any more, or nothing but what happens to money on its way and to whoever sends it. */
  end(exceptMoney?: "except money"): void;
  /** How often each has gone wrong. */
  readonly counts: ReadonlyMap<FaultKind, number>;
};

const moneyFaults =
  /^(payout|payment|file|block|fees|send|submit|find|exchange|node|commit|crash|other)(_|$)/;

/** Faults for one story: in some there are none, in others twice as many as usual. */
export function openFaults(chance: Chance): Faults {
  const level = chance.pick([0, 0.4, 1, 1, 2]);
  const counts = new Map<FaultKind, number>();
  let ended: "nothing" | "all but money" | "everything" = "nothing";

  function mayStrike(kind: FaultKind): boolean {
    if (ended === "nothing") return level > 0;
    return ended === "all but money" && moneyFaults.test(kind);
  }

  return {
    counts,
    strikes(kind) {
      const isStruck = mayStrike(kind) && chance.isTrue(shares[kind] * level);
      if (isStruck) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return isStruck;
    },
    end(exceptMoney) {
      ended = exceptMoney ? "all but money" : "everything";
    },
  };
}
