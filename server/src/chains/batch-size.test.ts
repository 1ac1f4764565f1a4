import fc from "fast-check";
import { expect, test } from "vitest";
import { openBatchSize } from "./batch-size.ts";
import { RpcFailure } from "./rpc-failure.ts";

const refusal = new RpcFailure("broken", "no batches here", { refusesBatch: true });
const loss = new RpcFailure("broken", "the connection was cut");

test("a refused batch is halved at once, down to single requests", () => {
  const size = openBatchSize(100);
  const sizes = Array.from({ length: 8 }, () => {
    size.failed(size.most(), refusal);
    return size.most();
  });
  expect(sizes).toEqual([50, 25, 12, 6, 3, 1, 1, 1]);
});

test("a batch that was lost is halved only when the next is lost too", () => {
  const size = openBatchSize(100);
  size.failed(100, loss);
  size.answered(100);
  size.failed(100, loss);
  expect(size.most()).toBe(100);
  size.failed(100, loss);
  expect(size.most()).toBe(50);
});

test("what has nothing to do with the size changes nothing", () => {
  const size = openBatchSize(100);
  for (const kind of ["away", "limited", "missing", "wrong"] as const)
    for (let round = 0; round < 3; round++) size.failed(100, new RpcFailure(kind, "no"));
  expect(size.most()).toBe(100);
});

test("larger ones are tried again, ever more rarely", () => {
  const size = openBatchSize(100);
  const answersUntilGrowth = () => {
    const before = size.most();
    let answers = 0;
    while (size.most() === before) {
      size.answered(before);
      answers++;
    }
    return answers;
  };
  size.failed(100, refusal);
  expect(answersUntilGrowth()).toBe(64);
  size.failed(100, refusal);
  expect(answersUntilGrowth()).toBe(256);
});

test("whatever happens, there is room for one, and never for more than allowed", () => {
  const event = fc.record({ requests: fc.integer({ min: 1, max: 100 }), isLost: fc.boolean() });
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const size = openBatchSize(100);
      for (const { requests, isLost } of events) {
        if (isLost) size.failed(requests, loss);
        else size.answered(requests);
        expect(size.most()).toBeGreaterThanOrEqual(1);
        expect(size.most()).toBeLessThanOrEqual(100);
      }
    }),
  );
});
