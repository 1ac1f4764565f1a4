import type { Database, Transaction } from "../database/database.ts";
import { narrowToAccount, widenToAll } from "./store/wall.ts";

/** Runs `work` in a transaction that sees and writes the rows of one account only, whatever its queries forget. */
export function behindWall<Result>(
  db: Database,
  userId: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transact(async (tx) => {
    await enterWall(tx, userId);
    return work(tx);
  });
}

/** From here on the transaction sees and writes the rows of one account only. */
export function enterWall(tx: Transaction, userId: string): Promise<void> {
  return narrowToAccount(tx, userId);
}

/** From here on the transaction sees and writes everything again. */
export function leaveWall(tx: Transaction): Promise<void> {
  return widenToAll(tx);
}
