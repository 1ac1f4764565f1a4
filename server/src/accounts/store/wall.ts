import type { Transaction } from "../../database/database.ts";
import { prepared } from "../../database/sql.ts";

/** Lets the rest of the transaction see and write the rows of one account only. */
export async function narrowToAccount(tx: Transaction, userId: string): Promise<void> {
  await tx.query(prepared`
    select set_config('role', 'slipway_customer', true), set_config('app.user_id', ${userId}, true)`);
}

/** Lets the rest of the transaction see and write everything again. */
export async function widenToAll(tx: Transaction): Promise<void> {
  await tx.query(prepared`
    select set_config('role', 'none', true), set_config('app.user_id', '', true)`);
}
