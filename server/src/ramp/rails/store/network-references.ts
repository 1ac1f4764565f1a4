import type { Transaction } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

/** Keeps what the network calls a wire that is still on its way. */
export async function noteNetworkReference(
  tx: Transaction,
  payoutId: string,
  networkReference: string,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update bank_entries set network_reference = ${networkReference}, updated_at = ${at}
    where payout_id = ${payoutId} and network_reference is distinct from ${networkReference}`);
}
