import { describe, expect, test } from "vitest";
import {
  balanceOf,
  dollar,
  ether,
  hotWallet,
  newPayout,
  pass,
  sentRows,
  toldBy,
  useEvmScene,
} from "../../../../test/evm-scene.ts";
import { assert } from "../../../lib/errors.ts";
import { asUnits } from "../../../lib/money.ts";
import type { PayoutRail, Submission } from "../../ports.ts";
import { type EvmContext, evmRail, railByBlockchain } from "./chain-rail.ts";
import type { PayoutLimits } from "./ramp-chain.ts";

const scene = useEvmScene();

function traceOf(submission: Submission | undefined): string {
  assert(submission?.outcome === "accepted", "the payout was taken");
  return submission.trace;
}

/** The same, with limits for a token. */
function limited(symbol: string, limits: Partial<PayoutLimits>): EvmContext {
  const some = { floor: asUnits(0n), perPayout: undefined, perDay: undefined, ...limits };
  return { ...scene.context, chain: { ...scene.context.chain, limits: { [symbol]: some } } };
}

describe("a payout", () => {
  test.each([
    ["a token", dollar, 123_456_789n],
    ["the chain's own coin", ether, 1_234_567_890_123_456_789n],
  ])("of %s arrives to the unit, and is told when it is for good", async (_, token, units) => {
    const payout = await newPayout(scene, { token, units });
    const before = await balanceOf(scene, hotWallet, ether);
    const trace = traceOf(await evmRail(scene.context).submit(payout));
    expect(await balanceOf(scene, payout.to, token)).toBe(units);
    await pass(scene, 2);
    expect(await toldBy(scene)).toEqual([]);
    expect(await sentRows(scene)).toMatchObject([{ state: "mined", hash: trace }]);
    await pass(scene, 1);
    const at = scene.clock.now();
    const paid = before - (await balanceOf(scene, hotWallet, ether));
    const gas = token === ether ? paid - units : paid;
    expect(gas).toBeGreaterThan(0n);
    expect(await toldBy(scene)).toEqual([
      { kind: "payout_settled", reference: payout.reference, trace, at },
      {
        ...{ kind: "own_transfer", blockchain: "ethereum", transactionHash: trace, at },
        moves: [{ currency: "ETH", units: gas, from: "hot", to: "gas" }],
      },
    ]);
    await pass(scene, 5);
    expect(await toldBy(scene)).toHaveLength(2);
    expect(await sentRows(scene)).toMatchObject([{ state: "final", attempts: 1 }]);
  });

  test("that is told again is not made again", async () => {
    const payout = await newPayout(scene);
    const rail = evmRail(scene.context);
    expect(await rail.find(payout.reference)).toBeUndefined();
    const first = await rail.submit(payout);
    expect(await rail.submit(payout)).toEqual(first);
    expect(await rail.find(payout.reference)).toEqual(first);
    expect(await balanceOf(scene, payout.to)).toBe(payout.units);
    expect(await sentRows(scene)).toHaveLength(1);
  });

  test("that the chain reverts has failed, and costs gas all the same", async () => {
    const { nodes } = scene.context;
    const units = (await balanceOf(scene, hotWallet)) + 1n;
    // As if somebody took the tokens between our questions and the block.
    const hopeful: EvmContext = {
      ...scene.context,
      nodes: { ...nodes, balance: async () => 10n ** 30n, estimateGas: async () => 60_000n },
    };
    const payout = await newPayout(scene, { units });
    const transactionHash = traceOf(await evmRail(hopeful).submit(payout));
    await pass(scene, 3);
    const receipt = await nodes.receipt(transactionHash as `0x${string}`);
    const at = scene.clock.now();
    expect(await toldBy(scene)).toEqual([
      ...[
        {
          kind: "payout_failed",
          reference: payout.reference,
          why: "the transfer was reverted",
          at,
        },
      ],
      {
        ...{ kind: "own_transfer", blockchain: "ethereum", transactionHash, at },
        moves: [{ currency: "ETH", units: receipt?.gasPaid, from: "hot", to: "gas" }],
      },
    ]);
    expect(await balanceOf(scene, payout.to)).toBe(0n);
    expect(await sentRows(scene)).toMatchObject([{ state: "failed" }]);
  });

  test("of many at once each gets its own nonce, without a gap", async () => {
    const payouts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => newPayout(scene, { units: BigInt(index + 1) })),
    );
    const first = await scene.context.nodes.nonce(hotWallet, "latest");
    const rail = evmRail(scene.context);
    await Promise.all(payouts.flatMap((payout) => [rail.submit(payout), rail.submit(payout)]));
    const nonces = (await sentRows(scene)).map(({ nonce }) => nonce);
    expect(nonces).toEqual(payouts.map((_, index) => first + index));
    await pass(scene, 4);
    expect(await scene.context.nodes.nonce(hotWallet, "latest")).toBe(first + 20);
    for (const { to, units } of payouts) expect(await balanceOf(scene, to)).toBe(units);
    expect((await toldBy(scene)).filter(({ kind }) => kind === "payout_settled")).toHaveLength(20);
  });
});

describe("a payout is refused for good", () => {
  test.each<[why: string, to: string, words: string]>([
    ["to nobody", `0x${"0".repeat(40)}`, "the receiver is the zero address"],
    ["to ourselves", hotWallet.toUpperCase().replace("X", "x"), "our own hot wallet"],
    ["to a token", dollar.contract ?? "", "the contract of USDC"],
    ["to what is no address", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "no address"],
  ])("%s", async (_, to, words) => {
    const submission = await evmRail(scene.context).submit(await newPayout(scene, { to }));
    expect(submission).toEqual({ outcome: "refused", why: expect.stringContaining(words) });
    expect(await sentRows(scene)).toEqual([]);
  });

  test("above the limit of one payout, and not at it", async () => {
    const context = limited("USDC", { perPayout: asUnits(25_000_000n) });
    const over = await newPayout(scene, { units: 25_000_001n });
    expect(await evmRail(context).submit(over)).toEqual({
      outcome: "refused",
      why: "25.000001 USDC is more than the 25 USDC that may go out at once",
    });
    const at = await newPayout(scene, { units: 25_000_000n });
    expect(await evmRail(context).submit(at)).toMatchObject({ outcome: "accepted" });
  });
});

describe("a payout waits, and nothing is reserved", () => {
  test("when more would go out within a day than may", async () => {
    const rail = evmRail(limited("USDC", { perDay: asUnits(60_000_000n) }));
    await rail.submit(await newPayout(scene, { units: 25_000_000n }));
    await rail.submit(await newPayout(scene, { units: 35_000_000n }));
    const more = await newPayout(scene, { units: 1n });
    await expect(rail.submit(more)).rejects.toThrow("0.000001 USDC has to wait");
    await expect(
      rail.submit(await newPayout(scene, { token: ether, units: 1n })),
    ).resolves.toMatchObject({ outcome: "accepted" });
    expect(await sentRows(scene)).toHaveLength(3);
    scene.clock.advance(86_400_000);
    expect(await rail.submit(more)).toMatchObject({ outcome: "accepted" });
  });

  test("when two together would, and they come at once", async () => {
    const rail = evmRail(limited("USDC", { perDay: asUnits(30_000_000n) }));
    const payouts = [await newPayout(scene), await newPayout(scene), await newPayout(scene)];
    const outcomes = await Promise.allSettled(payouts.map((payout) => rail.submit(payout)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(await sentRows(scene)).toHaveLength(1);
  });

  test("when less than the floor would be left", async () => {
    const floor = asUnits((await balanceOf(scene, hotWallet)) - 30_000_000n);
    const rail = evmRail(limited("USDC", { floor }));
    await expect(rail.submit(await newPayout(scene, { units: 30_000_001n }))).rejects.toThrow(
      "fill it up",
    );
    expect(await rail.submit(await newPayout(scene, { units: 30_000_000n }))).toMatchObject({
      outcome: "accepted",
    });
  });

  test("when what is under way takes the rest", async () => {
    const { nodes } = scene.context;
    const rail = evmRail({ ...scene.context, nodes: { ...nodes, send: async () => {} } });
    const units = await balanceOf(scene, hotWallet);
    const lots = await newPayout(scene, { units: units - 1n });
    expect(await rail.submit(lots)).toMatchObject({ outcome: "accepted" });
    await expect(rail.submit(await newPayout(scene, { units: 2n }))).rejects.toThrow("fill it up");
    await evmRail(scene.context).submit(await newPayout(scene, { units: 1n }));
    await pass(scene, 3);
    expect(await balanceOf(scene, lots.to)).toBe(units - 1n);
    expect(await balanceOf(scene, hotWallet)).toBe(0n);
  });

  test("when there is no coin for the gas", async () => {
    await scene.chain.request("hardhat_setBalance", [hotWallet, "0x1000"]);
    const rail = evmRail(scene.context);
    await expect(rail.submit(await newPayout(scene))).rejects.toThrow(/0\.0\d+ ETH.*fill it up/);
    expect(await sentRows(scene)).toEqual([]);
  });

  test("when the receiver is a contract that does things at our cost", async () => {
    const nodes = { ...scene.context.nodes, estimateGas: async () => 500_001n };
    const rail = evmRail({ ...scene.context, nodes });
    await expect(rail.submit(await newPayout(scene))).rejects.toThrow("more than 500000");
    expect(await sentRows(scene)).toEqual([]);
  });

  test("when the key is missing, or another's", async () => {
    const { keys } = scene.context;
    const other = keys?.deposit(1);
    assert(keys && other, "there are keys");
    const payout = await newPayout(scene);
    const without = evmRail({ ...scene.context, keys: undefined });
    await expect(without.submit(payout)).rejects.toThrow("There is no key for 0x");
    const wrong = evmRail({ ...scene.context, keys: { ...keys, hot: other } });
    await expect(wrong.submit(payout)).rejects.toThrow(`is of ${other.address}`);
    const liar = { ...keys.hot, sign: other.sign };
    await expect(
      evmRail({ ...scene.context, keys: { ...keys, hot: liar } }).submit(payout),
    ).rejects.toThrow("A signer signed for");
    expect(await sentRows(scene)).toMatchObject([{ state: "reserved", attempts: 0 }]);
  });
});

describe("one rail for all blockchains", () => {
  test("hands a payout to that of its token, and finds it wherever it is", async () => {
    const asked: string[] = [];
    const accepted = { outcome: "accepted", trace: "solana" } as const;
    const elsewhere: PayoutRail = {
      async submit({ reference }) {
        asked.push(reference);
        return accepted;
      },
      find: async (reference) => (asked.includes(reference) ? accepted : undefined),
    };
    const rail = railByBlockchain({ ethereum: evmRail(scene.context), solana: elsewhere });
    const here = await newPayout(scene);
    const there = await newPayout(scene);
    const submission = await rail.submit(here);
    expect(asked).toEqual([]);
    expect(await rail.find(here.reference)).toEqual(submission);
    const token = { ...there.token, blockchain: "solana" };
    expect(await rail.find(there.reference)).toBeUndefined();
    expect(await rail.submit({ ...there, token })).toEqual(accepted);
    expect(await rail.find(there.reference)).toEqual(accepted);
    await expect(
      rail.submit({ ...there, token: { ...token, blockchain: "base" } }),
    ).rejects.toThrow("No money can be moved on base");
  });
});
