import { expect, test } from "vitest";
import { listedMarket } from "../../../test/listed-market.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { readListing, writeListing } from "./listings.ts";

const held = useDatabase();

test("the last list of markets is kept, and an older one does not replace it", async () => {
  const { db } = held;
  expect(await readListing(db, "kraken")).toBeUndefined();
  const early = { value: [listedMarket("BTC-USD")], at: 1_000 };
  const late = { value: [listedMarket("BTC-USD"), listedMarket("ETH-USD")], at: 2_000 };
  await writeListing(db, "kraken", early);
  expect(await readListing(db, "kraken")).toEqual(early);
  await writeListing(db, "kraken", late);
  await writeListing(db, "kraken", early);
  expect(await readListing(db, "kraken")).toEqual(late);
});
