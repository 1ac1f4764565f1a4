import { openRecorder, type Recorder, type RecorderOptions } from "../src/cex/history/recorder.ts";
import type { Trade } from "../src/cex/market.ts";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { hastyClock } from "./hasty-clock.ts";
import { listedMarket } from "./listed-market.ts";
import { silentLog } from "./silent-log.ts";
import { TapedVenue } from "./taped-venue.ts";

/** When the trades of a scene begin: ten minutes before the end of a month. */
export const sceneStart = Date.UTC(2026, 9, 31, 23, 50);

let markets = 0;

/** A market of its own, an exchange that has it, and a recorder that can be abandoned and replaced. */
export function recorderScene(db: Database, exchange = "fake") {
  const clock = hastyClock(sceneStart);
  const venue = new TapedVenue(exchange);
  const market = listedMarket(`M${++markets}-USD`);
  const published: string[] = [];
  const opened: Recorder[] = [];
  const open = (options: Partial<RecorderOptions> = {}) => {
    const recorder = openRecorder({
      db,
      venue,
      clock,
      log: silentLog,
      published: (_, trades) => published.push(...trades.map(({ id }) => id)),
      ...options,
    });
    opened.push(recorder);
    return recorder;
  };
  let count = 0;
  /** Something is traded at the exchange. */
  function trade(times = 1, stepMs = 400): Trade[] {
    const trades = Array.from({ length: times }, (): Trade => {
      const id = String(++count);
      const time = sceneStart + count * stepMs;
      return { id, time, price: `${100 + (count % 7)}.5`, size: "0.10", side: "buy" };
    });
    venue.tape.push(...trades);
    return trades;
  }
  /** Closes the recorders that were opened, and no others. */
  async function close(): Promise<void> {
    for (const recorder of opened.splice(0)) await recorder.close();
  }
  return { venue, market, published, open, trade, close };
}

/** The trades of a market that are in the tables, in order. */
export function storedTrades(db: Database, { id }: { id: string }) {
  return db.query<{ id: string; time: number }>(sql`
    select t.id, t.time::float8 as time from cex_trades t join cex_markets m on m.id = t.market
    where m.market = ${id} order by t.time, t.place, t.id`);
}

/** The gaps of a market, oldest first. */
export function storedGaps(db: Database, { id }: { id: string }) {
  return db.query<{ from: number; to: number; reason: string; isOpen: boolean }>(sql`
    select from_time::float8 as from, to_time::float8 as to, reason, is_open as "isOpen"
    from cex_gaps g join cex_markets m on m.id = g.market where m.market = ${id} order by 1`);
}
