import type pg from "pg";
import type { Address } from "../../server/src/database/address.ts";
import type { Database } from "../../server/src/database/database.ts";
import { sql } from "../../server/src/database/sql.ts";
import { built, openBenchDatabase } from "../built.ts";
import type { Postgres } from "../postgres.ts";
import { connectBare, recording, replay } from "../ramp/recording.ts";
import { compare, type Way } from "./compare.ts";
import { addPayouts, bank, fill, payoutIds, type Rails, railsOn } from "./scene.ts";

const { asCents } = await built<typeof import("../../server/src/lib/money.ts")>("lib/money");
const { fileMaker } = await built<typeof import("../../server/src/ramp/rails/bank/out-files.ts")>(
  "ramp/rails/bank/out-files",
);
const { insertEntry } = await built<
  typeof import("../../server/src/ramp/rails/store/bank-entries.ts")
>("ramp/rails/store/bank-entries");
const { openBankFile } = await built<
  typeof import("../../server/src/ramp/rails/store/bank-files.ts")
>("ramp/rails/store/bank-files");

const cents = 250_50n;

/** How often, and how many entries wait every time. */
type Amount = { rounds: number; entries: number };

/** Makes the file of a cut-off, beside who checks and seals nothing, and beside the same SQL alone. */
export async function benchBankFiles(postgres: Postgres, amount: Amount): Promise<void> {
  const { rounds, entries } = amount;
  const address = await postgres.create("bench_rails_files");
  const { db, recorded } = recording(openBenchDatabase(address, 2));
  const rails = railsOn(db);
  await fillEntries(address, rails, entries);
  const [client] = await connectBare(address, 1);
  if (!client) throw new Error("There is one connection.");
  const maker = fileMaker({ ...rails, bank });
  const putBack = () => unfile(db, rails).then(() => postgres.settle());
  const lines = await linesOf(rails, () => maker.run());
  const ours: Way = {
    name: "ours: checked, read back, compared, sealed",
    async before() {
      await putBack();
      recorded.length = 0;
    },
    async work() {
      if ((await maker.run()) !== 1) throw new Error("No file was made.");
    },
  };
  await compare(
    `${entries} ACH entries that wait, made into a stored file`,
    { rounds, things: entries },
    [
      ours,
      {
        name: "the floor: select, join lines, insert",
        before: putBack,
        work: () => plain(client, lines),
      },
      {
        name: "the same SQL with the same values",
        before: putBack,
        work: () => replay(client, recorded),
      },
    ],
  );
  await client.end();
  await db.close();
}

async function fillEntries(address: Address, rails: Rails, count: number): Promise<void> {
  const ids = payoutIds(10_000_000_000_000, count);
  const at = new Date(rails.clock.now());
  await fill(address, async (db) => {
    await addPayouts(db, "ach", ids, cents);
    await db.query(sql`
      insert into ledger_accounts (name, asset, is_guarded, balance)
      values ('out:ach:USD', 'USD', false, ${cents * BigInt(count)})`);
    await db.transact(async (tx) => {
      for (const [n, payoutId] of ids.entries()) {
        const trace = bank.routingNumber.slice(0, 8) + String(n + 1).padStart(7, "0");
        const to = { routingNumber: "021000021", accountNumber: String(4_000_000_000 + n) };
        const holderName = `Ada Lovelace ${n}`;
        const order = { ...to, holderName, accountType: "checking", memo: "CRYPTOSELL" } as const;
        await insertEntry(tx, rails, {
          ...{ payoutId, rail: "ach", trace, cents: asCents(cents), order, dueAt: at, at },
        });
      }
    });
  });
}

/** Lets all entries wait again. */
async function unfile(db: Database, { clock }: Rails): Promise<void> {
  await db.query(sql`
    update bank_entries set state = 'waiting', file_id = null, due_at = ${new Date(clock.now())}`);
  await db.query(sql`delete from bank_files`);
  await db.query(sql`vacuum bank_entries`);
}

/** The lines of the file as it should be. */
async function linesOf({ db, sealer }: Rails, make: () => Promise<number>): Promise<string[]> {
  await make();
  const [file] = await db.query<{ id: string; sha256: Buffer; sealed: Buffer }>(sql`
    select id, sha256, sealed from bank_files`);
  if (!file) throw new Error("No file was made.");
  return openBankFile(sealer, file).toString("latin1").split("\n");
}

async function plain(client: pg.Client, lines: readonly string[]): Promise<void> {
  await client.query("begin");
  const { rows } = await client.query(`
    select payout_id, trace, cents, sealed from bank_entries
    where state = 'waiting' and rail = 'ach' order by due_at, trace`);
  let text = "";
  for (const line of lines) text += `${line}\n`;
  const bytes = Buffer.from(text, "latin1");
  await client.query(
    `insert into bank_files (id, direction, format, name, sha256, bytes, sealed, state, entries, cents, created_at,
       updated_at)
     values ('fil-1', 'out', 'nacha', 'floor.ach', '', $1, $2, 'ready', $3, 0, '2026-03-02', '2026-03-02')`,
    [bytes.length, bytes, rows.length],
  );
  await client.query("commit");
}
