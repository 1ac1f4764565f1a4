import { assert } from "../../lib/errors.ts";
import type { Queryable } from "../database.ts";
import { type Sql, sql, verbatim } from "../sql.ts";

/** A table that holds rows: one of the schema's, or a partition of one, which is made when it is needed. */
export type StoredTable = {
  name: string;
  columns: string[];
  /** About how many bytes it takes. */
  bytes: number;
  partition: Partition | null;
};

/** Which part of which table a partition holds: from one number up to before the other. */
type Partition = { of: string; from: string; to: string };

/** Where a sequence stands. */
export type SequenceState = { name: string; lastValue: string; isCalled: boolean };

/** A migration that was applied. */
export type AppliedMigration = { number: number; name: string; hash: string };

/** What says which schema it is; written by migrations, never copied. */
const migrationsTable = "schema_migrations";

const boundForm = /^FOR VALUES FROM \('(-?\d+)'\) TO \('(-?\d+)'\)$/;

type TableRow = {
  name: string;
  columns: string[];
  bytes: bigint;
  parent: string | null;
  bound: string | null;
};

/** All tables with rows, each after those that it refers to. */
export async function listTables(db: Queryable): Promise<StoredTable[]> {
  const rows = await db.query<TableRow>(sql`
    select c.relname as name, pg_table_size(c.oid) as bytes, parent.relname as parent,
      pg_get_expr(c.relpartbound, c.oid) as bound,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class c
    left join pg_inherits on inhrelid = c.oid
    left join pg_class parent on parent.oid = inhparent
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relname <> ${migrationsTable}
    order by c.relname`);
  const references = await db.query<{ child: string; parent: string }>(sql`
    select child.relname as child, parent.relname as parent from pg_constraint
    join pg_class child on child.oid = conrelid
    join pg_class parent on parent.oid = confrelid
    where contype = 'f' and conrelid <> confrelid
      and child.relnamespace = current_schema()::regnamespace`);
  return inOrder(rows.map(tableOf), references);
}

/** Where every sequence stands. Not part of any snapshot: never behind the rows that were read before. */
export async function listSequences(db: Queryable): Promise<SequenceState[]> {
  const names = await db.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`);
  const states: SequenceState[] = [];
  for (const { name } of names) {
    const [state] = await db.query<{ lastValue: string; isCalled: boolean }>(sql`
      select last_value::text as "lastValue", is_called as "isCalled" from ${quoted(name)}`);
    assert(state, "a sequence always stands somewhere");
    states.push({ name, ...state });
  }
  return states;
}

/** The migrations that made the schema what it is. */
export function listMigrations(db: Queryable): Promise<AppliedMigration[]> {
  return db.query<AppliedMigration>(
    sql`select number, name, hash from ${quoted(migrationsTable)} order by number`,
  );
}

/** A name in SQL. Names of our schema need no more care than this, and others are refused. */
export function quoted(name: string): Sql {
  assert(/^[a-z][a-z0-9_]*$/.test(name), `${JSON.stringify(name)} is no name of our schema`);
  return verbatim(`"${name}"`);
}

function tableOf({ name, columns, bytes, parent, bound }: TableRow): StoredTable {
  const table = { name, columns, bytes: Number(bytes), partition: null };
  if (parent === null) return table;
  const [, from, to] = boundForm.exec(bound ?? "") ?? [];
  assert(from && to, `${name} is a partition by whole numbers`);
  return { ...table, partition: { of: parent, from, to } };
}

/** Puts every table after those that it refers to; among equals, by name. */
function inOrder(
  tables: readonly StoredTable[],
  references: readonly { child: string; parent: string }[],
): StoredTable[] {
  const ordered: StoredTable[] = [];
  const isPlaced = (name: string) => ordered.some((table) => table.name === name);
  const isReady = ({ name }: StoredTable) =>
    references.every(({ child, parent }) => child !== name || isPlaced(parent));
  let waiting = [...tables];
  while (waiting.length > 0) {
    const ready = waiting.filter(isReady);
    assert(ready.length > 0, "no table refers to itself by way of others");
    ordered.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return ordered;
}
