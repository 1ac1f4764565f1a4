import { describe, expect, test } from "vitest";
import {
  connect,
  eth,
  forgetChain,
  newDepositAddress,
  newEvm,
  stranger,
  toldBy,
  useEvmWorld,
} from "../../../../test/evm-world.ts";
import { day } from "../../../../test/ramp-world.ts";
import { sql } from "../../../database/sql.ts";
import { asCents, asUnits } from "../../../lib/money.ts";
import { newsReader } from "../../intake/news.ts";
import { type DepositContext, depositWatch } from "./deposit-watch.ts";
import { ownTransactionsWatch, prepareSender, reserveTransaction } from "./own-transactions.ts";

const held = useEvmWorld();
let lastIndex = 0;

/** Begins anew on another chain. Returns an address that waits for a deposit. */
async function begin(): Promise<`0x${string}`> {
  const { world, context } = held;
  await forgetChain(world.db);
  held.evm = newEvm(world);
  context.nodes = held.evm.nodes;
  const address = await newDepositAddress(held, ++lastIndex);
  await watch();
  return address;
}

/** Lets the watch look until it has seen everything. */
async function watch(context: DepositContext = held.context): Promise<void> {
  held.world.clock.advance(60_000);
  while ((await depositWatch(context).run()) > 0);
}

const kinds = async () => (await toldBy(held)).map(({ kind }) => kind);

const cursor = async () =>
  (
    await held.world.db.query(sql`select next_block::int as next, final_block::int as final
    from chain_cursors`)
  )[0];

describe("a deposit", () => {
  test("is told when a block has it, and again when that is for good", async () => {
    const to = await begin();
    const { evm } = held;
    const hash = evm.transfer({ from: stranger, to, symbol: "USDC", units: 5_000_000n });
    evm.mine();
    await watch();
    const facts = {
      ...{ blockchain: "base", transactionHash: hash, logIndex: 0, currency: "USDC" },
      ...{ units: 5_000_000n, blockTime: evm.head().time * 1_000 },
    };
    expect(await toldBy(held)).toMatchObject([{ kind: "deposit_seen", ...facts }]);
    evm.mine(4);
    await watch();
    expect(await kinds()).toEqual(["deposit_seen"]);
    evm.mine();
    await watch();
    expect(await toldBy(held)).toMatchObject([{}, { kind: "deposit_final", ...facts }]);
    expect(await cursor()).toEqual({ next: evm.head().number + 1, final: evm.head().number - 5 });
  });

  test("of nothing, to somebody else or after 90 days is none", async () => {
    const to = await begin();
    const { evm, world } = held;
    evm.transfer({ from: stranger, to, symbol: "USDC", units: 0n });
    evm.transfer({ from: stranger, to: stranger, symbol: "USDC", units: 1n });
    const createdAt = world.clock.now() - 91 * day;
    const old = await newDepositAddress(held, ++lastIndex, { createdAt });
    evm.transfer({ from: stranger, to: old, symbol: "USDC", units: 1n });
    evm.mine(7);
    await watch();
    expect(await toldBy(held)).toEqual([]);
  });

  test("is taken back when the chain drops its block, and told anew when another has it", async () => {
    const to = await begin();
    const { evm } = held;
    evm.transfer({ from: stranger, to, symbol: "ETH", units: 7n });
    evm.mine();
    await watch();
    evm.reorganise(1, () => false);
    evm.mine(2);
    await watch();
    expect(await kinds()).toEqual(["deposit_seen", "deposit_gone"]);
    const hash = evm.transfer({ from: stranger, to, symbol: "ETH", units: 8n });
    evm.mine();
    await watch();
    evm.reorganise(1);
    evm.mine(6);
    await watch();
    const told = (await toldBy(held)).slice(2);
    expect(told.map(({ kind }) => kind)).toEqual(["deposit_seen", "deposit_seen", "deposit_final"]);
    const times = told.map(({ at }) => at);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(told).toEqual(Array(3).fill(expect.objectContaining({ transactionHash: hash })));
  });

  test("is not gone because a node is late", async () => {
    const to = await begin();
    const { evm, context } = held;
    evm.transfer({ from: stranger, to, symbol: "ETH", units: 7n });
    evm.mine(2);
    await watch();
    const late = evm.head().number - 2;
    const block = (which: number | string) =>
      evm.nodes.block(typeof which === "number" && which <= late ? which : late);
    await watch({ ...context, nodes: { ...evm.nodes, block } });
    expect(await kinds()).toEqual(["deposit_seen"]);
  });

  test("that was final and is taken back all the same is told, and an error", async () => {
    const to = await begin();
    const { evm, world } = held;
    evm.transfer({ from: stranger, to, symbol: "USDC", units: 5n });
    evm.mine(20);
    await watch();
    world.lines.length = 0;
    evm.reorganise(20, () => false);
    evm.mine(22);
    await watch();
    expect(await kinds()).toEqual(["deposit_seen", "deposit_final", "deposit_gone"]);
    expect(world.lines.join()).toContain("takes back a deposit that it had called final");
    expect(await cursor()).toMatchObject({ final: evm.head().number - 5 });
  });

  test("that was final and gets another number in another block is not told twice", async () => {
    const to = await begin();
    const { evm } = held;
    const other = { from: stranger, to: stranger, symbol: "USDC", units: 1n };
    const hash = evm.transfer({ ...other, to, units: 5n });
    evm.mine(20);
    await watch();
    connect(held);
    await newsReader(held.world.context).run();
    const numbers = () =>
      evm
        .transfers()
        .flatMap(({ transfer }) => (transfer.transactionHash === hash ? [transfer.logIndex] : []));
    evm.transfer(other);
    evm.reorganise(20);
    evm.mine(21);
    await watch();
    expect(numbers()).toEqual([1]);
    expect(await kinds()).toEqual(["deposit_seen", "deposit_final"]);

    // The chain is without it for a while.
    evm.withheld.add(hash);
    evm.reorganise(21);
    evm.mine(30);
    await watch();
    expect(await kinds()).toEqual(["deposit_seen", "deposit_final", "deposit_gone"]);
    evm.withheld.clear();
    evm.mine();
    evm.transfer(other);
    evm.reorganise(1);
    evm.mine(20);
    await watch();
    expect(numbers()).toEqual([1]);
    expect(await kinds()).toEqual(["deposit_seen", "deposit_final", "deposit_gone"]);
    const rows = await held.world.db.query(sql`select state, log_index from chain_deposits`);
    expect(rows).toEqual([{ state: "final", log_index: 0 }]);
  });

  test("that the nodes deny when it should become final stays as it is", async () => {
    const to = await begin();
    const { evm, context, world } = held;
    evm.transfer({ from: stranger, to, symbol: "USDC", units: 5n });
    evm.mine(1);
    await watch();
    evm.mine(9);
    const before = await cursor();
    await watch({ ...context, nodes: { ...evm.nodes, transfers: async () => [] } });
    expect(await kinds()).toEqual(["deposit_seen"]);
    expect(world.lines.join()).toContain("no longer tell of a deposit");
    expect(await cursor()).toMatchObject({ final: (before as { final: number }).final });
    await watch();
    expect(await kinds()).toEqual(["deposit_seen", "deposit_final"]);
  });

  test("that is small is final earlier; one without a price is not small", async () => {
    const to = await begin();
    const { evm, context } = held;
    const finality = { rule: "depth", blocks: 1 } as const;
    const chain = { ...context.chain, smallDeposits: { belowCents: asCents(1_00n), finality } };
    const worthCents: DepositContext["worthCents"] = (currency, units) =>
      currency === "USDC" ? context.worthCents(currency, units) : undefined;
    for (const [symbol, units] of [
      ["USDC", 999_999n],
      ["USDC", 1_000_000n],
      ["ETH", 1n],
    ] as const)
      evm.transfer({ from: stranger, to, symbol, units });
    const last = evm.head().number;
    evm.mine(2);
    await watch({ ...context, chain, worthCents });
    const told = await toldBy(held);
    expect(told.filter(({ kind }) => kind === "deposit_final")).toMatchObject([
      { units: 999_999n },
    ]);
    expect(await cursor()).toMatchObject({ next: last + 3, final: 0 });
  });

  test("by age is due when it is old enough", async () => {
    const to = await begin();
    const { evm, context, world } = held;
    const chain = { ...context.chain, finality: { rule: "age", ms: 3_600_000 } as const };
    const blockTime = () => world.clock.now();
    evm.transfer({ from: stranger, to, symbol: "USDC", units: 5n });
    evm.mine();
    await watch({ ...context, chain, blockTime });
    const [row] = await world.db.query<{ dueAt: Date }>(sql`
      select due_at as "dueAt" from chain_deposits where state = 'seen'`);
    expect(row?.dueAt.getTime()).toBe(world.clock.now() + 3_600_000);
  });
});

describe("what the hot wallet sends to a deposit address", () => {
  test("is no deposit when it is gas, and one when it is paid out", async () => {
    const to = await begin();
    const { evm, context, world } = held;
    const sender = context.chain.hotWallet;
    await prepareSender(context, sender);
    const call = { to, value: 1_000n, data: "0x" } as const;
    await world.db.transact((tx) =>
      reserveTransaction(tx, context, {
        ...{ purpose: "gas", sender, address: to, depositIndex: lastIndex, call },
        ...{ currency: eth.symbol, units: asUnits(1_000n), gasLimit: 21_000n },
      }),
    );
    await ownTransactionsWatch(context).run();
    evm.transfer({ from: sender, to, symbol: "USDC", units: 5n });
    evm.mine();
    expect(evm.balance(to, "ETH")).toBe(1_000n);
    await watch();
    expect(await toldBy(held)).toMatchObject([{ kind: "deposit_seen", units: 5n }]);

    // The chain is not settled up to a block with a transaction of ours that has not been told.
    const before = await cursor();
    evm.mine(10);
    await watch();
    expect(await cursor()).toMatchObject({ final: (before as { final: number }).final });
    await ownTransactionsWatch(context).run();
    await watch();
    expect(await cursor()).toMatchObject({ final: evm.head().number - 5 });
    expect(await kinds()).toEqual(["deposit_seen", "deposit_final", "own_transfer"]);
  });
});

describe("the watch", () => {
  test("begins at the newest block that is for good, or where the oldest address was given out", async () => {
    const to = await begin();
    const { evm, world, context } = held;
    await world.db.query(sql`update ramp_transactions set created_at = '2020-01-01'`);
    await forgetChain(world.db);
    evm.transfer({ from: stranger, to, symbol: "USDC", units: 5n });
    evm.mine(30);
    await depositWatch(context).run();
    expect(await cursor()).toEqual({ next: evm.head().number - 4, final: evm.head().number - 5 });
    await forgetChain(world.db);
    const second = await evm.nodes.block(2);
    const createdAt = new Date((second?.time ?? 0) * 1_000);
    await world.db.query(sql`
      update ramp_transactions set created_at = ${createdAt} where lower(deposit_address) = ${to}`);
    await depositWatch(context).run();
    expect(await cursor()).toEqual({ next: 2, final: 1 });
    await watch();
    expect(await kinds()).toEqual(["deposit_seen", "deposit_final"]);
  });

  test("begins when the chain has a block for good, and is not upset when what came after is replaced", async () => {
    const to = await begin();
    const { evm, context, world } = held;
    await forgetChain(world.db);
    world.lines.length = 0;
    evm.transfer({ from: stranger, to, symbol: "USDC", units: 5n });
    evm.mine(3);
    const block: typeof evm.nodes.block = async (which) =>
      which === "finalized" ? undefined : evm.nodes.block(which);
    await watch({ ...context, nodes: { ...evm.nodes, block } });
    expect(await cursor()).toBeUndefined();
    await watch();
    evm.reorganise(3);
    evm.mine(9);
    await watch();
    expect((await kinds()).at(-1)).toBe("deposit_final");
    expect(await cursor()).toMatchObject({ final: evm.head().number - 5 });
    expect(world.lines).toEqual([]);
  });

  test("is not done with a block that is replaced while it looks", async () => {
    const to = await begin();
    const { evm, context, world } = held;
    world.lines.length = 0;
    evm.mine(10);
    const block: typeof evm.nodes.block = async (which) => {
      if (which === "finalized" && evm.waiting().length === 0) {
        evm.reorganise(3);
        evm.transfer({ from: stranger, to, symbol: "USDC", units: 5n });
        evm.mine(10);
      }
      return evm.nodes.block(which);
    };
    const looked = evm.head().number;
    world.clock.advance(60_000);
    await depositWatch({ ...context, nodes: { ...evm.nodes, block } }).run();
    expect(await cursor()).toMatchObject({ next: looked + 1, final: 0 });
    await watch();
    expect(await kinds()).toEqual(["deposit_seen", "deposit_final"]);
    expect(await cursor()).toMatchObject({ final: evm.head().number - 5 });
    expect(world.lines).toEqual([]);
  });

  test("waits for its turn, and takes as long as it needs", async () => {
    await begin();
    const { evm, context, world } = held;
    evm.mine(120);
    expect(await depositWatch(context).run()).toBe(0);
    world.clock.advance(context.chain.pollMs);
    expect(await depositWatch(context).run()).toBe(50);
    expect(await depositWatch(context).run()).toBe(50);
    expect(await depositWatch(context).run()).toBe(20);
    expect(await depositWatch(context).run()).toBe(0);
  });

  test("changes nothing while nodes disagree", async () => {
    const to = await begin();
    const { evm, world } = held;
    evm.transfer({ from: stranger, to, symbol: "USDC", units: 5n });
    evm.mine(9);
    const before = await cursor();
    for (const failing of ["block", "transfers"] as const) {
      evm.onAsk = (method) => {
        if (method === failing) throw new Error("the nodes do not agree");
      };
      await watch();
      expect(await cursor()).toEqual(before);
    }
    evm.onAsk = undefined;
    expect(world.lines.join()).toContain("could not be looked through");
    await watch();
    expect(await kinds()).toEqual(["deposit_seen", "deposit_final"]);
  });

  test("of several workers tells everything once", async () => {
    const to = await begin();
    const { evm, context, world } = held;
    for (let count = 0; count < 10; count++) {
      evm.transfer({ from: stranger, to, symbol: "USDC", units: 5n });
      evm.mine();
    }
    evm.mine(5);
    world.clock.advance(60_000);
    // Every look at the clock outlasts a lease: all are at it at the same time.
    const now = () => {
      world.clock.advance(61_000);
      return world.clock.now();
    };
    const freely = { ...context, clock: { ...world.clock, now } };
    const workers = Array.from({ length: 3 }, async () => {
      for (let rounds = 0; rounds < 10; rounds++) await depositWatch(freely).run();
    });
    await Promise.all(workers);
    const told = await kinds();
    expect(told.filter((kind) => kind === "deposit_seen")).toHaveLength(10);
    expect(told.filter((kind) => kind === "deposit_final")).toHaveLength(10);
  });
});
