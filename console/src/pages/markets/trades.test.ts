import type { CexTrade } from "@slipway/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeTrades } from "./trades.ts";

function trade(id: number): CexTrade {
  const timestamp = String(1_794_700_800_000 + Math.floor(id / 3));
  return { id: String(id), timestamp, price: 100, size: 1, cost: 100, side: "buy" };
}

test("however trades come, each is shown once, the newest first, and no more than there is room for", () => {
  const ids = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });
  fc.assert(
    fc.property(ids, ids, (known, told) => {
      const merged = mergeTrades(known.map(trade), told.map(trade), 20);
      const wanted = [...new Set([...known, ...told])].sort((one, other) => other - one);
      expect(merged.map(({ id }) => Number(id))).toEqual(wanted.slice(0, 20));
    }),
  );
});
