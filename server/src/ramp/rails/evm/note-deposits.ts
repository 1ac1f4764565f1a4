import type { Transaction } from "../../../database/database.ts";
import { adoptDeposit, noteDeposit } from "../store/chain-deposits.ts";
import { tellDeposits } from "./deposit-notices.ts";
import type { DepositContext } from "./deposit-watch.ts";
import type { FoundDeposit } from "./deposits-in.ts";

/** Writes down the deposits of a block, and tells of those that are new there. */
export async function noteDeposits(
  tx: Transaction,
  context: DepositContext,
  found: readonly FoundDeposit[],
): Promise<void> {
  const { blockchain } = context.chain;
  const at = new Date(context.clock.now());
  const adopted: { transactionHash: string; logIndex: number }[] = [];
  for (const { dueAt, ...deposit } of found) {
    const { transactionHash } = deposit;
    const present = [...found, ...adopted]
      .filter((one) => one.transactionHash === transactionHash)
      .map(({ logIndex }) => logIndex);
    const logIndex = await adoptDeposit(tx, blockchain, deposit, { present, at });
    if (logIndex !== undefined) {
      adopted.push({ transactionHash, logIndex });
      continue;
    }
    const seen = await noteDeposit(tx, blockchain, deposit, { at, dueAt });
    if (seen) await tellDeposits(tx, context, "deposit_seen", [seen]);
  }
}
