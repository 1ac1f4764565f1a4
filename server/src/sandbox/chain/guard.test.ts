import { describe, expect, test } from "vitest";
import { guarded } from "./guard.ts";

describe("what the engine could not take", () => {
  test("a range of blocks ends soon after the head, and the rest of a filter stays", () => {
    const filter = { fromBlock: "0x1", toBlock: "0xffffffffffffffff", topics: [null] };
    expect(guarded("eth_getLogs", [filter], 24)).toEqual([{ ...filter, toBlock: "0x400" }]);
    expect(guarded("eth_newFilter", [{ fromBlock: "0xfffff" }], 24)).toEqual([
      { fromBlock: "0x400" },
    ]);
  });

  test.each([
    ["eth_getLogs", [{ fromBlock: "0x1", toBlock: "latest" }]],
    ["eth_getLogs", [null]],
    ["eth_subscribe", ["newHeads"]],
    ["eth_call", [{ to: "0x01", gas: "0x5208" }, "latest"]],
    ["evm_mine", []],
    ["eth_getBlockByNumber", ["0xffffffffffffffff", true]],
  ])("%s %j stays as it is", (method, params) => {
    expect(guarded(method, params, 24)).toEqual(params);
  });

  test("a call gets no more gas than a transaction may have", () => {
    expect(guarded("eth_call", [{ gas: "0xffffffffff" }, "latest"], 24)).toEqual([
      { gas: "0x1000000" },
      "latest",
    ]);
  });

  test.each(["evm_mine", "evm_increaseTime", "evm_setNextBlockTimestamp"])(
    "%s is refused a time that nobody can add to",
    (method) => {
      expect(() => guarded(method, ["0xffffffffffffffff"], 24)).toThrow("The chain's time ends");
    },
  );
});
