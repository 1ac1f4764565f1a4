import { describe, expect, test } from "vitest";
import WebSocket from "ws";
import { headOf, useSmallChains } from "../../../test/small-chain.ts";
import type { Hex } from "../../chains/hex.ts";
import { actors, tokens } from "./layout.ts";

const { open, openUntouched } = useSmallChains();

/** Posts a body and gives back the status and the answer. */
async function post(url: string, body: string): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(url, { method: "POST", body });
  return { status: response.status, answer: await response.json() };
}

describe("the server", () => {
  test("answers single calls and batches", async () => {
    const { url } = await openUntouched();
    const call = (id: number, method: string) => JSON.stringify({ jsonrpc: "2.0", id, method });
    expect(await post(url, call(1, "eth_chainId"))).toEqual({
      status: 200,
      answer: { jsonrpc: "2.0", id: 1, result: "0x1" },
    });
    const { answer } = await post(url, `[${call(1, "eth_chainId")},${call(2, "eth_syncing")}]`);
    expect(answer).toEqual([
      { jsonrpc: "2.0", id: 1, result: "0x1" },
      { jsonrpc: "2.0", id: 2, result: false },
    ]);
  });

  test("survives whatever it is sent", async () => {
    const { url } = await open();
    const calls = [
      "nonsense",
      '{"id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"0xffffffffffffffff"}]}',
      '{"id":1,"method":"evm_increaseTime","params":["0xffffffffffffffff"]}',
      '{"id":1,"method":"eth_getBlockByNumber","params":["zzz",false]}',
      '{"id":1,"method":"eth_sendRawTransaction","params":["0x02"]}',
      '{"id":1,"method":"eth_subscribe","params":["newHeads"]}',
      '{"id":1,"method":"no_such_method","params":[]}',
    ];
    for (const call of calls) {
      expect(await post(url, call)).toMatchObject({ status: 200, answer: { jsonrpc: "2.0" } });
    }
    expect((await fetch(url)).status).toBe(405);
    const tooLong = await fetch(url, { method: "POST", body: "x".repeat(11 * 2 ** 20) }).catch(
      () => undefined,
    );
    expect([413, undefined]).toContain(tooLong?.status);
    expect(await post(url, '{"id":1,"method":"eth_chainId"}')).toMatchObject({ status: 200 });
  });

  test("tells of a call that is reverted as other nodes do", async () => {
    const { url } = await openUntouched();
    const params = [{ to: tokens[1]?.address, data: "0x12345678" }, "latest"];
    const { answer } = await post(url, JSON.stringify({ id: 1, method: "eth_call", params }));
    expect(answer).toMatchObject({ error: { code: 3, message: "execution reverted" } });
  });

  test("tells subscribers of new heads, until they go", async () => {
    const chain = await open();
    const socket = new WebSocket(chain.url.replace("http", "ws"));
    const messages: unknown[] = [];
    socket.on("message", (data) => messages.push(JSON.parse(data.toString())));
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
    await expect.poll(() => messages).toEqual([{ jsonrpc: "2.0", id: 1, result: "0x1" }]);
    await chain.step(Number((await headOf(chain)).timestamp) + 1);
    const { hash } = await headOf(chain);
    await expect
      .poll(() => messages.at(-1))
      .toMatchObject({
        method: "eth_subscription",
        params: { subscription: "0x1", result: { hash } },
      });
    socket.close();
    await new Promise((resolve) => socket.once("close", resolve));
    await expect.poll(() => chain.request("eth_unsubscribe", ["0x1"])).toBe(false);
  });

  test("has accounts that anybody may use", async () => {
    const chain = await openUntouched();
    const accounts = await chain.request<Hex[]>("eth_accounts");
    expect(accounts).toEqual(actors.map(({ address }) => address));
  });
});
