import { describe, expect, test } from "vitest";
import { useDatabase } from "../../../test/test-database.ts";
import { sql } from "../../database/sql.ts";
import { dropLease, takeLease } from "./leases.ts";

const held = useDatabase();

describe("the right to feed an exchange", () => {
  test("is one's own until it runs out or is given back", async () => {
    const { db } = held;
    const one = { exchange: "kraken", holder: "one", seconds: 600 };
    const other = { ...one, holder: "other" };
    expect(await takeLease(db, one)).toBe(true);
    expect(await takeLease(db, other)).toBe(false);
    expect(await takeLease(db, one)).toBe(true);
    await dropLease(db, other);
    expect(await takeLease(db, other)).toBe(false);
    await dropLease(db, one);
    expect(await takeLease(db, other)).toBe(true);

    await db.query(sql`update cex_feeders set until = now() - interval '1 second'`);
    expect(await takeLease(db, one)).toBe(true);
    expect(await takeLease(db, other)).toBe(false);
  });

  test("goes to one of many who want it at once, and is separate for each exchange", async () => {
    const takers = Array.from({ length: 8 }, (_, number) => ({
      exchange: "bitstamp",
      holder: `taker ${number}`,
      seconds: 600,
    }));
    const taken = await Promise.all(takers.map((taker) => takeLease(held.db, taker)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await takeLease(held.db, { exchange: "okx", holder: "one", seconds: 600 })).toBe(true);
  });
});
