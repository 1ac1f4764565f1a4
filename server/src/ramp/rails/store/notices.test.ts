import { expect, test } from "vitest";
import { useDatabase } from "../../../../test/test-database.ts";
import { systemRandom } from "../../../lib/random.ts";
import { openSealer } from "../../../lib/seal.ts";
import type { Notice } from "../../ports.ts";
import { railNews, tellNotices } from "./notices.ts";

const held = useDatabase();
const sealer = openSealer({
  ...{ keys: [Buffer.alloc(32, 1)], digestKey: Buffer.alloc(32, 2), random: systemRandom },
});

test("a reader gets every notice of a source once, in the order in which they were told", async () => {
  const { db } = held;
  const told = Array.from({ length: 1_100 }, (_, index): Notice => {
    return { kind: "payout_settled", reference: `pay-${index}`, trace: null, at: index };
  });
  for (let from = 0; from < told.length; from += 100) {
    await db.transact((tx) => tellNotices(tx, { sealer }, "bank", told.slice(from, from + 100)));
    await db.transact((tx) => tellNotices(tx, { sealer }, "chain:base", told.slice(0, 1)));
  }
  const read: Notice[] = [];
  const source = railNews({ db, sealer }, "bank");
  let cursor: string | null = null;
  for (let pages = 0; pages < 4; pages++) {
    const page: Awaited<ReturnType<typeof source.read>> = await source.read(cursor);
    read.push(...page.notices);
    cursor = page.cursor;
  }
  expect(read).toEqual(told);
  expect(await source.read(cursor)).toEqual({ notices: [], cursor });
});
