import type { Queryable } from "../../../database/database.ts";

/** The lowest block that may hold a transaction of ours of which nothing was told yet. */
export function oldestUntold(_db: Queryable, _blockchain: string): Promise<number | undefined> {
  throw new Error("not there yet");
}
