import { describe, expect, test } from "vitest";
import { RpcError } from "./engine.ts";
import { type Answer, answerText } from "./rpc-calls.ts";

/** Repeats the method and the params, unless the method says otherwise. */
const echo: Answer = async (method, params) => {
  if (method === "refuse") throw new RpcError(-32004, "Not this.");
  if (method === "fail") throw new Error("a secret of the machine");
  if (method === "revert") {
    const data = { reason: { Revert: "0x08c3" }, data: "0x08c3", transactionHash: null };
    const message = "VM Exception while processing transaction: reverted with reason string 'STF'";
    return JSON.stringify({ error: { code: -32000, message, data } });
  }
  return JSON.stringify({ result: [method, ...params] });
};

const ask = async (text: string) => JSON.parse(await answerText(text, echo)) as unknown;
const version = { jsonrpc: "2.0" };

describe("JSON-RPC", () => {
  test.each<[string, unknown]>([
    ['{"id":1,"method":"a","params":[2]}', { ...version, id: 1, result: ["a", 2] }],
    ['{"id":"x","method":"a"}', { ...version, id: "x", result: ["a"] }],
    ['{"method":"a"}', { ...version, id: null, result: ["a"] }],
    ['{"id":{},"method":"a"}', { ...version, id: null, result: ["a"] }],
  ])("answers %s", async (text, answer) => {
    expect(await ask(text)).toEqual(answer);
  });

  test("answers a batch in its order, faults among the rest", async () => {
    expect(await ask('[{"id":1,"method":"a"},7,{"id":2,"method":"refuse"}]')).toEqual([
      { ...version, id: 1, result: ["a"] },
      { ...version, id: null, error: { code: -32600, message: expect.any(String) } },
      { ...version, id: 2, error: { code: -32004, message: "Not this." } },
    ]);
  });

  test.each<[number, string]>([
    [-32700, "nonsense"],
    [-32700, ""],
    [-32600, "[]"],
    [-32600, "null"],
    [-32600, '"eth_blockNumber"'],
    [-32600, '{"id":1}'],
    [-32600, '{"id":1,"method":5}'],
    [-32602, '{"id":1,"method":"a","params":{}}'],
    [-32602, '{"id":1,"method":"a","params":"b"}'],
    [-32600, JSON.stringify(Array.from({ length: 1_001 }, () => ({ id: 1, method: "a" })))],
  ])("%i for what makes no sense: %.40s", async (code, text) => {
    expect(await ask(text)).toMatchObject({ ...version, error: { code } });
  });

  test("keeps to itself what went wrong inside", async () => {
    const answer = await answerText('{"id":1,"method":"fail"}', echo);
    expect(JSON.parse(answer)).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(answer).not.toContain("secret");
  });

  test("tells of a revert in the words of geth", async () => {
    expect(await ask('{"id":1,"method":"revert"}')).toEqual({
      ...version,
      id: 1,
      error: { code: 3, message: "execution reverted: STF", data: "0x08c3" },
    });
  });
});
