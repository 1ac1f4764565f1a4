import { beforeAll, expect, test } from "vitest";
import {
  connect,
  keys,
  newDepositAddress,
  passBlocks,
  stranger,
  useEvmWorld,
} from "../../../test/evm-world.ts";
import { createPurchase, day, wireOf } from "../../../test/ramp-world.ts";
import type { Hex } from "../../chains/hex.ts";
import { findChainCursor } from "../rails/store/chain-blocks.ts";
import { listReports } from "../store/reconciliations.ts";
import { evmBooks } from "./evm-books.ts";
import { compareBooks, reconciliationRunner } from "./reconcile.ts";
import type { ChainBooks } from "./reconcile-chain.ts";

const held = useEvmWorld();
const subject = "chain:base";
let address: Hex;

const contextOf = (books: ChainBooks = evmBooks(held.context)) => ({
  ...held.world.context,
  news: held.world.context.ports.news,
  chains: [books],
});

async function differences(books?: ChainBooks) {
  const { findings, notCompared } = await compareBooks(contextOf(books), [subject]);
  expect(notCompared).toEqual([]);
  return findings.flatMap((finding) => finding.differences);
}

/** Somebody moves money at an address of ours, and nothing tells of it. */
async function drift(at: Hex, symbol: string, units: bigint) {
  held.evm.give(at, symbol, units);
  await passBlocks(held, 4);
  const found = await differences();
  held.evm.give(at, symbol, -units);
  await passBlocks(held, 4);
  expect(await differences()).toEqual([]);
  return found;
}

beforeAll(async () => {
  connect(held);
  held.evm.behind = { safe: 1, finalized: 2 };
  // Without their keys deposits stay where they are.
  held.context.keys = { ...keys, deposit: () => undefined };
  await passBlocks(held, 4);
  address = await newDepositAddress(held, 1);
  held.evm.transfer({ from: stranger, to: address, symbol: "USDC", units: 100_000_000n });
  const { reference } = await createPurchase(held.world);
  held.world.ports.tell(wireOf(held.world, [reference]));
  await passBlocks(held, 8);
});

test("a chain on which money came and went agrees with the books, as of its last final block", async () => {
  const { findings } = await compareBooks(contextOf(), [subject]);
  const { finalBlock } = (await findChainCursor(held.world.db, "base")) ?? {};
  expect(findings).toMatchObject([
    { subject, asOf: `block ${finalBlock}`, compared: 4, differences: [], inTransit: [] },
  ]);
});

test.each([
  ["one unit more in the hot wallet", "hot", "USDC", 1n],
  ["one unit less in the hot wallet", "hot", "USDC", -1n],
  ["one wei less in the hot wallet", "hot", "ETH", -1n],
  ["one unit more at a deposit address", "unswept", "USDC", 1n],
  ["one unit less at a deposit address", "unswept", "USDC", -1n],
])("%s is a difference of its account alone", async (_, place, symbol, units) => {
  const found = await drift(place === "hot" ? keys.hot.address : address, symbol, units);
  const asset = `${symbol}.base`;
  expect(found).toMatchObject([{ item: `account:${place}:${asset}`, asset }]);
  expect(found.map(({ theirs, ours }) => theirs - ours)).toEqual([units]);
  const words = units > 0n ? "more than our books" : "less than our books";
  expect(found[0]?.explanation).toContain(words);
});

test("what is carried from a deposit address to the hot wallet is the same on both sides, with its gas", async () => {
  held.context.keys = keys;
  for (let blocks = 0; held.evm.balance(address, "USDC") > 0n && blocks < 30; blocks++)
    await passBlocks(held, 1);
  await passBlocks(held, 4);
  expect(held.evm.balance(address, "USDC")).toBe(0n);
  expect(await differences()).toEqual([]);
});

test("a drift raises an alarm with the next daily comparison, and says what to do", async () => {
  const { world, evm } = held;
  const runner = reconciliationRunner(contextOf());
  expect(await runner.run()).toBe(1);
  evm.give(keys.hot.address, "USDC", -1n);
  await passBlocks(held, 4);
  expect(await runner.run()).toBe(0);
  world.clock.advance(day);
  expect(await runner.run()).toBe(1);
  const alarm = world.lines.at(-1);
  expect(alarm).toContain("switch payouts off (kill switch `payouts`)");
  expect(alarm).toContain("account:hot:USDC.base");
  const all = { subject, isOk: undefined, limit: 10, after: undefined };
  const reports = await listReports(world.db, all);
  expect(reports.map(({ isOk }) => isOk)).toEqual([false, true]);
  evm.give(keys.hot.address, "USDC", 1n);
  await passBlocks(held, 4);
});

test("what is told while the books are compared makes nobody believe in a difference", async () => {
  const { world } = held;
  const books = evmBooks(held.context);
  let isFirst = true;
  const racing = {
    ...books,
    async balances() {
      const before = await books.balances();
      if (!isFirst) return before;
      isFirst = false;
      const second = await newDepositAddress(held, 2);
      held.evm.transfer({ from: stranger, to: second, symbol: "USDC", units: 100_000_000n });
      await passBlocks(held, 8);
      return before;
    },
  };
  expect(await differences(racing)).toEqual([]);
  expect(isFirst).toBe(false);
  const never = { ...books, balances: () => Promise.reject(new Error("no node answers")) };
  expect(await compareBooks(contextOf(never), [subject])).toEqual({
    findings: [],
    notCompared: [{ subject, reason: "no node answers" }],
  });
  const { reference } = await createPurchase(world);
  world.ports.tell(wireOf(world, [reference]));
  expect(await compareBooks(contextOf(), [subject])).toMatchObject({
    notCompared: [{ subject, reason: "there are news that have not been read" }],
  });
});
