import type { Move } from "../step.ts";

/** What one ledger account gets (positive) or gives (negative) in a journal. */
export type Entry = { account: string; asset: string; amount: bigint };

/** Merges moves into one entry for each account, in the order of their names; what cancels out is left out. */
export function entriesOf(moves: readonly Move[]): Entry[] {
  const entries = new Map<string, Entry>();
  const add = (account: string, asset: string, amount: bigint) => {
    const before = entries.get(account)?.amount ?? 0n;
    entries.set(account, { account, asset, amount: before + amount });
  };
  for (const { asset, amount, from, to } of moves) {
    add(from, asset, -amount);
    add(to, asset, amount);
  }
  return [...entries.values()]
    .filter(({ amount }) => amount !== 0n)
    .sort((one, other) => (one.account < other.account ? -1 : 1));
}
