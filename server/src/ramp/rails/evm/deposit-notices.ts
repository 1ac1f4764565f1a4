import type { Transaction } from "../../../database/database.ts";
import type { DepositNews } from "../store/chain-deposits.ts";
import { tellNotices } from "../store/notices.ts";
import type { EvmContext } from "./chain-rail.ts";

/** Tells what became of deposits. */
export async function tellDeposits(
  tx: Transaction,
  { chain, sealer }: Pick<EvmContext, "chain" | "sealer">,
  kind: "deposit_seen" | "deposit_final" | "deposit_gone",
  deposits: readonly DepositNews[],
): Promise<void> {
  const { blockchain } = chain;
  const notices = deposits.map((deposit) => {
    const { transactionHash, logIndex, address, fromAddress, currency, units } = deposit;
    const [blockTime, at] = [deposit.blockTime.getTime(), deposit.toldAt.getTime()];
    return {
      ...{ kind, blockchain, transactionHash, logIndex, address, fromAddress },
      ...{ currency, units, blockTime, at },
    };
  });
  await tellNotices(tx, { sealer }, `chain:${blockchain}`, notices);
}
