import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

/** Who wants to feed an exchange. */
export type Lease = { exchange: string; holder: string };

/** Takes or prolongs the right to feed an exchange; says whether it is the holder's. The database's clock decides. */
export async function takeLease(
  db: Queryable,
  { exchange, holder, seconds }: Lease & { seconds: number },
): Promise<boolean> {
  const rows = await db.query(sql`
    insert into cex_feeders (exchange, holder, until)
    values (${exchange}, ${holder}, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (exchange) do update set holder = excluded.holder, until = excluded.until
    where cex_feeders.holder = excluded.holder or cex_feeders.until <= clock_timestamp()
    returning exchange`);
  return rows.length > 0;
}

/** Gives the right back, so that others need not wait until it runs out. */
export async function dropLease(db: Queryable, { exchange, holder }: Lease): Promise<void> {
  await db.query(sql`
    delete from cex_feeders where exchange = ${exchange} and holder = ${holder}`);
}
