const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long a sale keeps the price of its create; the time of the deposit's block counts. */
export const priceLockMs = 15 * minute;

/** How long a sale waits for its deposit. */
export const depositWaitMs = day;

/** How long a deposit address is watched after its transaction was created. */
export const addressWatchMs = 90 * day;

/** How many open days a purchase waits for its wire. */
export const wireWaitBusinessDays = 5;

/** How long a wire still finds its purchase after the wait for it has ended. */
export const lateWireWatchMs = 90 * day;

/** A wire from somebody else goes back when nobody has decided within so many open days. */
export const thirdPartyReviewBusinessDays = 10;

/** A wire that belongs to no transaction goes back after so many open days. */
export const unmatchedWireBusinessDays = 2;

/** How long money that is too little waits for more of it. */
export const topUpWaitMs = day;

/** How long the customer may think about a price that moved. */
export const acceptWaitMs = day;

/** How many open days the customer has to name another account for money that came back. */
export const returnWaitBusinessDays = 10;

/** A difference to what was asked for that nobody minds: the largest of the three. */
export const dustPolicy = { units: 1n, shareE4: 10n, cents: 100n } as const;

/** Outside of these a stablecoin is not worth its dollar, and is not converted. Dollars times 10^18. */
export const pegBounds = {
  low: 980_000_000_000_000_000n,
  high: 1_020_000_000_000_000_000n,
} as const;

/** By how much the proceeds of a sale may fall before the customer is asked, in ten-thousandths. */
export const repriceToleranceE4 = 100n;

/** How often a payout is tried before an operator has to look at it. */
export const payoutAttemptsMost = 3;

/** How long after a refused payout the next one is tried. */
export const payoutRetryMs = 5 * minute;

/** How long after a hold that passes by itself (no price, no inventory) the cause is looked at again. */
export const holdRetryMs = minute;

/** How long a review, or anything else that waits for an operator, stands before it is said again. */
export const reviewAlertMs = day;

/** How long a payout may stay queued after the time at which it should have been handed over. */
export const queueAlertMs = 30 * minute;

/** How long a rail may take to say that it took a payout. */
export const acceptanceAlertMs = 2 * hour;

/** How long a rail that took a payout may take to confirm it; an ACH payout has its return window instead. */
export const confirmationAlertMs = day;
