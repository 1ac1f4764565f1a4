import type { Database } from "../database/database.ts";
import type { Sealer } from "../lib/seal.ts";
import {
  countSealed,
  listSealed,
  replaceSealed,
  type SealedColumn,
  type SealedValue,
  sealedColumns,
} from "./store/sealed-values.ts";

type RotationContext = {
  db: Database;
  sealer: Pick<Sealer, "rewrap">;
  /** Hears how many values have been looked at, of how many. */
  progressed(done: number, total: number): void;
};

const pageSize = 500;

/**
 * Puts everything that is sealed under the current master key, and says how much that was. It may be stopped and
 * run again, while the service works, which must know the current key already.
 */
export async function rewrapAll(context: RotationContext): Promise<{ rewrapped: number }> {
  const { db, progressed } = context;
  const counts = await Promise.all(sealedColumns.map((column) => countSealed(db, column)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let done = 0;
  let rewrapped = 0;
  for (const column of sealedColumns) {
    for await (const page of pagesOf(db, column)) {
      rewrapped += await rewrapPage(context, column, page);
      done += page.length;
      progressed(Math.min(done, total), total);
    }
  }
  return { rewrapped };
}

async function* pagesOf(db: Database, column: SealedColumn): AsyncGenerator<SealedValue[]> {
  let after: string[] | undefined;
  for (;;) {
    const page = await listSealed(db, column, after, pageSize);
    if (page.length > 0) yield page;
    after = page.at(-1)?.key;
    if (!after || page.length < pageSize) return;
  }
}

function rewrapPage(
  { db, sealer }: RotationContext,
  column: SealedColumn,
  page: readonly SealedValue[],
): Promise<number> {
  return db.transact(async (tx) => {
    let rewrapped = 0;
    for (const value of page) {
      const next = sealer.rewrap(value.sealed);
      if (!next) continue;
      await replaceSealed(tx, column, value, next);
      rewrapped++;
    }
    return rewrapped;
  });
}
