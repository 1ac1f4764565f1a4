import type { Transaction } from "../../database/database.ts";
import type { Random } from "../../lib/random.ts";

/** Something that customers get to hear. `object` is what GET would answer now. */
export type News = {
  userId: string;
  type: string;
  transactionId: string | null;
  object: unknown;
  /** Unix milliseconds. */
  at: number;
};

/** Writes an event into the lists of an account and its master, and orders its deliveries, in the caller's transaction. */
export async function tell(
  _tx: Transaction,
  _context: { random: Random },
  _news: News,
): Promise<void> {}
