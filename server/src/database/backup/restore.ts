import { createWriteStream, existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { assert, OperatorError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Address } from "../address.ts";
import type { Queryable } from "../database.ts";
import { openPool } from "../pool.ts";
import { sql, verbatim } from "../sql.ts";
import {
  type BackupHeader,
  namesOf,
  queryableOn,
  type SectionEnd,
  type SectionStart,
} from "./backup.ts";
import { readFrames } from "./backup-file.ts";
import { listMigrations, listTables, quoted, type StoredTable } from "./catalog.ts";

/** What a database has from the first moment: the schema's own rows, and whose secret it belongs to. */
const tablesWithFirstRows = ["fee_schedule", "sandbox_clock", "installation"];

type RestoreOptions = {
  addresses: Address[];
  log: Log;
  /** A file that `checkFile` was content with. */
  file: string;
  /** Where files of the backup go, by their names in it. Others are left out. */
  files: Record<string, string>;
  progressed(done: number, total: number): void;
};

export type RestoredBackup = { tables: number; rows: number };

/** What a backup says of itself. */
export async function readHeader<About>(file: string): Promise<BackupHeader<About>> {
  const frames = readFrames(file, () => {});
  try {
    return await nextValue<BackupHeader<About>>(frames);
  } finally {
    await frames.return();
  }
}

/** Fills an empty database from a backup: all of it, or nothing. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const pool = openPool({ ...options, poolSize: 1 });
  const frames = readFrames(options.file, options.progressed);
  try {
    const client = await pool.connect();
    try {
      await client.query("begin");
      const counts = await restoreOn(client, frames, options);
      await client.query("commit");
      return counts;
    } finally {
      // What was not committed goes with the connection.
      client.release(true);
    }
  } finally {
    await frames.return();
    await pool.close();
  }
}

async function restoreOn(
  client: pg.PoolClient,
  frames: Frames,
  { files }: RestoreOptions,
): Promise<RestoredBackup> {
  const db = queryableOn(client);
  await db.query(sql`set local statement_timeout = 0`);
  await db.query(sql`set local row_security = off`);
  const header = await nextValue<BackupHeader<unknown>>(frames);
  refuseOtherSchema(header, await listMigrations(db));
  await refuseFilled(db);
  for (const table of header.tables) await makePartition(db, table);
  const tables = await listTables(db);
  refuseOtherTables(header.tables, tables);
  // What triggers would count or deny was counted and allowed when it happened.
  for (const { name } of tables) await setTriggers(db, name, "disable");
  for (const name of tablesWithFirstRows) await db.query(sql`delete from ${quoted(name)}`);
  const rows = await restoreSections(client, frames, files);
  for (const { name } of tables) await setTriggers(db, name, "enable");
  for (const { name, lastValue, isCalled } of header.sequences) {
    await db.query(sql`select setval(${quoted(name).text}, ${lastValue}::bigint, ${isCalled})`);
  }
  return { tables: tables.length, rows };
}

type Frames = AsyncGenerator<Buffer, void>;

async function restoreSections(
  client: pg.PoolClient,
  frames: Frames,
  files: Record<string, string>,
): Promise<number> {
  let rows = 0;
  for (;;) {
    const section = await nextValue<SectionStart>(frames);
    if (section.kind === "end") return rows;
    const read =
      section.kind === "table"
        ? await restoreRows(client, frames, section)
        : await restoreFile(frames, files[section.name]);
    const said = await nextValue<SectionEnd>(frames);
    assert(read === said.rows, `${section.name} has ${said.rows} rows in the backup, not ${read}`);
    rows += read;
  }
}

async function restoreRows(
  client: pg.PoolClient,
  frames: Frames,
  section: { name: string; columns: string[] },
): Promise<number> {
  const stream = client.query(copyFrom(`copy ${namesOf(section)} from stdin`));
  await pipeline(Readable.from(sectionData(frames), { objectMode: false }), stream);
  return stream.rowCount;
}

/** What was at the file's place is kept beside it. */
async function restoreFile(frames: Frames, path: string | undefined): Promise<number> {
  if (path === undefined) {
    for await (const _ of sectionData(frames));
    return 0;
  }
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.part`;
  const written = createWriteStream(part, { flush: true });
  await pipeline(Readable.from(sectionData(frames), { objectMode: false }), written);
  if (existsSync(path)) renameSync(path, `${path}.old`);
  renameSync(part, path);
  return 0;
}

/** The frames up to the next empty one. */
async function* sectionData(frames: Frames): AsyncGenerator<Buffer> {
  for (let frame = await nextFrame(frames); frame.length > 0; frame = await nextFrame(frames)) {
    yield frame;
  }
}

async function nextFrame(frames: Frames): Promise<Buffer> {
  const { value } = await frames.next();
  assert(value, "a checked backup goes on to its end");
  return value;
}

async function nextValue<Value>(frames: Frames): Promise<Value> {
  return JSON.parse((await nextFrame(frames)).toString()) as Value;
}

function refuseOtherSchema(
  { migrations: theirs }: BackupHeader<unknown>,
  ours: BackupHeader<unknown>["migrations"],
): void {
  const isSame =
    theirs.length === ours.length && theirs.every(({ hash }, index) => hash === ours[index]?.hash);
  if (isSame) return;
  throw new OperatorError(
    `The backup has schema ${theirs.length}, this database has schema ${ours.length}. Restore it with the version of ` +
      "Slipway that made it, into a new database, and start the newer version on that: it brings the schema up to date.",
  );
}

/** Nobody else may write until we are done; what is here already must not be mixed with what comes. */
async function refuseFilled(db: Queryable): Promise<void> {
  const tables = await listTables(db);
  const names = tables.map(({ name }) => quoted(name).text).join(", ");
  await db.query(verbatim(`lock table ${names} in access exclusive mode`));
  for (const { name, partition } of tables) {
    if (tablesWithFirstRows.includes(name)) continue;
    const [row] = await db.query(sql`select 1 from ${quoted(name)} limit 1`);
    if (!row && !partition) continue;
    throw new OperatorError(
      `The database is not empty: there are rows in ${name}. A backup is restored into a new database only: ` +
        "set SLIPWAY_DATA to a new folder, or DATABASE_URL to a new database.",
    );
  }
}

async function makePartition(db: Queryable, { name, partition }: StoredTable): Promise<void> {
  if (!partition) return;
  const { of, from, to } = partition;
  assert(
    [from, to].every((bound) => /^-?\d+$/.test(bound)),
    "partitions have whole bounds",
  );
  await db.query(sql`create table ${quoted(name)} (like ${quoted(of)} including all)`);
  await db.query(sql`
    alter table ${quoted(of)} attach partition ${quoted(name)}
    for values from (${verbatim(from)}) to (${verbatim(to)})`);
}

function refuseOtherTables(theirs: readonly StoredTable[], ours: readonly StoredTable[]): void {
  const shown = (tables: readonly StoredTable[]) => tables.map(namesOf).sort().join("\n");
  assert(shown(theirs) === shown(ours), "the same migrations make the same tables");
}

async function setTriggers(
  db: Queryable,
  table: string,
  what: "enable" | "disable",
): Promise<void> {
  await db.query(verbatim(`alter table ${quoted(table).text} ${what} trigger user`));
}
