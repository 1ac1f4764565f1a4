import fc from "fast-check";
import { expect, test } from "vitest";
import { manualClock } from "../../../../test/manual-clock.ts";
import type { EvmBlock, EvmNodes } from "./evm-nodes.ts";
import { finalBlock } from "./final-block.ts";
import type { Finality } from "./ramp-chain.ts";

const now = 1_000_000_000;

/** Asks for the final block of a chain whose blocks have these ages in seconds. */
async function finalOf(ages: readonly number[], finality: Finality): Promise<number | undefined> {
  const sorted = [...ages].sort((a, b) => b - a);
  const blocks = sorted.map((age, number): EvmBlock => {
    const hash = `0x${number}` as const;
    return { number, hash, parentHash: hash, time: now / 1_000 - age, baseFee: undefined };
  });
  const block: EvmNodes["block"] = async (which) =>
    blocks.at(typeof which === "number" ? which : { latest: -1, safe: -2, finalized: -3 }[which]);
  const nodes = { block } as EvmNodes;
  const context = { nodes, clock: manualClock(now), blockTime: (time: number) => time * 1_000 };
  return (await finalBlock(context, finality))?.number;
}

test("a tag is the node's to say", async () => {
  expect(await finalOf([5, 4, 3, 2], { rule: "tag", tag: "finalized" })).toBe(1);
  expect(await finalOf([5, 4, 3, 2], { rule: "tag", tag: "safe" })).toBe(2);
  expect(await finalOf([5], { rule: "tag", tag: "finalized" })).toBeUndefined();
});

test("a depth is counted from the newest block", async () => {
  expect(await finalOf([5, 4, 3, 2], { rule: "depth", blocks: 3 })).toBe(0);
  expect(await finalOf([5, 4, 3, 2], { rule: "depth", blocks: 1 })).toBe(2);
  expect(await finalOf([5, 4, 3, 2], { rule: "depth", blocks: 4 })).toBeUndefined();
  expect(await finalOf([], { rule: "depth", blocks: 1 })).toBeUndefined();
});

test("an age is found wherever it is", async () => {
  const age = fc.integer({ min: 0, max: 100 });
  await fc.assert(
    fc.asyncProperty(fc.array(age, { maxLength: 40 }), age, async (ages, seconds) => {
      const old = ages.filter((one) => one >= seconds).length;
      const expected = old === 0 ? undefined : old - 1;
      expect(await finalOf(ages, { rule: "age", ms: seconds * 1_000 })).toBe(expected);
    }),
  );
});
