import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { useDatabase } from "../../../test/test-database.ts";
import { sql } from "../../database/sql.ts";
import { bookOpening } from "../ledger/book.ts";
import { entriesOf } from "../ledger/entries.ts";
import type { Move } from "../step.ts";
import { bookOnce, findBalances } from "./ledger.ts";

const held = useDatabase();
const at = new Date("2026-04-15T16:00:00Z");
let lastFact = 0;

const book = (moves: Move[], fact = `fact ${++lastFact}`) =>
  held.db.transact((tx) => bookOnce(tx, { fact, kind: "test", transactionId: null, at, moves }));
const usdMove = (from: string, to: string, amount: bigint): Move => ({
  asset: "USD",
  amount,
  from,
  to,
});
const balanceOf = async (name: string) => (await findBalances(held.db, [name])).get(name);

describe("the books", () => {
  test("open accounts on first use, and guard the customers'", async () => {
    await book([usdMove("bank:main:USD", "transaction:txn-1:USD", 500n)]);
    expect(await balanceOf("bank:main:USD")).toBe(-500n);
    expect(await balanceOf("transaction:txn-1:USD")).toBe(500n);
    const over = book([usdMove("transaction:txn-1:USD", "out:wire:USD", 501n)]);
    await expect(over).rejects.toThrow("ledger_accounts");
    expect(await balanceOf("transaction:txn-1:USD")).toBe(500n);
    await book([usdMove("transaction:txn-1:USD", "out:wire:USD", 500n)]);
    expect(await balanceOf("transaction:txn-1:USD")).toBe(0n);
  });

  test("book a fact once", async () => {
    const moves = [usdMove("bank:main:USD", "suspense:USD", 7n)];
    expect(await book(moves, "a wire")).toBe(true);
    expect(await book(moves, "a wire")).toBe(false);
    expect(await balanceOf("suspense:USD")).toBe(7n);
  });

  test("of an opening show what the owners put in", async () => {
    const open = () =>
      held.db.transact((tx) => bookOpening(tx, "hot:USDC.base", 10n ** 30n, "opening", at));
    await open();
    await open();
    expect(await balanceOf("hot:USDC.base")).toBe(-(10n ** 30n));
    expect(await balanceOf("equity:USDC.base")).toBe(10n ** 30n);
  });

  test("refuse a journal that does not balance, in each asset by itself", async () => {
    const crooked = held.db.transact(async (tx) => {
      await tx.query(sql`
        insert into ledger_accounts (name, asset, is_guarded)
        values ('a:USD', 'USD', false), ('b:ETH.base', 'ETH.base', false)`);
      const [journal] = await tx.query<{ id: bigint }>(sql`
        insert into journals (fact, kind, at) values ('crooked', 'test', ${at}) returning id`);
      await tx.query(sql`
        insert into entries (journal_id, account, amount)
        values (${journal?.id}, 'a:USD', -5), (${journal?.id}, 'b:ETH.base', 5)`);
    });
    await expect(crooked).rejects.toThrow("does not balance");
    expect(await balanceOf("a:USD")).toBeUndefined();
  });

  test.each(["journals", "entries"])("do not let %s be changed", async (table) => {
    const change =
      table === "journals"
        ? sql`update journals set kind = ''`
        : sql`update entries set amount = 1`;
    const removal = table === "journals" ? sql`delete from journals` : sql`delete from entries`;
    for (const statement of [change, removal, sql`truncate journals, entries`])
      await expect(held.db.query(statement)).rejects.toThrow("append-only");
  });

  test("stay in balance whatever is booked at once", async () => {
    const names = ["w", "x", "y", "z"].map((name) => `pool:${name}:USD`);
    const move = fc
      .tuple(fc.constantFrom(...names), fc.constantFrom(...names), fc.bigInt(1n, 10n ** 20n))
      .map(([from, to, amount]) => usdMove(from, to, amount));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(move, { minLength: 1 }), { maxLength: 8 }),
        async (all) => {
          await Promise.all(all.map((moves) => book(moves)));
          const [row] = await held.db.query<{ off: number; sum: string }>(sql`
          select coalesce(sum(balance), 0) as sum,
            count(*) filter (where balance <> coalesce(
              (select sum(amount) from entries where account = name), 0))::int as off
          from ledger_accounts where asset = 'USD'`);
          expect(row).toEqual({ sum: "0", off: 0 });
        },
      ),
      { numRuns: 15 },
    );
  });
});

test("moves of the same account are one entry, and what cancels out is none", () => {
  const moves = [usdMove("b", "a", 5n), usdMove("b", "c", 1n), usdMove("c", "a", 1n)];
  expect(entriesOf(moves)).toEqual([
    { account: "a", asset: "USD", amount: 6n },
    { account: "b", asset: "USD", amount: -6n },
  ]);
});
