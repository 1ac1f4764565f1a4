import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Database, Transaction } from "./database.ts";
import { sql } from "./sql.ts";

export type Migration = { number: number; name: string; text: string; hash: string };
type AppliedMigration = { number: number; name: string; hash: string };

/** `src/` and `dist/` lie side by side, so both find the migrations at the same place. */
export const migrationsFolder = fileURLToPath(new URL("../../migrations/", import.meta.url));

const fileForm = /^(\d{4})-([a-z0-9-]+)\.sql$/;

/** An arbitrary number that only this lock uses. */
const migrationLock = 7_264_511;

export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file, index) => {
      const [, digits, name = ""] = fileForm.exec(file) ?? [];
      if (Number(digits) !== index + 1) {
        throw new OperatorError(
          `${file} should be number ${index + 1}: migrations count 0001-name.sql, 0002-….`,
        );
      }
      const text = readFileSync(`${folder}/${file}`, "utf8");
      return {
        number: index + 1,
        name,
        text,
        hash: createHash("sha256").update(text).digest("hex"),
      };
    });
}

/** Brings the schema up to date. Forward only; several services may start at once, one of them does it. */
export function migrate(
  db: Database,
  migrations: readonly Migration[],
  clock: Clock,
): Promise<Migration[]> {
  return db.transact(async (tx) => {
    await tx.query(sql`set local statement_timeout = 0`);
    await tx.query(sql`select pg_advisory_xact_lock(${migrationLock})`);
    await tx.query(sql`
      create table if not exists schema_migrations (
        number     int primary key,
        name       text not null,
        hash       text not null,
        applied_at timestamptz not null
      )`);
    const pending = pendingMigrations(migrations, await listApplied(tx));
    for (const migration of pending) await apply(tx, migration, clock);
    return pending;
  });
}

/** What remains to be applied, or why this build and this database do not belong together. Pure. */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  if (applied.length > known.length) {
    throw new OperatorError(
      `The database has schema ${applied.length}, this build knows up to ${known.length}. ` +
        "Start the newer build again, or restore a backup from before the upgrade.",
    );
  }
  for (const [index, { number, name, hash }] of applied.entries()) {
    if (known[index]?.hash !== hash) {
      throw new OperatorError(
        `Migration ${number} (${name}) was changed after it had been applied. ` +
          "Restore the file as it was, and put the change into a new migration.",
      );
    }
  }
  return known.slice(applied.length);
}

function listApplied(tx: Transaction): Promise<AppliedMigration[]> {
  return tx.query<AppliedMigration>(
    sql`select number, name, hash from schema_migrations order by number`,
  );
}

async function apply(
  tx: Transaction,
  { number, name, text, hash }: Migration,
  clock: Clock,
): Promise<void> {
  await tx.script(text);
  await tx.query(sql`
    insert into schema_migrations (number, name, hash, applied_at)
    values (${number}, ${name}, ${hash}, ${new Date(clock.now())})`);
}
