import { describe, expect, test } from "vitest";
import {
  fileRow,
  leave,
  lineOf,
  noticesOf,
  notification,
  useBankWorld,
  work,
} from "../../../../test/bank-world.ts";
import { memoryExchange } from "../../../../test/memory-exchange.ts";
import { createPurchase, expectSound, find } from "../../../../test/ramp-world.ts";
import { sql } from "../../../database/sql.ts";
import { findBankFile, openBankFile } from "../store/bank-files.ts";
import { fileTaker, takeFile } from "./take-files.ts";

const world = useBankWorld();

/** A notification of one wire for a new purchase. */
async function paidPurchase() {
  const { id, reference } = await createPurchase(world);
  const line = lineOf(world, { texts: [reference] });
  return { id, line, bytes: notification(world, line) };
}

const wiresOf = async (bankReference: string) =>
  (await noticesOf(world)).filter(
    (notice) => notice.kind === "wire_received" && notice.bankReference === bankReference,
  );

describe("a file of the bank", () => {
  test("is kept byte for byte, told and set aside", async () => {
    const { id, line, bytes } = await paidPurchase();
    const name = await leave(world, bytes);
    expect(await fileRow(world, name)).toEqual({
      ...{ format: "camt.054", state: "taken", problem: null },
    });
    expect(world.exchange.waiting.size).toBe(0);
    expect(world.exchange.aside).toContain(name);
    expect(await wiresOf(line.reference)).toHaveLength(1);
    expect(await find(world, id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
    const [row] = await world.db.query<{ id: string }>(sql`
      select id from bank_files where name = ${name}`);
    const file = await findBankFile(world.db, row?.id ?? "");
    expect(file && openBankFile(world.context.sealer, file).equals(bytes)).toBe(true);
    await expectSound(world);
  });

  test("that comes again, under its name or another, changes nothing", async () => {
    const { line, bytes } = await paidPurchase();
    const name = await leave(world, bytes);
    await leave(world, bytes, name);
    const other = await leave(world, bytes);
    expect(await fileRow(world, other)).toMatchObject({ state: "taken", problem: null });
    expect(await wiresOf(line.reference)).toHaveLength(1);
    const again = await world.db.transact((tx) => takeFile(tx, world.bank, { name, bytes }));
    expect(again).toEqual({ state: "taken", problem: null, isNew: false });
  });

  test("that two takers find at once is taken by one", async () => {
    const { line, bytes } = await paidPurchase();
    world.exchange.waiting.set("for-two", bytes);
    const context = { ...world.bank, exchange: world.exchange };
    await Promise.all([1, 2, 3].map(() => fileTaker(context).run()));
    expect(await wiresOf(line.reference)).toHaveLength(1);
    expect(await fileRow(world, "for-two")).toMatchObject({ state: "taken" });
    expect(world.exchange.waiting.size).toBe(0);
    await work(world);
  });

  test("whose taker dies before or after it was kept is taken once by the next one", async () => {
    for (const deadly of ["get", "setAside"] as const) {
      const { line, bytes } = await paidPurchase();
      const name = `dies-at-${deadly}`;
      world.exchange.waiting.set(name, bytes);
      const killed = () => Promise.reject(new Error("killed"));
      const exchange = { ...world.exchange, [deadly]: killed };
      expect(await fileTaker({ ...world.bank, exchange }).run()).toBe(0);
      expect((await fileRow(world, name))?.state).toBe(deadly === "get" ? undefined : "taken");
      await work(world);
      expect(await wiresOf(line.reference)).toHaveLength(1);
      expect(world.exchange.aside.filter((each) => each === name)).toHaveLength(1);
    }
    await expectSound(world);
  });

  test("that cannot be kept leaves nothing behind and is tried again", async () => {
    const { line, bytes } = await paidPurchase();
    const name = "no-database";
    world.exchange.waiting.set(name, bytes);
    const db = {
      ...world.db,
      transact: ((run) =>
        world.db.transact(async (tx) => {
          await run(tx);
          throw new Error("killed before the commit");
        })) as typeof world.db.transact,
    };
    const context = { ...world.bank, db, exchange: world.exchange };
    expect(await fileTaker(context).run()).toBe(0);
    expect([await fileRow(world, name), await wiresOf(line.reference)]).toEqual([undefined, []]);
    await work(world);
    expect(await wiresOf(line.reference)).toHaveLength(1);
  });

  test("that is damaged is refused, said loudly, and the next one is taken", async () => {
    const { id, bytes } = await paidPurchase();
    const damaged = Buffer.from(bytes.toString().replace("</Amt>", "</Amount>"));
    const bad = new Map([
      ["damaged.xml", damaged],
      ["half.xml", bytes.subarray(0, 200)],
      ["noise.bin", Buffer.from([0, 1, 2, 255])],
      ["empty", Buffer.alloc(0)],
    ]);
    for (const [name, content] of bad) world.exchange.waiting.set(name, content);
    const good = await leave(world, bytes);
    for (const name of bad.keys()) {
      const row = await fileRow(world, name);
      expect(row).toMatchObject({ state: "refused", problem: expect.any(String) });
      expect(world.lines.join("\n")).toMatch(new RegExp(`"level":50.*"file":"${name}"`));
    }
    expect(await fileRow(world, good)).toMatchObject({ state: "taken" });
    expect(world.exchange.waiting.size).toBe(0);
    expect(await find(world, id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
  });

  test("that is too large is set aside unread", async () => {
    const name = await leave(world, Buffer.alloc(20_000_001));
    expect(await fileRow(world, name)).toBeUndefined();
    expect(world.exchange.aside).toContain(name);
    expect(world.lines.join()).toContain("too large and was set aside unread");
  });
});

test("a place that cannot be reached is tried again, and looked at every few seconds only", async () => {
  const exchange = memoryExchange();
  let looks = 0;
  const list = () => {
    looks++;
    return exchange.list();
  };
  const taker = fileTaker({ ...world.bank, exchange: { ...exchange, list } });
  exchange.fault = "connection refused";
  expect([await taker.run(), looks]).toEqual([0, 1]);
  expect(world.lines.join()).toContain("cannot be reached");
  exchange.fault = undefined;
  exchange.waiting.set("late", Buffer.from("nothing"));
  expect([await taker.run(), looks]).toEqual([0, 1]);
  world.clock.advance(5_000);
  expect([await taker.run(), looks]).toEqual([1, 2]);
  expect([await taker.run(), looks]).toEqual([0, 3]);
  expect([await taker.run(), looks]).toEqual([0, 3]);
});
