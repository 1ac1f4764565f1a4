import { beforeAll, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { insertUser } from "../../accounts/store/users.ts";
import { dueRunner } from "../../database/due.ts";
import { sql } from "../../database/sql.ts";
import { asCents, asPriceE18, asUnits } from "../../lib/money.ts";
import { loadCalendar } from "./calendars.ts";
import { feeFor } from "./fees.ts";
import { insertQuote, purgeQuotes, type UsableQuote, useQuote } from "./quotes.ts";

const held = useDatabase();
const clock = manualClock();
const owner = "usr-1";
const dayMs = 86_400_000;
let count = 0;

beforeAll(async () => {
  const now = new Date(clock.now());
  const user = { id: owner, masterId: null, name: "A B", email: "a@b.example", now } as const;
  await insertUser(held.db, { ...user, verification: "approved" });
  // Which transactions exist is of no interest here.
  await held.db.query(sql`alter table quotes drop constraint quotes_transaction_id_fkey`);
});

async function addQuote(): Promise<UsableQuote> {
  const quote: UsableQuote = {
    id: `quo-${++count}`,
    type: "OFF_RAMP",
    settlementMethod: "ACH",
    symbol: "ETH",
    blockchain: "base",
    units: asUnits(123_456_789_012_345_678_901n),
    cents: asCents(43_209_876_15n),
    priceE18: asPriceE18(3_500_000_000_000_000_000_001n),
    feeCents: asCents(0n),
    createdAt: clock.now(),
    expiresAt: clock.now() + 900_000,
  };
  await insertQuote(held.db, owner, quote);
  return quote;
}

const use = (id: string, { userId = owner, transactionId = "txn-1", now = clock.now() } = {}) =>
  held.db.transact((tx) => useQuote(tx, userId, id, transactionId, now));

describe("a quote", () => {
  test("is used once, and comes back as it was made, digit for digit", async () => {
    const quote = await addQuote();
    expect(await use(quote.id)).toEqual(quote);
    expect(await use(quote.id, { transactionId: "txn-2" })).toBe("used");
  });

  test("of somebody else is the same as none", async () => {
    const { id } = await addQuote();
    expect(await use(id, { userId: "usr-2" })).toBe("unknown");
    expect(await use("quo-999")).toBe("unknown");
    expect(await use(id)).toMatchObject({ id });
  });

  test("holds until it expires, to the millisecond", async () => {
    const { id, expiresAt } = await addQuote();
    expect(await use(id, { now: expiresAt })).toBe("expired");
    expect(await use(id, { now: expiresAt - 1 })).toMatchObject({ id });
  });

  test("that many want at once is one's", async () => {
    const { id } = await addQuote();
    const wanted = Array.from({ length: 6 }, (_, index) =>
      use(id, { transactionId: `txn-${index}` }),
    );
    const outcomes = await Promise.all(wanted);
    expect(outcomes.filter((outcome) => outcome === "used")).toHaveLength(5);
  });

  test("that nobody used is forgotten a week after it expired; one that was used stays", async () => {
    const [unused, used] = [await addQuote(), await addQuote()];
    await use(used.id);
    const purge = dueRunner({ db: held.db, clock, log: silentLog }, purgeQuotes);
    clock.advance(7 * dayMs);
    await purge.run();
    expect(await use(unused.id)).toBe("expired");
    clock.advance(900_000);
    expect(await purge.run()).toBeGreaterThan(0);
    expect(await use(unused.id)).toBe("unknown");
    expect(await use(used.id)).toBe("used");
    expect(await purge.run()).toBe(0);
  });
});

describe("fees", () => {
  const at = new Date("2026-11-16T12:00:00Z");

  test("are those of the specification", async () => {
    expect(await feeFor(held.db, "OFF_RAMP", "WIRE", at)).toBe(25_00n);
    expect(await feeFor(held.db, "OFF_RAMP", "ACH", at)).toBe(0n);
    expect(await feeFor(held.db, "ON_RAMP", "WIRE", at)).toBe(0n);
  });

  test("change on their day, and not before", async () => {
    const from = new Date("2027-01-01T05:00:00Z");
    await held.db.query(sql`
      insert into fee_schedule values ('OFF_RAMP', 'WIRE', ${from}, ${"3000"})`);
    expect(await feeFor(held.db, "OFF_RAMP", "WIRE", new Date(from.getTime() - 1))).toBe(25_00n);
    expect(await feeFor(held.db, "OFF_RAMP", "WIRE", from)).toBe(30_00n);
  });
});

test("a calendar knows the exceptions of our bank and of its rail, and closing wins", async () => {
  const rule = await loadCalendar(held.db);
  expect(rule.version).toBe("fed-2026.1");
  await held.db.query(sql`
    insert into calendar_overrides (calendar, day, is_open, note) values
      ('PARTNER_BANK', '2026-11-16', false, 'flood'),
      ('FEDACH', '2026-11-17', false, 'outage'),
      ('FEDWIRE', '2026-11-26', true, 'open on Thanksgiving'),
      ('FEDACH', '2026-11-16', true, 'open')`);
  const openOn = async (method?: "ACH" | "WIRE") => {
    const { isOpen } = await loadCalendar(held.db, method);
    return ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-26"].filter(isOpen);
  };
  expect(await openOn()).toEqual(["2026-11-17", "2026-11-18"]);
  expect(await openOn("ACH")).toEqual(["2026-11-18"]);
  expect(await openOn("WIRE")).toEqual(["2026-11-17", "2026-11-18", "2026-11-26"]);
  expect((await loadCalendar(held.db, "ACH")).version).not.toBe(rule.version);
});
