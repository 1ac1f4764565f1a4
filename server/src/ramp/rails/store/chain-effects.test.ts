import fc from "fast-check";
import { expect, test } from "vitest";
import { useDatabase } from "../../../../test/test-database.ts";
import type { Transaction } from "../../../database/database.ts";
import { type Sql, sql } from "../../../database/sql.ts";
import { findTold, type Told } from "./chain-effects.ts";

const held = useDatabase();
const runs = 60;
const coin = "ETH";
const at = new Date(0);

type Deposit = {
  table: "deposits";
  number: number;
  blockchain: string;
  address: string;
  currency: string;
  units: bigint;
  block: number;
  state: "seen" | "final" | "gone";
  isSwept: boolean;
};

type Sent = {
  table: "transactions";
  number: number;
  blockchain: string;
  address: string;
  currency: string;
  units: bigint;
  block: number;
  purpose: "payout" | "gas" | "sweep";
  state: "signed" | "mined" | "final" | "failed";
  gasPaid: bigint | null;
};

/** A row is written, whatever it was before, or goes. */
type Event = (Deposit | Sent) & { isGone: boolean };

const common = {
  // Few of everything, so that rows change again and again.
  number: fc.integer({ min: 0, max: 5 }),
  blockchain: fc.constantFrom("base", "base", "base", "polygon"),
  address: fc.constantFrom("0xA", "0xB", "0xC"),
  currency: fc.constantFrom("USDC", coin),
  units: fc.bigInt(1n, 10n ** 30n),
  block: fc.integer({ min: 1, max: 9 }),
  isGone: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
};
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    ...{ table: fc.constant("deposits" as const), ...common, isSwept: fc.boolean() },
    state: fc.constantFrom("seen" as const, "final" as const, "gone" as const),
  }),
  fc.record({
    ...{ table: fc.constant("transactions" as const), ...common },
    purpose: fc.constantFrom("payout" as const, "gas" as const, "sweep" as const),
    state: fc.constantFrom(
      "signed" as const,
      "mined" as const,
      "final" as const,
      "failed" as const,
    ),
    gasPaid: fc.option(fc.bigInt(0n, 10n ** 18n)),
  }),
);

function writing(row: Deposit | Sent): Sql {
  const { number, blockchain, address, currency, units, block } = row;
  if (row.table === "deposits") {
    return sql`
      insert into chain_deposits (blockchain, transaction_hash, log_index, address, from_address,
        currency, units, block_number, block_hash, block_time, state, is_swept, updated_at)
      values (${blockchain}, ${`0x${number}`}, 0, ${address}, '0xF', ${currency}, ${units},
        ${block}, '0x', ${at}, ${row.state}, ${row.isSwept}, ${at})
      on conflict (blockchain, transaction_hash, log_index) do update set
        address = excluded.address, currency = excluded.currency, units = excluded.units,
        block_number = excluded.block_number, state = excluded.state, is_swept = excluded.is_swept`;
  }
  return sql`
    insert into chain_transactions (id, blockchain, sender, nonce, purpose, address, currency,
      units, call, state, block_number, gas_paid, created_at, updated_at)
    values (${`ctx-${number}`}, ${blockchain}, '0xF', ${number}, ${row.purpose},
      ${row.purpose === "payout" ? null : address}, ${currency}, ${units}, '{}', ${row.state},
      ${block}, ${row.gasPaid}, ${at}, ${at})
    on conflict (id) do update set blockchain = excluded.blockchain, purpose = excluded.purpose,
      address = excluded.address, currency = excluded.currency, units = excluded.units,
      state = excluded.state, block_number = excluded.block_number, gas_paid = excluded.gas_paid`;
}

function removing({ table, number, blockchain }: Event): Sql {
  return table === "deposits"
    ? sql`delete from chain_deposits
        where blockchain = ${blockchain} and transaction_hash = ${`0x${number}`}`
    : sql`delete from chain_transactions where id = ${`ctx-${number}`}`;
}

async function play(tx: Transaction, events: readonly Event[]): Promise<(Deposit | Sent)[]> {
  const rows = new Map<string, Deposit | Sent>();
  for (const { isGone, ...row } of events) {
    const { table, number, blockchain } = row;
    // A transaction has its id on whatever chain it is.
    const key = table === "deposits" ? `${blockchain} ${number}` : `ctx ${number}`;
    await tx.query(isGone ? removing({ ...row, isGone }) : writing(row));
    if (isGone) rows.delete(key);
    else rows.set(key, row);
  }
  return [...rows.values()];
}

/** The sums by their meaning: who has how much more or less after each row. */
function summed(rows: readonly (Deposit | Sent)[], finalBlock: number): Told {
  const all = rows.filter(({ blockchain }) => blockchain === "base").flatMap(effectsOf);
  const unswept = new Set(
    rows.flatMap((row) =>
      row.table === "deposits" && row.blockchain === "base" && row.state === "final" && !row.isSwept
        ? [row.address]
        : [],
    ),
  );
  const later = (block: number) => block > finalBlock;
  const added = (effects: readonly Effect[]) => {
    const sums = new Map<string, { address: string; currency: string; units: bigint }>();
    for (const { address, currency, units } of effects) {
      const before = sums.get(`${address} ${currency}`)?.units ?? 0n;
      sums.set(`${address} ${currency}`, { address, currency, units: before + units });
    }
    return [...sums.values()];
  };
  return {
    finalBlock,
    hotLater: added(all.filter(({ address, block }) => address === "hot" && later(block))),
    unsweptLater: added(
      all
        .filter(({ address }) => unswept.has(address))
        .map((one) => ({ ...one, units: later(one.block) ? one.units : 0n })),
    ),
    swept: added(
      all
        .filter(({ address }) => address !== "hot" && !unswept.has(address))
        .map((one) => ({ ...one, address: "" })),
    ),
  };
}

type Effect = { address: string; currency: string; units: bigint; block: number };

function effectsOf(row: Deposit | Sent): Effect[] {
  const { address, currency, units, block } = row;
  if (row.table === "deposits")
    return row.state === "final" ? [{ address, currency, units, block }] : [];
  if (row.state !== "final" && row.state !== "failed") return [];
  const payer = row.purpose === "sweep" ? address : "hot";
  const receiver = { gas: address, sweep: "hot", payout: undefined }[row.purpose];
  const cost = { address: payer, currency: coin, units: -(row.gasPaid ?? 0n), block };
  if (row.state === "failed") return [cost];
  const left = { address: payer, currency, units: -units, block };
  return [cost, left, ...(receiver ? [{ address: receiver, currency, units, block }] : [])];
}

/** In one order, without the places where nothing is. */
function tidied({ finalBlock, ...told }: Told) {
  const text = (changes: readonly { address?: string; currency: string; units: bigint }[]) =>
    changes
      .filter(({ units }) => units !== 0n)
      .map(({ address, currency, units }) => `${address ?? ""} ${currency} ${units}`)
      .sort();
  return {
    finalBlock,
    hot: text(told.hotLater.map(({ currency, units }) => ({ currency, units }))),
    unswept: text(told.unsweptLater),
    asked: [...new Set(told.unsweptLater.map(({ address }) => address))].sort(),
    swept: text(told.swept),
  };
}

async function begin(): Promise<void> {
  await held.db.query(sql`
    truncate chain_deposits, chain_attempts, chain_transactions, chain_cursors`);
}

test("what the database keeps as a sum is the sum, whatever happened to the rows", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 25 }),
      fc.integer({ min: 0, max: 9 }),
      async (events, finalBlock) => {
        await begin();
        await held.db.query(sql`
          insert into chain_cursors (blockchain, next_block, final_block)
          values ('base', 10, ${finalBlock})`);
        const rows = await held.db.transact((tx) => play(tx, events));
        const told = await findTold(held.db, "base", coin);
        expect(told && tidied(told)).toEqual(tidied(summed(rows, finalBlock)));
        // So does who counts all there is, as when the sum was kept for the first time.
        await held.db.query(sql`select recount_told()`);
        const recounted = await findTold(held.db, "base", coin);
        expect(recounted && tidied(recounted)).toEqual(told && tidied(told));
      },
    ),
    { numRuns: runs },
  );
});

test("a chain at which nobody looked has told nothing", async () => {
  await begin();
  expect(await findTold(held.db, "base", coin)).toBeUndefined();
});
