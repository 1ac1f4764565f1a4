import { createReadStream, existsSync } from "node:fs";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Log } from "../../lib/log.ts";
import type { Address } from "../address.ts";
import type { Queryable } from "../database.ts";
import { openPool } from "../pool.ts";
import { writeFrames } from "./backup-file.ts";
import {
  type AppliedMigration,
  listMigrations,
  listSequences,
  listTables,
  quoted,
  type SequenceState,
  type StoredTable,
} from "./catalog.ts";

/** What a backup says of itself before its rows come. */
export type BackupHeader<About> = {
  migrations: AppliedMigration[];
  tables: StoredTable[];
  sequences: SequenceState[];
  /** What else whoever made it wrote down. */
  about: About;
};

/** What comes before the rows of a table or the bytes of a file. An empty frame ends them, then comes a `SectionEnd`. */
export type SectionStart =
  | { kind: "table"; name: string; columns: string[] }
  | { kind: "file"; name: string }
  | { kind: "end" };
export type SectionEnd = { rows: number };

type BackupOptions<About> = {
  addresses: Address[];
  log: Log;
  /** Where to write it. */
  file: string;
  about: About;
  /** Files that only grow and belong to the rows, by their names in the backup. Those that are not there are left out. */
  files: Record<string, string>;
  progressed(done: number, total: number): void;
};

export type WrittenBackup = { bytes: number; tables: number; rows: number };

/** Writes all rows of the database into a file, as they were at one moment. Others go on working meanwhile. */
export async function writeBackup<About>(options: BackupOptions<About>): Promise<WrittenBackup> {
  const pool = openPool({ ...options, poolSize: 1 });
  const counts = { tables: 0, rows: 0 };
  try {
    const client = await pool.connect();
    try {
      const bytes = await writeFrames(options.file, framesOf(client, options, counts));
      return { bytes, ...counts };
    } finally {
      // Whatever is still open on the connection goes with it.
      client.release(true);
    }
  } finally {
    await pool.close();
  }
}

async function* framesOf<About>(
  client: pg.PoolClient,
  { about, files, progressed }: BackupOptions<About>,
  counts: { tables: number; rows: number },
): AsyncGenerator<Buffer> {
  await client.query("begin isolation level repeatable read read only");
  await client.query("set local statement_timeout = 0");
  // What row-level security would leave out has to be an error.
  await client.query("set local row_security = off");
  const db = queryableOn(client);
  const migrations = await listMigrations(db);
  const tables = await listTables(db);
  const sequences = await listSequences(db);
  const header: BackupHeader<About> = { migrations, tables, sequences, about };
  yield frame(header);
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  for (const table of tables) {
    const { name, columns, bytes } = table;
    const start: SectionStart = { kind: "table", name, columns };
    yield frame(start);
    const stream = client.query(copyTo(`copy ${namesOf(table)} to stdout`));
    let copied = 0;
    for await (const chunk of stream) {
      yield chunk;
      copied += chunk.length;
      progressed(before + Math.min(copied, bytes), total);
    }
    yield* sectionEnd(stream.rowCount);
    counts.tables++;
    counts.rows += stream.rowCount;
    before += bytes;
    progressed(before, total);
  }
  for (const [name, path] of Object.entries(files)) yield* fileFrames(name, path);
  const end: SectionStart = { kind: "end" };
  yield frame(end);
}

/** Read after the rows, a file that only grows is never behind them. */
async function* fileFrames(name: string, path: string): AsyncGenerator<Buffer> {
  if (!existsSync(path)) return;
  const start: SectionStart = { kind: "file", name };
  yield frame(start);
  yield* createReadStream(path);
  yield* sectionEnd(0);
}

function* sectionEnd(rows: number): Generator<Buffer> {
  yield Buffer.alloc(0);
  const end: SectionEnd = { rows };
  yield frame(end);
}

/** A table with its columns, as COPY wants them. */
export function namesOf({ name, columns }: Pick<StoredTable, "name" | "columns">): string {
  return `${quoted(name).text} (${columns.map((column) => quoted(column).text).join(", ")})`;
}

/** A connection as everything else in this folder knows it. */
export function queryableOn(client: pg.PoolClient): Queryable {
  return {
    async query<Row extends object>({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await client.query<Row>({ text, values });
      return rows;
    },
  };
}

function frame(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
