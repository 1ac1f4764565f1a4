import type { Database, Transaction } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { asCents, asUnits } from "../src/lib/money.ts";
import { systemRandom } from "../src/lib/random.ts";
import { openSealer } from "../src/lib/seal.ts";
import { ledgerAccounts } from "../src/ramp/ledger/accounts.ts";
import type { PayoutInstruction, Ports, Submission } from "../src/ramp/ports.ts";
import { bookOnce } from "../src/ramp/store/ledger.ts";
import type { PayoutId } from "../src/ramp/transaction.ts";
import { sandboxBank } from "../src/sandbox/ramp/bank/sandbox-bank.ts";
import type { SandboxClock } from "../src/sandbox/ramp/clock.ts";
import { sandboxClockChanges } from "../src/sandbox/store/clock.ts";
import { silentLog } from "./silent-log.ts";

/** Seals what the sandbox's rails keep. */
const sandboxSealer = openSealer({
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

/** What the sandbox's bank and its chains work with. */
export function sandboxContext<Given extends { db: Database; clock: SandboxClock }>(given: Given) {
  return {
    ...{ random: systemRandom, sealer: sandboxSealer, log: silentLog, bank: sandboxBank },
    ...given,
  };
}

/** Hands a payment over to its rail, after it was booked as being out. */
export async function handOver(
  db: Database,
  { rails }: Ports,
  instruction: PayoutInstruction,
): Promise<Submission> {
  const { reference, rail } = instruction;
  if (rail !== "chain") await db.transact((tx) => bookOut(tx, reference, rail, instruction.cents));
  return rails[rail].submit(instruction);
}

async function bookOut(tx: Transaction, id: PayoutId, rail: "ach" | "wire", amount: bigint) {
  const at = new Date(0);
  await tx.query(sql`
    insert into incoming_wires (id, source, bank_reference, cents, sealed, state, received_at, updated_at)
    values (${id.replace("pay", "wir")}, 'test', ${id}, ${amount}, '', 'returning', ${at}, ${at})
    on conflict do nothing`);
  await tx.query(sql`
    insert into payouts (id, purpose, wire_id, rail, asset, amount, state, created_at, updated_at)
    values (${id}, 'wire_return', ${id.replace("pay", "wir")}, ${rail}, 'USD', ${amount}, 'submitted',
      ${at}, ${at})
    on conflict do nothing`);
  const [from, to] = [ledgerAccounts.equity("USD"), ledgerAccounts.out(rail, "USD")];
  const journal = { fact: `${id} by ${rail}`, kind: "opening", transactionId: null, at };
  await bookOnce(tx, { ...journal, moves: [{ asset: "USD", amount, from, to }] });
}

/** Forgets everything that the sandbox's bank and chains know, what they were told, and that time was moved. */
export async function resetSandbox(db: Database): Promise<void> {
  await db.query(sql`
    truncate sandbox_payments, sandbox_notices, sandbox_transfers, sandbox_balances,
      sandbox_bank_files, sandbox_sent_files, sandbox_bank_lines, sandbox_statements,
      rail_notices, wire_senders, incoming_wires, payouts, bank_files, bank_entries,
      bank_statements, bank_lines, chain_transactions, chain_attempts, chain_deposits`);
  await db.query(sql`update sandbox_clock set advance_ms = 0, wished_at = '2020-01-01Z'`);
  // A clock that is opened next must not hear how far the one before had gone: this comes after all of that.
  const mark = "0";
  await new Promise<void>((heard) => {
    db.listen(sandboxClockChanges, (payload) => payload === mark && heard()).then(() =>
      db.query(sql`select pg_notify(${sandboxClockChanges}, ${mark})`),
    );
  });
}
