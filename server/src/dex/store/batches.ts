import type { Transaction } from "../../database/database.ts";
import { type Sql, sql, verbatim } from "../../database/sql.ts";
import type { Changes } from "../indexer/changes.ts";
import {
  barColumns,
  barLine,
  line,
  poolColumns,
  poolLine,
  tickColumns,
  tokenColumns,
  tokenLine,
  tradeColumns,
  tradeLine,
  versionColumns,
  versionLine,
} from "./rows.ts";

/** A table whose rows change, by the whole numbers that name a row within a deployment. */
type ChangingTable = {
  name: string;
  keys: readonly [string, ...string[]];
  columns: readonly string[];
};

const tokens: ChangingTable = { name: "dex_tokens", keys: ["token"], columns: tokenColumns };
const pools: ChangingTable = { name: "dex_pools", keys: ["pool"], columns: poolColumns };
const ticks: ChangingTable = { name: "dex_ticks", keys: ["pool", "tick"], columns: tickColumns };
const bars: ChangingTable = {
  name: "dex_bars",
  keys: ["pool", "seconds", "number"],
  columns: barColumns,
};

/** Rows to be written over those with the same keys. */
type Rows = { table: ChangingTable; keys: number[][]; lines: string[] };

/** Changes as rows: those that go on changing as they are now, the others to be written out on the way. */
export type PreparedRows = {
  changing: readonly Rows[];
  trades: Iterable<string>;
  versions: Iterable<string>;
};

/** Takes down what changed, so that the state may move on while it is written. */
export function prepareRows(deployment: number, changes: Changes): PreparedRows {
  return {
    changing: changedRows(deployment, changes).filter(({ keys }) => keys.length > 0),
    trades: mapped(changes.trades, (trade) => tradeLine(deployment, trade)),
    versions: mapped(changes.versions, (version) => versionLine(deployment, version)),
  };
}

/** Writes what some blocks changed. With `undoBlock`, keeps the rows as they were, to be put back should that block go. */
export async function writeRows(
  tx: Transaction,
  deployment: number,
  { changing, trades, versions }: PreparedRows,
  undoBlock: number | undefined,
): Promise<void> {
  for (const rows of changing) {
    if (undoBlock !== undefined) await keepImages(tx, deployment, rows, undoBlock);
    await replaceRows(tx, deployment, rows);
  }
  await tx.copy({ table: "dex_trades", columns: tradeColumns, lines: trades });
  await tx.copy({ table: "dex_token_versions", columns: versionColumns, lines: versions });
}

function changedRows(deployment: number, changes: Changes): Rows[] {
  const touchedTicks = [...changes.ticks].flatMap(([pool, touched]) =>
    [...touched].map((tick) => ({ pool, tick })),
  );
  return [
    {
      table: tokens,
      keys: [...changes.tokens].map(({ number }) => [number]),
      lines: [...changes.tokens].map((token) => tokenLine(deployment, token)),
    },
    {
      table: pools,
      keys: [...changes.pools].map(({ number }) => [number]),
      lines: [...changes.pools].map((pool) => poolLine(deployment, pool)),
    },
    {
      table: ticks,
      keys: touchedTicks.map(({ pool, tick }) => [pool.number, tick]),
      // A tick that holds nothing any more has no row.
      lines: touchedTicks.flatMap(({ pool, tick }) => {
        const held = pool.ticks.get(tick);
        return held
          ? [line(deployment, pool.number, tick, held.liquidityGross, held.liquidityNet)]
          : [];
      }),
    },
    {
      table: bars,
      keys: [...changes.bars].map(({ pool, seconds, number }) => [pool.number, seconds, number]),
      lines: [...changes.bars].map((bar) => barLine(deployment, bar)),
    },
  ];
}

/** Deleting and copying is cheaper than any way to say "insert or update". */
async function replaceRows(
  tx: Transaction,
  deployment: number,
  { table, keys, lines }: Rows,
): Promise<void> {
  await tx.query(sql`
    delete from ${verbatim(table.name)} old using ${keyTable(table, keys)}
    where old.deployment = ${deployment} and ${sameKey(table, "old")}`);
  await tx.copy({ table: table.name, columns: table.columns, lines });
}

async function keepImages(
  tx: Transaction,
  deployment: number,
  { table, keys }: Rows,
  block: number,
): Promise<void> {
  await tx.query(sql`
    insert into dex_undo (deployment, block, name, key, image)
    select ${deployment}, ${block}, ${table.name}, array[${keyList(table, "key")}], to_jsonb(old)
    from ${keyTable(table, keys)}
    left join ${verbatim(table.name)} old on old.deployment = ${deployment} and ${sameKey(table, "old")}`);
}

/** Puts every changing row back to what it was after `block`, and forgets what came later. */
export async function revertChanges(
  tx: Transaction,
  deployment: number,
  block: number,
): Promise<void> {
  for (const table of [tokens, pools, ticks, bars]) await restoreRows(tx, deployment, table, block);
  await tx.query(sql`delete from dex_trades where deployment = ${deployment} and block > ${block}`);
  await tx.query(sql`
    delete from dex_token_versions version using (
      select key[1] as token from dex_undo
      where deployment = ${deployment} and name = 'dex_tokens' and block > ${block}
    ) touched
    where version.deployment = ${deployment} and version.token = touched.token and version.block > ${block}`);
  await tx.query(sql`delete from dex_undo where deployment = ${deployment} and block > ${block}`);
  await tx.query(
    sql`delete from dex_block_hashes where deployment = ${deployment} and block > ${block}`,
  );
}

/** The image of the first block to go is how the row was before it. */
async function restoreRows(
  tx: Transaction,
  deployment: number,
  table: ChangingTable,
  block: number,
): Promise<void> {
  const images = sql`
    select distinct on (key) key, image from dex_undo
    where deployment = ${deployment} and name = ${table.name} and block > ${block}
    order by key, block`;
  const keyInArray = verbatim(
    table.keys.map((key, index) => `old.${key} = gone.key[${index + 1}]`).join(" and "),
  );
  await tx.query(sql`
    delete from ${verbatim(table.name)} old using (${images}) gone
    where old.deployment = ${deployment} and ${keyInArray}`);
  await tx.query(sql`
    insert into ${verbatim(table.name)}
    select restored.* from (${images}) gone, jsonb_populate_record(null::${verbatim(table.name)}, gone.image) restored
    where gone.image is not null`);
}

/** Forgets how to undo blocks that cannot go any more. The hash of the last of them stays: a fork may begin at it. */
export async function dropUndo(tx: Transaction, deployment: number, block: number): Promise<void> {
  await tx.query(sql`delete from dex_undo where deployment = ${deployment} and block <= ${block}`);
  await tx.query(
    sql`delete from dex_block_hashes where deployment = ${deployment} and block < ${block}`,
  );
}

/** Empties every table that is derived from logs. */
export async function clearDerived(tx: Transaction, deployment: number): Promise<void> {
  // Tens of millions of rows take longer than a statement usually may.
  await tx.query(sql`set local statement_timeout = 0`);
  for (const name of [
    "dex_tokens",
    "dex_token_versions",
    "dex_pools",
    "dex_ticks",
    "dex_bars",
    "dex_trades",
    "dex_undo",
    "dex_block_hashes",
  ]) {
    await tx.query(sql`delete from ${verbatim(name)} where deployment = ${deployment}`);
  }
}

function keyTable({ keys: names }: ChangingTable, keys: readonly (readonly number[])[]): Sql {
  const arrays = names.map((_, index) => keys.map((key) => key[index]));
  const columns = arrays
    .map((array) => sql`${array}::int[]`)
    .reduce((list, array) => sql`${list}, ${array}`);
  return sql`unnest(${columns}) as key (${verbatim(names.join(", "))})`;
}

function sameKey({ keys }: ChangingTable, alias: string): Sql {
  return verbatim(keys.map((key) => `${alias}.${key} = key.${key}`).join(" and "));
}

function keyList({ keys }: ChangingTable, alias: string): Sql {
  return verbatim(keys.map((key) => `${alias}.${key}`).join(", "));
}

/** Made anew each time it is read: a transaction that has to run again reads it twice. */
function mapped<From>(items: readonly From[], change: (item: From) => string): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield change(item);
    },
  };
}
