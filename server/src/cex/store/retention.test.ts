import { describe, expect, test } from "vitest";
import { useDatabase } from "../../../test/test-database.ts";
import { sql } from "../../database/sql.ts";
import type { Trade } from "../market.ts";
import { findMarket, openMarket, setTradesSince } from "./markets.ts";
import { listMonthTables } from "./months.ts";
import { forgetTrades } from "./retention.ts";
import { copyTrades, insertTrades } from "./write-trades.ts";

const held = useDatabase();

function trade(time: number, id = String(time)): Trade {
  return { id, time, price: "1", size: "1", side: "sell" };
}

const ids = async () =>
  (await held.db.query<{ id: string }>(sql`select id from cex_trades order by time`)).map(
    ({ id }) => id,
  );

describe("trades", () => {
  const name = { exchange: "kraken", market: "BTC-USD" };
  const months = [7, 8, 9, 10].map((month) => Date.UTC(2026, month, 10));

  test("get the tables of their months, however many writers come at once and however late", async () => {
    const { db } = held;
    const { id: market } = await openMarket(db, name);
    await Promise.all(
      Array.from({ length: 6 }, (_, writer) =>
        db.transact((tx) =>
          insertTrades(tx, [
            { market, trades: months.map((month) => trade(month + writer)).reverse() },
          ]),
        ),
      ),
    );
    expect(await listMonthTables(db)).toEqual(
      ["08", "09", "10", "11"].map((month) => `cex_trades_2026_${month}`),
    );
    expect(await ids()).toHaveLength(24);
  });

  test("that are stored already are told apart from those that are new", async () => {
    const { db } = held;
    const { id: market } = await openMarket(db, name);
    const [first = 0] = months;
    const [known, fresh] = [trade(first), trade(first, "another")];
    const batch = [{ market, trades: [known, fresh] }];
    await expect(db.transact((tx) => copyTrades(tx, batch))).rejects.toThrow("duplicate key");
    expect(await db.transact((tx) => insertTrades(tx, batch))).toEqual([
      { market, trades: [fresh] },
    ]);
    expect(await ids()).toHaveLength(25);
  });

  test("are forgotten by whole months, and the rest of the month one by one", async () => {
    const { db } = held;
    const [first = 0, second = 0] = months;
    const { id: market } = await openMarket(db, name);
    await setTradesSince(db, market, first);
    await forgetTrades(db, second + 3);
    expect(await listMonthTables(db)).toEqual(
      ["09", "10", "11"].map((month) => `cex_trades_2026_${month}`),
    );
    const left = await ids();
    expect(left).toHaveLength(15);
    expect(left[0]).toBe(String(second + 3));
    expect(await findMarket(db, name)).toEqual({
      id: market,
      tradesSince: second + 3,
      foldedSince: first,
    });

    // A late trade brings its month back.
    await db.transact((tx) => copyTrades(tx, [{ market, trades: [trade(first)] }]));
    expect(await ids()).toHaveLength(16);
  });
});
