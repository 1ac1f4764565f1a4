import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cappedFees, networkFees, raisedFees } from "./fees.ts";

const gwei = 10n ** 9n;
const fee = fc.bigInt(0n, 1_000n * gwei);
const fees = fc
  .tuple(fee, fee)
  .map(([base, priorityFee]) => ({ maxFee: 2n * base + priorityFee, priorityFee }));

describe("what the network takes", () => {
  test("has room for a base fee that doubles", () => {
    expect(networkFees(30n * gwei, [gwei])).toEqual({ maxFee: 61n * gwei, priorityFee: gwei });
  });

  test("is not what a single odd node says", () => {
    const honest = networkFees(gwei, [gwei, gwei, gwei]);
    expect(networkFees(gwei, [gwei, 10n ** 18n, gwei])).toEqual(honest);
    expect(networkFees(gwei, [0n, gwei, gwei])).toEqual(honest);
    expect(networkFees(gwei, [10n ** 18n, gwei])).toEqual(honest);
  });

  test("never empties the wallet, even if all nodes want that", () => {
    expect(networkFees(gwei, [10n ** 18n]).priorityFee).toBe(50n * gwei);
    expect(networkFees(100n * gwei, [10n ** 18n]).priorityFee).toBe(300n * gwei);
  });
});

describe("a higher offer", () => {
  test("is an eighth more in both parts, at least the network's, and possible", () => {
    fc.assert(
      fc.property(fees, fees, (offered, network) => {
        const more = raisedFees(offered, network);
        expect(more === undefined).toBe(offered.maxFee >= 4n * network.maxFee);
        if (!more) return;
        for (const part of ["maxFee", "priorityFee"] as const) {
          expect(more[part]).toBeGreaterThan(offered[part]);
          expect(more[part] * 8n).toBeGreaterThanOrEqual(offered[part] * 9n);
          expect(more[part]).toBeGreaterThanOrEqual(network[part]);
        }
        expect(more.maxFee).toBeGreaterThanOrEqual(more.priorityFee);
      }),
    );
  });

  test("is no more than the sender can pay, and none when that is less than an eighth more", () => {
    fc.assert(
      fc.property(fees, fees, fee, (offered, network, most) => {
        const free = raisedFees(offered, network);
        const more = raisedFees(offered, network, most);
        const canPay = most > offered.maxFee && most * 8n >= offered.maxFee * 9n;
        expect(more === undefined).toBe(!free || !canPay);
        if (!free || !more) return;
        expect(more).toEqual(cappedFees(free, most));
        expect(more.maxFee).toBeLessThanOrEqual(most);
        expect(more.maxFee).toBeGreaterThanOrEqual(more.priorityFee);
        for (const part of ["maxFee", "priorityFee"] as const) {
          expect(more[part]).toBeGreaterThan(offered[part]);
          expect(more[part] * 8n).toBeGreaterThanOrEqual(offered[part] * 9n);
        }
      }),
    );
  });

  test("ends when the fee cannot be the reason", () => {
    const network = { maxFee: 61n * gwei, priorityFee: gwei };
    let offered = network;
    let count = 0;
    for (let more = raisedFees(offered, network); more; more = raisedFees(offered, network)) {
      offered = more;
      count++;
    }
    expect(count).toBe(12);
    expect(offered.maxFee).toBeLessThan(5n * network.maxFee);
  });
});
