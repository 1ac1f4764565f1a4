import { getAddress } from "viem";
import { describe, expect, test } from "vitest";
import {
  balanceOf,
  dollar,
  ether,
  hotWallet,
  mine,
  newAddress,
  newPayout,
  pass,
  sentRows,
  toldBy,
  useEvmScene,
} from "../../../../test/evm-scene.ts";
import type { Hex } from "../../../chains/hex.ts";
import type { Database } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import { assert } from "../../../lib/errors.ts";
import { traders } from "../../../sandbox/chain/layout.ts";
import { type EvmContext, evmRail } from "./chain-rail.ts";
import type { EvmCall, EvmNodes } from "./evm-nodes.ts";
import {
  type OwnTransaction,
  ownTransactionsWatch,
  prepareSender,
  reserveTransaction,
} from "./own-transactions.ts";

const scene = useEvmScene();

/** Hands nothing on to the chain, but keeps it. */
function withholding(): { context: EvmContext; kept: Hex[] } {
  const kept: Hex[] = [];
  const send = async (raw: Hex) => void kept.push(raw);
  return { context: { ...scene.context, nodes: { ...scene.context.nodes, send } }, kept };
}

/** The attempts of all transactions, oldest first. */
function attemptRows() {
  return scene.context.db.query<{ hash: Hex; raw: Hex; maxFee: string; priorityFee: string }>(sql`
    select hash, raw, max_fee as "maxFee", priority_fee as "priorityFee" from chain_attempts
    order by created_at, number`);
}

async function settledTraces(): Promise<(string | null)[]> {
  const told = await toldBy(scene);
  return told.flatMap((notice) => (notice.kind === "payout_settled" ? [notice.trace] : []));
}

describe("whoever dies at any step leaves a payout that is made once", () => {
  /** Dies at the given call to the database, the nodes or the signer: before it, or after it was done. */
  function mortal(at: number, isDone: boolean): { context: EvmContext; hasDied: () => boolean } {
    let calls = 0;
    const guarded =
      <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        const isDead = calls > at;
        const dies = calls++ === at;
        if (isDead || (dies && !isDone)) throw new Error("dead");
        const result = await call(...args);
        if (dies) throw new Error("dead");
        return result;
      };
    const { db, nodes, keys } = scene.context;
    assert(keys, "there are keys");
    const deadly = <Thing extends object>(thing: Thing): Thing =>
      new Proxy(thing, {
        get: (target, name) => {
          const value = Reflect.get(target, name);
          return typeof value === "function" ? guarded(value.bind(target)) : value;
        },
      });
    const context = {
      ...scene.context,
      db: deadly<Database>(db),
      nodes: deadly<EvmNodes>(nodes),
      keys: { ...keys, hot: deadly(keys.hot) },
    };
    return { context, hasDied: () => calls > at };
  }

  test.each([
    ["before", false],
    ["after", true],
  ])("%s it was done", async (_, isDone) => {
    for (let at = 0, isOver = false; !isOver; at++) {
      const { context, hasDied } = mortal(at, isDone);
      const payout = await newPayout(scene, { units: BigInt(at + 1) });
      await evmRail(context)
        .submit(payout)
        .catch(() => undefined);
      await mine(scene, 3);
      scene.clock.advance(61_000);
      await ownTransactionsWatch(context)
        .run()
        .catch(() => undefined);
      isOver = !hasDied();
      // The ramp asks before it tells again.
      const rail = evmRail(scene.context);
      if (!(await rail.find(payout.reference))) await rail.submit(payout);
      await pass(scene, 0);
      await pass(scene, 3);
      expect([at, await balanceOf(scene, payout.to)]).toEqual([at, payout.units]);
      const traces = await settledTraces();
      expect([at, traces.length, new Set(traces).size]).toEqual([at, at + 1, at + 1]);
      if (isOver) expect(at).toBeGreaterThan(20);
    }
    const rows = await sentRows(scene);
    expect(rows.every(({ state, attempts }) => state === "final" && attempts === 1)).toBe(true);
  });
});

describe("a transaction of ours", () => {
  test("that two look after at once is signed once and told once", async () => {
    const { context, kept } = withholding();
    const payouts = [await newPayout(scene), await newPayout(scene), await newPayout(scene)];
    const [one, two] = [evmRail(context), evmRail(context)];
    await Promise.all(payouts.flatMap((payout) => [one.submit(payout), two.submit(payout)]));
    const [first, second] = [
      ownTransactionsWatch(scene.context),
      ownTransactionsWatch(scene.context),
    ];
    for (let round = 0; round < 3; round++) {
      await mine(scene, 2);
      // Longer than a lease: both may have the same one.
      scene.clock.advance(61_000);
      await Promise.all([first.run(), second.run()]);
    }
    expect(new Set(kept).size).toBe(3);
    for (const { to, units } of payouts) expect(await balanceOf(scene, to)).toBe(units);
    expect(await settledTraces()).toHaveLength(3);
    expect(await toldBy(scene)).toHaveLength(6);
  });

  test("that was reserved and left is signed by the watch", async () => {
    const payout = await newPayout(scene);
    const sign = async () => Promise.reject(new Error("the signer is away"));
    const { keys } = scene.context;
    assert(keys, "there are keys");
    const rail = evmRail({ ...scene.context, keys: { ...keys, hot: { ...keys.hot, sign } } });
    await expect(rail.submit(payout)).rejects.toThrow("the signer is away");
    expect(await rail.find(payout.reference)).toBeUndefined();
    await pass(scene, 1);
    await pass(scene, 3);
    expect(await balanceOf(scene, payout.to)).toBe(payout.units);
    expect(await settledTraces()).toHaveLength(1);
  });

  test("waits for nodes that are away, and is sent with the same bytes", async () => {
    const away: EvmNodes = {
      ...scene.context.nodes,
      send: async () => Promise.reject(new Error("nobody there")),
    };
    const payout = await newPayout(scene);
    const submission = await evmRail({ ...scene.context, nodes: away }).submit(payout);
    expect(submission).toMatchObject({ outcome: "accepted" });
    expect(scene.lines.join()).toContain("the same bytes are sent again");
    const gone: EvmNodes = { ...away, block: async () => Promise.reject(new Error("nobody")) };
    scene.clock.advance(61_000);
    await ownTransactionsWatch({ ...scene.context, nodes: gone }).run();
    expect(await balanceOf(scene, payout.to)).toBe(0n);
    await pass(scene, 0);
    expect(await balanceOf(scene, payout.to)).toBe(payout.units);
    await pass(scene, 3);
    expect(await settledTraces()).toHaveLength(1);
    expect(await attemptRows()).toHaveLength(1);
  });

  test.each([0, 1])("that waits too long offers more, and form %d may win", async (winner) => {
    const { context, kept } = withholding();
    const payout = await newPayout(scene);
    await evmRail(context).submit(payout);
    for (let round = 0; round < 2; round++) {
      await mine(scene, 4);
      scene.clock.advance(61_000);
      await ownTransactionsWatch(context).run();
    }
    const forms = await attemptRows();
    expect(forms.length).toBe(3);
    expect(new Set(kept)).toEqual(new Set(forms.map(({ raw }) => raw)));
    for (const [index, form] of forms.slice(1).entries()) {
      const before = forms[index];
      for (const fee of ["maxFee", "priorityFee"] as const)
        expect(BigInt(form[fee]) * 8n).toBeGreaterThanOrEqual(BigInt(before?.[fee] ?? 0) * 9n);
    }
    const winning = forms[winner];
    assert(winning, "there is such a form");
    await scene.chain.request("eth_sendRawTransaction", [winning.raw]);
    await pass(scene, 3);
    expect(await balanceOf(scene, payout.to)).toBe(payout.units);
    expect(await settledTraces()).toEqual([winning.hash]);
    expect(await sentRows(scene)).toMatchObject([{ state: "final", hash: winning.hash }]);
  });

  test("that waits for one before it offers no more than it did", async () => {
    const { context } = withholding();
    const rail = evmRail(context);
    for (let count = 0; count < 3; count++) await rail.submit(await newPayout(scene));
    await mine(scene, 5);
    scene.clock.advance(61_000);
    await ownTransactionsWatch(context).run();
    expect((await sentRows(scene)).map(({ attempts }) => attempts)).toEqual([2, 1, 1]);
  });

  test("is sent in an older form when nobody takes the newest", async () => {
    const { context } = withholding();
    const payout = await newPayout(scene);
    await evmRail(context).submit(payout);
    await mine(scene, 4);
    scene.clock.advance(61_000);
    await ownTransactionsWatch(context).run();
    const [first, second] = await attemptRows();
    const { nodes } = scene.context;
    const send = (raw: Hex) =>
      raw === second?.raw ? Promise.reject(new Error("insufficient funds")) : nodes.send(raw);
    scene.clock.advance(61_000);
    await ownTransactionsWatch({ ...scene.context, nodes: { ...nodes, send } }).run();
    await pass(scene, 3);
    expect(await settledTraces()).toEqual([first?.hash]);
  });

  test("whose block is taken back is sent again with the same bytes", async () => {
    const before = await scene.chain.request<Hex>("evm_snapshot");
    const payout = await newPayout(scene);
    await evmRail(scene.context).submit(payout);
    await pass(scene, 1);
    expect(await sentRows(scene)).toMatchObject([{ state: "mined" }]);
    await scene.chain.request("evm_revert", [before]);
    await mine(scene, 1);
    expect(await balanceOf(scene, payout.to)).toBe(0n);
    await pass(scene, 0);
    expect(await sentRows(scene)).toMatchObject([{ state: "signed", attempts: 1 }]);
    expect(await balanceOf(scene, payout.to)).toBe(payout.units);
    expect(await toldBy(scene)).toEqual([]);
    await pass(scene, 3);
    expect(await balanceOf(scene, payout.to)).toBe(payout.units);
    expect(await settledTraces()).toHaveLength(1);
    expect(scene.lines.join()).toContain("not in the chain any more");
  });

  test("whose nonce somebody else used is never signed with another", async () => {
    const { context } = withholding();
    const payout = await newPayout(scene);
    await evmRail(context).submit(payout);
    const stolen = { from: hotWallet, to: newAddress(), value: "0x1" };
    await scene.chain.request("eth_sendTransaction", [stolen]);
    await pass(scene, 1);
    expect(scene.lines.join()).not.toContain("somebody else");
    await pass(scene, 3);
    expect(scene.lines.join()).toContain("the hot wallet is used by somebody else");
    const said = scene.lines.length;
    await pass(scene, 30);
    expect(scene.lines.length).toBe(said);
    scene.clock.advance(3_600_000);
    await pass(scene, 0);
    expect(scene.lines.length).toBeGreaterThan(said);
    expect(await sentRows(scene)).toMatchObject([{ state: "signed", attempts: 1 }]);
    expect(await balanceOf(scene, payout.to)).toBe(0n);
    expect(await toldBy(scene)).toEqual([]);
    // What comes after it goes on behind what the other sent.
    const next = await newPayout(scene);
    await evmRail(scene.context).submit(next);
    expect(await balanceOf(scene, next.to)).toBe(next.units);
  });

  test("in a block that has to grow old is looked at when it has", async () => {
    const chain = { ...scene.context.chain, finality: { rule: "age", ms: 600_000 } as const };
    const context = { ...scene.context, chain };
    await evmRail(context).submit(await newPayout(scene));
    const { time } = (await context.nodes.block("latest")) ?? { time: 0 };
    scene.clock.advance(time * 1_000 - scene.clock.now() + 2_000);
    await ownTransactionsWatch(context).run();
    const [row] = await context.db.query<{ dueAt: Date }>(
      sql`select due_at as "dueAt" from chain_transactions`,
    );
    expect(row?.dueAt.getTime()).toBe(time * 1_000 + 600_000);
    scene.clock.advance(597_999);
    expect(await ownTransactionsWatch(context).run()).toBe(0);
    scene.clock.advance(1);
    expect(await ownTransactionsWatch(context).run()).toBe(1);
    expect(await settledTraces()).toHaveLength(1);
  });
});

describe("what moves between our own addresses", () => {
  async function reserve(wanted: OwnTransaction): Promise<string> {
    await prepareSender(scene.context, getAddress(wanted.sender));
    return scene.context.db.transact((tx) => reserveTransaction(tx, scene.context, wanted));
  }

  test("is gas for a deposit address, then the deposit, each told with what it cost", async () => {
    const signer = scene.context.keys?.deposit(5);
    assert(signer, "there is a key");
    const { address } = signer;
    const gasUnits = 10n ** 16n;
    const give: EvmCall = { to: address, value: gasUnits, data: "0x" };
    const common = { address, depositIndex: 5 };
    const [, customer] = traders;
    assert(customer, "there are traders");
    const deposit = transferOf(customer.address, address, 700n);
    await scene.chain.request("eth_sendTransaction", [deposit]);
    const gasId = await reserve({
      ...{ ...common, purpose: "gas", sender: hotWallet, currency: "ETH", units: gasUnits },
      ...{ call: give, gasLimit: 21_000n },
    });
    await pass(scene, 0);
    await pass(scene, 3);
    expect(await balanceOf(scene, address, ether)).toBe(gasUnits);
    const sweep = transferOf(address, hotWallet, 700n);
    const sweepId = await reserve({
      ...{ ...common, purpose: "sweep", sender: address, currency: "USDC", units: 700n },
      ...{ call: { to: sweep.to, value: 0n, data: sweep.data }, gasLimit: 100_000n },
    });
    await pass(scene, 0);
    await pass(scene, 3);
    const left = await balanceOf(scene, address, ether);
    const rows = await sentRows(scene);
    const hashOf = (id: string) => rows.find((row) => row.id === id)?.hash ?? "0x";
    const gasCost = (await scene.context.nodes.receipt(hashOf(gasId)))?.gasPaid;
    expect(await balanceOf(scene, address)).toBe(0n);
    expect(await toldBy(scene)).toMatchObject([
      {
        ...{ kind: "own_transfer", transactionHash: hashOf(gasId) },
        moves: [
          { currency: "ETH", units: gasUnits, from: "hot", to: "unswept" },
          { currency: "ETH", units: gasCost, from: "hot", to: "gas" },
        ],
      },
      {
        ...{ kind: "own_transfer", transactionHash: hashOf(sweepId) },
        moves: [
          { currency: "USDC", units: 700n, from: "unswept", to: "hot" },
          { currency: "ETH", units: gasUnits - left, from: "unswept", to: "gas" },
        ],
      },
    ]);
  });

  test("and fails moves nothing but its cost", async () => {
    const call = transferOf(hotWallet, newAddress(), 2n ** 200n);
    await reserve({
      ...{ purpose: "gas", sender: hotWallet, address: newAddress(), depositIndex: 1 },
      ...{ currency: "USDC", units: 1n, call: { to: call.to, value: 0n, data: call.data } },
      gasLimit: 60_000n,
    });
    await pass(scene, 0);
    await pass(scene, 3);
    const told = await toldBy(scene);
    expect(told).toMatchObject([{ kind: "own_transfer", moves: [{ from: "hot", to: "gas" }] }]);
    expect(await sentRows(scene)).toMatchObject([{ state: "failed" }]);
  });

  test("cannot be reserved before its sender's nonce is known", async () => {
    const wanted: OwnTransaction = {
      ...{ purpose: "sweep", sender: newAddress(), address: newAddress(), depositIndex: 1 },
      ...{ currency: "ETH", units: 1n, gasLimit: 21_000n },
      call: { to: hotWallet, value: 1n, data: "0x" },
    };
    const reserving = scene.context.db.transact((tx) =>
      reserveTransaction(tx, scene.context, wanted),
    );
    await expect(reserving).rejects.toThrow("it is known which nonce");
  });
});

function transferOf(from: Hex, to: Hex, units: bigint): { from: Hex; to: Hex; data: Hex } {
  const word = (digits: string) => digits.padStart(64, "0");
  const data = `0xa9059cbb${word(to.slice(2))}${word(units.toString(16))}` as const;
  return { from, to: dollar.contract ?? "0x", data };
}
