import type { Transaction } from "../database/database.ts";

/** Something that customers get to hear about an account, in the transaction in which it happens. */
export type Told = (
  tx: Transaction,
  news: { userId: string; type: string; object: unknown; at: number },
) => Promise<void>;
