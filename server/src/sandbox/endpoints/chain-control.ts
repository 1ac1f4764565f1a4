import type { Transaction } from "../../database/database.ts";
import { CallerError } from "../../lib/errors.ts";
import type { OffRamp } from "../../ramp/transaction.ts";
import { sendDeposit, undoDeposit } from "../ramp/deposits.ts";
import { transactionHash } from "../ramp/transaction-hash.ts";
import { lockSeenTransfers, type Transfer } from "../store/transfers.ts";
import { localControl } from "./local-control.ts";
import type { ControlContext } from "./ramp-context.ts";

/** What one request does on a blockchain of the sandbox. */
export type ChainControl = {
  /** Sends a transfer. Returns its hash. */
  deposit(tx: Transaction, transfer: Omit<Transfer, "transactionHash">): Promise<string>;
  /** Takes the deposits of a sale that are not final out of the chain. Returns their hashes. */
  takeBack(tx: Transaction, ramp: OffRamp): Promise<string[]>;
  /** Lets the ramp see what was done, and do what follows. */
  settle(): Promise<void>;
};

/** On the sandbox's own Ethereum things happen for real, elsewhere in tables. */
export function chainControl(context: ControlContext): ChainControl {
  const { local: localChain } = context;
  const tables = tableControl(context);
  if (!localChain) return tables;
  const local = localControl(context, localChain);
  const controlOf = (blockchain: string) =>
    blockchain === localChain.evm.chain.blockchain ? local : tables;
  return {
    deposit: (tx, transfer) => controlOf(transfer.blockchain).deposit(tx, transfer),
    takeBack: (tx, ramp) => controlOf(ramp.token.blockchain).takeBack(tx, ramp),
    settle: local.settle,
  };
}

function tableControl({ clock, random, time }: ControlContext): ChainControl {
  return {
    async deposit(tx, transfer) {
      const hash = transactionHash(transfer.blockchain, random.bytes(32).toString("hex"));
      await sendDeposit(tx, { ...transfer, transactionHash: hash });
      return hash;
    },
    async takeBack(tx, { id, token, depositAddress }) {
      const transfers = await lockSeenTransfers(tx, token.blockchain, depositAddress);
      if (transfers.length === 0) throw nothingToTakeBack(id);
      for (const transfer of transfers) await undoDeposit(tx, transfer, clock.now());
      return transfers.map((transfer) => transfer.transactionHash);
    },
    settle: time.settle,
  };
}

function nothingToTakeBack(id: string): CallerError {
  return new CallerError("conflict", `Transaction ${id} has no deposit that is not final`);
}
