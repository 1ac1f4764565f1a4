import type { Queryable, Transaction } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import { parseBigints, stringifyBigints } from "../../../lib/bigint-json.ts";
import type { Sealer } from "../../../lib/seal.ts";
import type { NewsSource, Notice } from "../../ports.ts";

/** Who tells: `bank`, or `chain:ethereum`. */
export type RailSource = "bank" | `chain:${string}`;

const pageSize = 500;
const place = "rail_notices|sealed";

/**
 * Writes down what a bank or chain told. Whoever tells for a source takes turns with the others until `tx` ends:
 * otherwise a notice could show up behind one with a higher number, and a reader that goes by numbers would miss it.
 */
export async function tellNotices(
  tx: Transaction,
  { sealer }: { sealer: Sealer },
  source: RailSource,
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length === 0) return;
  await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`rail notices ${source}`}))`);
  const sealed = notices.map((notice) => sealer.seal(stringifyBigints(notice), place));
  await tx.query(sql`
    insert into rail_notices (source, sealed, at)
    select ${source}, told.sealed, told.at
    from unnest(${sealed}::bytea[], ${notices.map(({ at }) => new Date(at))}::timestamptz[])
      with ordinality as told (sealed, at, place)
    order by told.place`);
}

/** What a bank or chain told, as the ramp reads it. */
export function railNews(
  { db, sealer }: { db: Queryable; sealer: Sealer },
  source: RailSource,
): NewsSource {
  return {
    name: source,
    async read(after) {
      const rows = await db.query<{ id: string; sealed: Buffer }>(sql`
        select id::text as id, sealed from rail_notices
        where source = ${source} and id > ${after ?? "0"}::bigint
        order by rail_notices.id limit ${pageSize}`);
      // Written by `tellNotices`, and by nobody else.
      const notices = rows.map(({ sealed }) => parseBigints(sealer.open(sealed, place)) as Notice);
      return { notices, cursor: rows.at(-1)?.id ?? after };
    },
  };
}
