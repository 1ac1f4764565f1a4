import type { Database } from "../../database/database.ts";
import type { NewsSource } from "../ports.ts";
import { formatAsset } from "../present-ledger.ts";
import { listOwned } from "../store/invariants.ts";
import type { Difference, Finding } from "../store/reconciliations.ts";
import { NotComparable, whileQuiet } from "./quiet.ts";

/** What a chain holds for us, by ledger account, and as of which block. What is not on it is left out. */
export type ChainBooks = {
  blockchain: string;
  /** After everything that was told. */
  balances(): Promise<readonly { account: string; balance: bigint }[]>;
  asOf(): Promise<string>;
};

type ChainContext = { db: Database; news: readonly NewsSource[] };

/** Compares what a chain holds for us with our books, account by account, to the last unit. */
export async function reconcileChain(context: ChainContext, chain: ChainBooks): Promise<Finding> {
  const subject = `chain:${chain.blockchain}`;
  const compare = () => whileQuiet(context, subject, () => compareOnce(context, chain));
  const first = await compare();
  // What is booked without news, such as money of the owners, may have come between the two readings.
  return first.differences.length === 0 ? first : compare();
}

async function compareOnce({ db }: ChainContext, chain: ChainBooks): Promise<Finding> {
  const { blockchain } = chain;
  const asOf = await chain.asOf();
  const theirs = onChain(blockchain, await chain.balances());
  const ours = onChain(blockchain, await listOwned(db));
  if (theirs.size === 0) throw new NotComparable(`${blockchain} tells no balances`);
  const accounts = [...new Set([...theirs.keys(), ...ours.keys()])].sort();
  const differences = accounts.flatMap((account) =>
    differenceOf(account, theirs.get(account) ?? 0n, ours.get(account) ?? 0n),
  );
  const nothing = { inTransit: [], explained: [] };
  return {
    subject: `chain:${blockchain}`,
    asOf,
    compared: accounts.length,
    differences,
    ...nothing,
  };
}

/** Of balances by account, those on one blockchain. */
function onChain(
  blockchain: string,
  balances: readonly { account: string; balance: bigint }[],
): ReadonlyMap<string, bigint> {
  const held = balances.filter(({ account }) => account.endsWith(`.${blockchain}`));
  return new Map(held.map(({ account, balance }) => [account, balance]));
}

function differenceOf(account: string, theirs: bigint, ours: bigint): Difference[] {
  if (theirs === ours) return [];
  const asset = account.slice(account.indexOf(":") + 1);
  const isMore = theirs > ours;
  const amount = formatAsset(isMore ? theirs - ours : ours - theirs, asset);
  const explanation = isMore
    ? `${account}: the chain holds ${amount} more than our books; look for a transfer to our addresses that is booked nowhere, and book it as an adjustment if the owners made it`
    : `${account}: the chain holds ${amount} less than our books; look for a transfer from our addresses that no transaction of ours made, and change the keys if there is one`;
  return [{ item: `account:${account}`, asset, theirs, ours, explanation }];
}
