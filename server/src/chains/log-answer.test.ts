import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressOf, hashOf, hex } from "../../test/fake-chain.ts";
import { type LogScope, readLogs, sameLogs } from "./log-answer.ts";
import { prepareFilter } from "./log-filter.ts";

const topic = hashOf("Swap");
const pool = addressOf("pool");
const filter = prepareFilter({ topics: [topic], addresses: [pool] }, 500);
const scope: LogScope = { from: 100, to: 200, filter };

type Wire = Record<string, unknown>;

const wire = (block: number, index: number, more: Wire = {}): Wire => ({
  address: pool,
  topics: [topic, hashOf("sender")],
  data: "0x0102",
  blockNumber: hex(block),
  blockHash: hashOf(`block ${block}`),
  blockTimestamp: hex(1_700_000_000 + block),
  transactionHash: hashOf(`transaction ${block} ${index}`),
  transactionIndex: "0x0",
  logIndex: hex(index),
  removed: false,
  ...more,
});

const places = (results: unknown[]) =>
  readLogs(results, scope).logs.map(({ block, index }) => [block, index]);

test("a log is what the node says, with numbers as numbers", () => {
  expect(readLogs([[wire(150, 7)]], scope)).toEqual({
    logs: [
      {
        block: 150,
        blockHash: hashOf("block 150"),
        time: 1_700_000_150,
        transactionHash: hashOf("transaction 150 7"),
        index: 7,
        address: pool,
        topics: [topic, hashOf("sender")],
        data: "0x0102",
      },
    ],
    isTimed: true,
    repeated: 0,
  });
});

test("capitals become small letters", () => {
  const shouted = JSON.parse(
    JSON.stringify(wire(150, 7)).replaceAll(/"0x[0-9a-f]{40,}"/g, (text) =>
      text.toUpperCase().replace("X", "x"),
    ),
  );
  expect(readLogs([[shouted]], scope)).toEqual(readLogs([[wire(150, 7)]], scope));
});

test("any order becomes the order of the chain, and repetitions are dropped", () => {
  const all = [100, 100, 103, 150, 200].flatMap((block, at) => wire(block, at));
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...all, ...all], { minLength: 10, maxLength: 10 }),
      (shuffled) => {
        expect(places([shuffled])).toEqual([
          [100, 0],
          [100, 1],
          [103, 2],
          [150, 3],
          [200, 4],
        ]);
        expect(readLogs([shuffled], scope).repeated).toBe(5);
      },
    ),
  );
});

test("several parts are one answer", () => {
  expect(places([[wire(100, 1)], [], [wire(100, 0), wire(101, 0)]])).toEqual([
    [100, 0],
    [100, 1],
    [101, 0],
  ]);
});

describe("times", () => {
  test.each([
    ["hex", hex(1_700_000_000), 1_700_000_000],
    ["a number", 1_700_000_000, 1_700_000_000],
  ])("are %s", (_, blockTimestamp, time) => {
    expect(readLogs([[wire(150, 0, { blockTimestamp })]], scope).logs[0]?.time).toBe(time);
  });

  test.each([[undefined], [null], ["0x0"]])("%j is none", (blockTimestamp) => {
    expect(readLogs([[wire(150, 0, { blockTimestamp })]], scope).isTimed).toBe(false);
  });
});

describe("an answer is worthless when", () => {
  test.each<[string, unknown]>([
    ["it is no list", { logs: [] }],
    ["it is null", null],
    ["a log is no object", ["log"]],
    ["a log was removed", [wire(150, 0, { removed: true })]],
    ["a log is before the range", [wire(99, 0)]],
    ["a log is after the range", [wire(201, 0)]],
    ["a log is of another contract", [wire(150, 0, { address: addressOf("other") })]],
    ["a log is another event", [wire(150, 0, { topics: [hashOf("Mint")] })]],
    ["a log has no topics", [wire(150, 0, { topics: [] })]],
    ["a log has five topics", [wire(150, 0, { topics: Array(5).fill(topic) })]],
    ["a topic is short", [wire(150, 0, { topics: [topic, "0x12"] })]],
    ["an address is short", [wire(150, 0, { address: "0x12" })]],
    ["data is no hex", [wire(150, 0, { data: "0xzz" })]],
    ["data is half a byte", [wire(150, 0, { data: "0x123" })]],
    ["a pending log is among them", [wire(150, 0, { blockHash: null, blockNumber: null })]],
    ["a number is negative", [wire(150, 0, { logIndex: -1 })]],
    ["two logs have the same place", [wire(150, 0), wire(150, 0, { data: "0x03" })]],
    [
      "two have it and are not neighbours",
      [wire(150, 0), wire(151, 0), wire(150, 0, { data: "0x" })],
    ],
    ["a block has two hashes", [wire(150, 0), wire(150, 1, { blockHash: hashOf("fork") })]],
    ["a hash has two blocks", [wire(150, 0), wire(151, 0, { blockHash: hashOf("block 150") })]],
    ["a block has two times", [wire(150, 0), wire(150, 1, { blockTimestamp: "0x1" })]],
    ["time runs backwards", [wire(150, 0), wire(151, 0, { blockTimestamp: "0x1" })]],
    ...["blockNumber", "blockHash", "transactionHash", "logIndex", "address", "topics", "data"].map(
      (field): [string, unknown] => [
        `${field} is missing`,
        [wire(150, 0), wire(150, 1, { [field]: undefined })],
      ],
    ),
  ])("%s", (_, result) => {
    expect(() => readLogs([result], scope)).toThrow(expect.objectContaining({ kind: "wrong" }));
  });
});

test("logs of one block must be of exactly that block, and have its time", () => {
  const block = { hash: hashOf("block 150"), time: 5 };
  const ofBlock = { ...scope, from: 150, to: 150, block };
  expect(readLogs([[wire(150, 0)]], ofBlock).logs[0]?.time).toBe(5);
  const other = [wire(150, 0, { blockHash: hashOf("fork") })];
  expect(() => readLogs([other], ofBlock)).toThrow("another block");
});

test("two answers are the same when every log is", () => {
  const read = (...logs: Wire[]) => readLogs([logs], scope).logs;
  expect(sameLogs(read(wire(150, 0)), read(wire(150, 0)))).toBe(true);
  expect(sameLogs(read(wire(150, 0)), read())).toBe(false);
  expect(sameLogs(read(wire(150, 0)), read(wire(150, 0, { data: "0x" })))).toBe(false);
  expect(sameLogs(read(wire(150, 0)), read(wire(150, 0, { topics: [topic] })))).toBe(false);
});

test("no input whatever makes reading fail in another way", () => {
  fc.assert(
    fc.property(fc.anything(), fc.dictionary(fc.string(), fc.anything()), (result, change) => {
      for (const given of [result, [result], [wire(150, 0, change)]]) {
        try {
          readLogs([given], scope);
        } catch (error) {
          expect(error).toMatchObject({ kind: "wrong" });
        }
      }
    }),
    { numRuns: 500 },
  );
});
