import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

/** Up to where the news of a source have been taken; null before the first. */
export async function findCursor(db: Queryable, source: string): Promise<string | null> {
  const [row] = await db.query<{ cursor: string | null }>(sql`
    select cursor from news_cursors where source = ${source}`);
  return row?.cursor ?? null;
}

/** Goes on from `before` to `after`. Returns false when somebody else did so first. */
export async function moveCursor(
  db: Queryable,
  source: string,
  before: string | null,
  after: string | null,
): Promise<boolean> {
  const moved = await db.query(sql`
    insert into news_cursors (source, cursor) values (${source}, ${after})
    on conflict (source) do update set cursor = excluded.cursor
    where news_cursors.cursor is not distinct from ${before}
    returning source`);
  return moved.length > 0;
}
