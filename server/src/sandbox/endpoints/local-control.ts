import type { Transaction } from "../../database/database.ts";
import { CallerError } from "../../lib/errors.ts";
import { findChainCursor } from "../../ramp/rails/store/chain-blocks.ts";
import type { OffRamp } from "../../ramp/transaction.ts";
import { goBackTo, sendTransfer } from "../ramp/local-chain/deposits.ts";
import type { LocalChain } from "../ramp/local-chain/open-local-chain.ts";
import { forgetBlocksAbove, isAnySeen, isDepositAddress, lookNow } from "../store/local-chain.ts";
import {
  insertLocalTransfer,
  listLocalTransfers,
  loseLocalTransfers,
  type Transfer,
  takeLocalTurn,
} from "../store/transfers.ts";
import type { ChainControl } from "./chain-control.ts";
import type { ControlContext } from "./ramp-context.ts";

const looksMost = 40;
const lookAgainMs = 25;

/** What one request does on the sandbox's Ethereum, which is asked once, however often the database starts over. */
export function localControl(context: ControlContext, local: LocalChain): ChainControl {
  const { db, clock, time } = context;
  const { blockchain, hotWallet } = local.evm.chain;
  let sent: Awaited<ReturnType<typeof sendTransfer>> | undefined;
  let stayed: number | undefined;
  let isSeen: (() => Promise<boolean>) | undefined;

  async function deposit(tx: Transaction, transfer: Omit<Transfer, "transactionHash">) {
    const { currency: symbol, units, fromAddress: from, address: to } = transfer;
    const isHot = from.toLowerCase() === hotWallet;
    if (isHot || (await isDepositAddress(tx, blockchain, from)))
      throw new CallerError("bad_request", "fromAddress must not be an address of the ramp");
    await local.untilReady();
    await takeLocalTurn(tx);
    sent ??= await sendTransfer(local, { symbol, units, from, to });
    const { transactionHash, block, snapshot } = sent;
    await insertLocalTransfer(tx, { ...transfer, transactionHash }, snapshot);
    isSeen = async () => ((await findChainCursor(db, blockchain))?.nextBlock ?? 0) > block;
    return transactionHash;
  }

  async function takeBack(tx: Transaction, { id, depositAddress }: OffRamp) {
    await local.untilReady();
    await takeLocalTurn(tx);
    const transfers = await listLocalTransfers(tx, blockchain, depositAddress);
    const [first] = transfers;
    if (!first)
      throw new CallerError("conflict", `Transaction ${id} has no deposit that is not final`);
    if (first.snapshot) stayed ??= await goBackTo(local, first.snapshot);
    if (!first.snapshot || stayed === undefined)
      throw new CallerError(
        "conflict",
        "The sandbox's Ethereum was restarted since the deposit and cannot be taken back to before it",
      );
    await loseLocalTransfers(tx, first.snapshot);
    await forgetBlocksAbove(tx, stayed);
    const hashes = transfers.map(({ transactionHash }) => transactionHash);
    isSeen = async () => !(await isAnySeen(db, blockchain, hashes));
    return hashes;
  }

  return {
    deposit,
    takeBack,
    async settle() {
      if (!isSeen) return time.settle();
      // Whoever was looking while the block came has not seen it, and would look again only later.
      for (let looks = 0; looks < looksMost; looks++) {
        await lookNow(db, blockchain, new Date(clock.now()));
        await time.settle();
        if (await isSeen()) return;
        await clock.sleep(lookAgainMs);
      }
    },
  };
}
