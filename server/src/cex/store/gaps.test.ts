import { expect, test } from "vitest";
import { useDatabase } from "../../../test/test-database.ts";
import {
  insertGaps,
  listGapsWithoutCandles,
  listOpenGaps,
  readGaps,
  setHasCandles,
  shrinkGap,
} from "./gaps.ts";
import { openMarket } from "./markets.ts";

const held = useDatabase();
const name = { exchange: "kraken", market: "BTC-USD" };

test("gaps are shown newest first, filled from their beginning, and their candles fetched once", async () => {
  const { db } = held;
  expect(await readGaps(db, { ...name, limit: 10 })).toBe("[]");
  const { id } = await openMarket(db, name);
  const old = { from: 10, to: 20, reason: 'It said "no".', isOpen: false };
  const open = { from: 30, to: 90, reason: "It is being fetched.", isOpen: true };
  const now = new Date(1_000);
  await insertGaps(db, id, [old, open], now);
  await insertGaps(db, id, [{ ...old, reason: "another" }], now);

  const shown = async (query: object) =>
    JSON.parse(await readGaps(db, { ...name, limit: 10, ...query })) as unknown;
  const [oldShown, openShown] = [
    { from: "10", to: "20", reason: 'It said "no".' },
    { from: "30", to: "90", reason: "It is being fetched." },
  ];
  expect(await shown({})).toEqual([openShown, oldShown]);
  expect(await shown({ limit: 1 })).toEqual([openShown]);
  expect(await shown({ from: 21 })).toEqual([openShown]);
  expect(await shown({ to: 29 })).toEqual([oldShown]);
  expect(await shown({ from: 20, to: 30 })).toEqual([openShown, oldShown]);

  expect(await listOpenGaps(db, id)).toEqual([open]);
  await shrinkGap(db, id, open, 60);
  expect(await listOpenGaps(db, id)).toEqual([{ ...open, from: 60 }]);
  // Another recorder, which should not have been there any more, has noted the same.
  await insertGaps(db, id, [open], now);
  await shrinkGap(db, id, open, 60);
  expect(await listOpenGaps(db, id)).toEqual([{ ...open, from: 60 }]);
  await shrinkGap(db, id, { ...open, from: 60 }, 60);
  expect(await listOpenGaps(db, id)).toEqual([{ ...open, from: 60 }]);
  await shrinkGap(db, id, { ...open, from: 60 }, undefined);
  expect(await shown({})).toEqual([oldShown]);

  expect(await listGapsWithoutCandles(db, id)).toEqual([old]);
  await setHasCandles(db, id, old);
  expect(await listGapsWithoutCandles(db, id)).toEqual([]);
});
