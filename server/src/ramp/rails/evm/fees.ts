/** What a transaction offers for each unit of gas, in the chain's own coin. */
export type Fees = { maxFee: bigint; priorityFee: bigint };

const gwei = 10n ** 9n;

/** A node that asks for more than both of these is not believed: a lie must not empty the wallet. */
const tipMostOfBase = 3n;
const tipMost = 50n * gwei;

/** When an offer is this much higher than what the network takes, it is not the fee that holds it up. */
const offerMost = 4n;

/** What the network takes, with room for its base fee to double. Tips are what nodes suggest; one that is odd is outvoted. */
export function networkFees(baseFee: bigint, tips: readonly bigint[]): Fees {
  const sorted = [...tips].sort((a, b) => (a < b ? -1 : 1));
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n;
  const most = larger(tipMostOfBase * baseFee, tipMost);
  const priorityFee = middle < most ? middle : most;
  return { maxFee: 2n * baseFee + priorityFee, priorityFee };
}

/** What the network takes, or what the sender can pay at most: too low an offer waits until fees fall. */
export function cappedFees({ maxFee, priorityFee }: Fees, most: bigint | undefined): Fees {
  if (most === undefined) return { maxFee, priorityFee };
  return { maxFee: smaller(maxFee, most), priorityFee: smaller(priorityFee, most) };
}

/**
 * Fees with which the same nonce can be sent once more: both an eighth higher, since nodes want a tenth, and at least
 * the network's, as far as the sender can pay them. Nothing when it cannot pay an eighth more, or when the offer is so
 * high that more would not help.
 */
export function raisedFees(offered: Fees, network: Fees, most?: bigint): Fees | undefined {
  if (offered.maxFee >= offerMost * network.maxFee) return undefined;
  const least = raised(offered.maxFee);
  if (most !== undefined && most < least) return undefined;
  const wanted = {
    maxFee: larger(least, network.maxFee),
    priorityFee: larger(raised(offered.priorityFee), network.priorityFee),
  };
  return cappedFees(wanted, most);
}

/** An eighth more, rounded up, and more than before in any case. */
function raised(fee: bigint): bigint {
  return larger((fee * 9n + 7n) / 8n, fee + 1n);
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
