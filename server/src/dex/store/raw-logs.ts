import type { Log } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import type { Database, Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { packLogs, unpackLogs } from "../indexer/raw-logs.ts";
import { bytesOf, type Checkpoint } from "./checkpoints.ts";

/** Logs of a run of blocks, packed. */
export type RawRange = { from: number; to: Checkpoint; count: number; logs: Buffer };

type RawRow = { from: string; to: string; hash: Hex; time: string; count: number; logs: Buffer };

const columns = sql`
  from_block as "from", to_block as "to", '0x' || encode(to_hash, 'hex') as hash, to_time as time, count, logs`;

export async function insertRawLogs(
  tx: Transaction,
  deployment: number,
  { from, to, count, logs }: RawRange,
): Promise<void> {
  await tx.query(sql`
    insert into dex_raw_logs (deployment, from_block, to_block, to_hash, to_time, count, logs)
    values (${deployment}, ${from}, ${to.block}, ${bytesOf(to.hash)}, ${to.time}, ${count}, ${logs})`);
}

/** Every stored range from the one that holds the block `from` on, in order, a few at a time. */
export async function* readRawLogs(
  db: Database,
  deployment: number,
  from: number,
): AsyncGenerator<RawRange> {
  const first = await findRawLogs(db, deployment, from);
  for (let next = first && first.to.block >= from ? first.from : from; ; ) {
    const rows = await db.query<RawRow>(sql`
      select ${columns} from dex_raw_logs
      where deployment = ${deployment} and from_block >= ${next}
      order by from_block limit 4`);
    for (const row of rows) {
      const range = fromRow(row);
      yield range;
      next = range.to.block + 1;
    }
    if (rows.length === 0) return;
  }
}

/** The stored range that holds a block, or the last one before it. */
export async function findRawLogs(
  db: Queryable,
  deployment: number,
  block: number,
): Promise<RawRange | undefined> {
  const [row] = await db.query<RawRow>(sql`
    select ${columns} from dex_raw_logs
    where deployment = ${deployment} and from_block <= ${block}
    order by from_block desc limit 1`);
  return row && fromRow(row);
}

/** Forgets all logs after a block; a range that reaches over it is cut there. */
export async function cutRawLogs(
  tx: Transaction,
  deployment: number,
  at: Checkpoint,
): Promise<void> {
  const last = await findRawLogs(tx, deployment, at.block);
  await tx.query(sql`
    delete from dex_raw_logs where deployment = ${deployment} and to_block > ${at.block}`);
  if (!last || last.to.block <= at.block) return;
  const kept: Log[] = [];
  for (const log of unpackLogs(last.logs)) if (log.block <= at.block) kept.push(log);
  const { from } = last;
  const logs = packLogs(kept);
  await insertRawLogs(tx, deployment, { from, to: at, count: kept.length, logs });
}

export async function clearRawLogs(tx: Transaction, deployment: number): Promise<void> {
  await tx.query(sql`delete from dex_raw_logs where deployment = ${deployment}`);
}

/** How many logs are stored, for showing progress. */
export async function countRawLogs(db: Queryable, deployment: number): Promise<number> {
  const [row] = await db.query<{ count: string }>(sql`
    select coalesce(sum(count), 0) as count from dex_raw_logs where deployment = ${deployment}`);
  return Number(row?.count ?? 0);
}

function fromRow({ from, to, hash, time, count, logs }: RawRow): RawRange {
  return {
    from: Number(from),
    to: { block: Number(to), hash, time: Number(time) },
    count,
    logs,
  };
}
