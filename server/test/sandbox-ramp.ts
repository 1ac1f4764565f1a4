import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { asCents, asUnits } from "../src/lib/money.ts";
import { systemRandom } from "../src/lib/random.ts";
import { openSealer } from "../src/lib/seal.ts";
import type { PayoutInstruction } from "../src/ramp/ports.ts";
import type { PayoutId } from "../src/ramp/transaction.ts";
import { sandboxClockChanges } from "../src/sandbox/store/clock.ts";

/** Seals what the sandbox's rails keep. */
export const sandboxSealer = openSealer({
  keys: [Buffer.alloc(32, 1)],
  digestKey: Buffer.alloc(32, 2),
  random: systemRandom,
});

/** A payment to a bank account, of 25 dollars. */
export function toBank(
  reference: PayoutId,
  rail: "ach" | "wire",
  accountNumber = "123456789",
): PayoutInstruction {
  const account = { routingNumber: "021000021", accountNumber, accountType: "checking" as const };
  const to = { ...account, holderName: "Ada Lovelace" };
  return { reference, rail, cents: asCents(25_00n), to, memo: "CRYPTOSELL" };
}

/** A transfer of one USDC. */
export function toWallet(reference: PayoutId, to = "0xabc"): PayoutInstruction {
  const token = { symbol: "USDC", blockchain: "base", decimals: 6 };
  return { reference, rail: "chain", token, units: asUnits(1_000_000n), to };
}

/** Forgets everything that the sandbox's bank and chains know, and that time was moved. */
export async function resetSandbox(db: Database): Promise<void> {
  await db.query(
    sql`truncate sandbox_payments, sandbox_notices, sandbox_transfers, sandbox_balances`,
  );
  await db.query(sql`update sandbox_clock set advance_ms = 0, wished_at = '2020-01-01Z'`);
  // A clock that is opened next must not hear how far the one before had gone: this comes after all of that.
  const mark = "0";
  await new Promise<void>((heard) => {
    db.listen(sandboxClockChanges, (payload) => payload === mark && heard()).then(() =>
      db.query(sql`select pg_notify(${sandboxClockChanges}, ${mark})`),
    );
  });
}
