import { join } from "node:path";
import {
  decodeFunctionResult,
  encodeFunctionData,
  keccak256,
  type RpcBlock,
  type RpcLog,
  type RpcTransactionReceipt,
  toEventSelector,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { manualClock } from "../../../test/manual-clock.ts";
import { temporaryFolder } from "../../../test/test-service.ts";
import type { Hex } from "../../chains/hex.ts";
import { factoryAbi } from "./contracts/abis.ts";
import { artifacts } from "./contracts/artifacts.ts";
import {
  actors,
  contracts,
  guest,
  poolCodeHash,
  pools,
  stablecoins,
  stablePool,
  tokens,
  traders,
  whitelist,
} from "./layout.ts";
import {
  type OpenSandboxChain,
  openSandboxChain,
  type Progress,
  type SandboxChainOptions,
} from "./open-sandbox-chain.ts";
import { sandboxDeployment } from "./sandbox-deployment.ts";

const opened: OpenSandboxChain[] = [];
afterEach(async () => {
  for (const chain of opened.splice(0)) await chain.close();
});

const small = {
  warn: (message: string) => expect.fail(message),
  seed: 7,
  history: { days: 2, swaps: 60 },
  live: false,
  port: 0,
};

/** A small chain with a complete history. */
async function openSmall(options: Partial<SandboxChainOptions> = {}): Promise<OpenSandboxChain> {
  const chain = await openSandboxChain({ ...small, clock: manualClock(), ...options });
  opened.push(chain);
  await chain.seeded;
  return chain;
}

/** One that nobody writes to. */
let untouched: Promise<OpenSandboxChain> | undefined;
async function openUntouched(): Promise<OpenSandboxChain> {
  untouched ??= openSandboxChain({ ...small, clock: manualClock() });
  await (await untouched).seeded;
  return untouched;
}
afterAll(async () => (await untouched)?.close());

const headOf = (chain: OpenSandboxChain) =>
  chain.request<RpcBlock<"latest", false>>("eth_getBlockByNumber", ["latest", false]);

function logsOf(chain: OpenSandboxChain, filter: object): Promise<RpcLog[]> {
  return chain.request("eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest", ...filter }]);
}

/** The outcome of every transaction: 1 or 0. */
async function statusesIn(chain: OpenSandboxChain): Promise<string[]> {
  const statuses: string[] = [];
  const { number } = await headOf(chain);
  for (let block = 1; block <= Number(number); block++) {
    const { transactions } = await chain.request<RpcBlock<"latest", false>>(
      "eth_getBlockByNumber",
      [`0x${block.toString(16)}`, false],
    );
    for (const hash of transactions) {
      const receipt = await chain.request<RpcTransactionReceipt>("eth_getTransactionReceipt", [
        hash,
      ]);
      statuses.push(receipt.status);
    }
  }
  return statuses;
}

/** Posts a body and gives back the status and the answer. */
async function post(url: string, body: string): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(url, { method: "POST", body });
  return { status: response.status, answer: await response.json() };
}

const signatures = {
  Initialize: "Initialize(uint160,int24)",
  Mint: "Mint(address,address,int24,int24,uint128,uint256,uint256)",
  Burn: "Burn(address,int24,int24,uint128,uint256,uint256)",
  Collect: "Collect(address,address,int24,int24,uint128,uint128)",
  Swap: "Swap(address,address,int256,int256,uint160,uint128,int24)",
  Flash: "Flash(address,address,uint256,uint256,uint256,uint256)",
  SetFeeProtocol: "SetFeeProtocol(uint8,uint8,uint8,uint8)",
  CollectProtocol: "CollectProtocol(address,address,uint128,uint128)",
};

describe("the exchange on the chain", () => {
  test("is made of the contracts that are on Ethereum", async () => {
    expect(keccak256(artifacts.pool)).toBe(poolCodeHash);
    const chain = await openUntouched();
    for (const { address, token0, token1, fee } of pools) {
      const call = { abi: factoryAbi, functionName: "getPool" } as const;
      const args = [token0.address, token1.address, fee] as const;
      const data = encodeFunctionData({ ...call, args });
      const answer = await chain.request<Hex>("eth_call", [
        { to: contracts.factory, data },
        "latest",
      ]);
      expect(decodeFunctionResult({ ...call, data: answer }).toLowerCase()).toBe(address);
    }
  });

  test("is where the deployment says that it is", () => {
    const addressesOf = (list: readonly { address: Hex }[]) => list.map(({ address }) => address);
    expect(sandboxDeployment).toMatchObject({
      factory: contracts.factory,
      wrappedNative: contracts.wrappedEther,
      stablePool: stablePool.address,
      stablecoins: addressesOf(stablecoins),
      whitelist: addressesOf(whitelist),
    });
  });

  test("quotes its pools the same way round as Ethereum does", () => {
    const pairs = pools.map(({ token0, token1 }) => `${token0.symbol}/${token1.symbol}`);
    expect(pairs).toEqual(
      expect.arrayContaining(["USDC/WETH", "WBTC/WETH", "DAI/USDC", "LINK/WETH", "WETH/USDT"]),
    );
  });

  test("has seen everything that can happen, also in a short history", async () => {
    const chain = await openUntouched();
    const logs = await logsOf(chain, { address: pools.map(({ address }) => address) });
    const happened = new Set(logs.map(({ topics: [topic] }) => topic));
    expect(
      Object.values(signatures).filter((name) => !happened.has(toEventSelector(name))),
    ).toEqual([]);

    const swaps = logs.filter(({ topics: [topic] }) => topic === toEventSelector(signatures.Swap));
    expect(new Set(swaps.map(({ address }) => address)).size).toBe(pools.length);
    expect(swaps.length).toBeGreaterThan(30);
    const transactions = swaps.map(({ transactionHash }) => transactionHash);
    expect(new Set(transactions).size).toBeLessThan(transactions.length);
  });

  test("mines transactions that fail, with status 0", async () => {
    const statuses = await statusesIn(await openUntouched());
    const failed = statuses.filter((status) => status === "0x0").length;
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThan(statuses.length / 20);
  });
});

describe("the chain", () => {
  test("is the same for the same seed and clock, and another for another seed", async () => {
    const { hash } = await headOf(await openUntouched());
    expect((await headOf(await openSmall())).hash).toBe(hash);
    expect((await headOf(await openSmall({ seed: 8 }))).hash).not.toBe(hash);
  });

  test("ends its history now, and tells how far it is", async () => {
    const progress: number[] = [];
    const clock = manualClock();
    const onProgress = ({ done, total }: Progress) =>
      progress.push(Math.floor((100 * done) / total));
    const chain = await openSmall({ clock, onProgress });
    expect(Number((await headOf(chain)).timestamp) * 1_000).toBe(clock.now());
    expect(chain.progress()).toEqual({ done: 2 * 86_400, total: 2 * 86_400 });
    expect(progress.at(-1)).toBe(100);
    expect(progress).toEqual([...new Set(progress)].sort((one, other) => one - other));
  });

  test("goes on at the time of the clock, also after a pause of days", async () => {
    const clock = manualClock();
    const chain = await openSmall({ clock });
    clock.advance(3 * 86_400_000);
    await chain.step();
    const { timestamp, transactions } = await headOf(chain);
    expect(Number(timestamp) * 1_000).toBe(clock.now());
    expect(transactions.length).toBeGreaterThan(0);
  });

  test("mines by itself when it is alive", async () => {
    const clock = manualClock();
    const sleep = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(4_000);
    };
    const chain = await openSmall({ clock: { ...clock, sleep }, live: true });
    const { number } = await headOf(chain);
    await expect
      .poll(async () => Number((await headOf(chain)).number))
      .toBeGreaterThan(Number(number) + 5);
  });

  test("lets its market go on after a reorganisation", async () => {
    const clock = manualClock();
    const chain = await openSmall({ clock });
    const before = await headOf(chain);
    const snapshot = await chain.request<Hex>("evm_snapshot");
    for (let block = 0; block < 20; block++) {
      clock.advance(60_000);
      await chain.step();
    }
    const abandoned = await headOf(chain);
    expect(await chain.request("evm_revert", [snapshot])).toBe(true);
    expect((await headOf(chain)).hash).toBe(before.hash);
    for (let block = 0; block < 20; block++) {
      clock.advance(60_000);
      await chain.step();
    }
    const { number, hash } = await headOf(chain);
    expect(number).toBe(abandoned.number);
    expect(hash).not.toBe(abandoned.hash);
    expect((await statusesIn(chain)).filter((status) => status === "0x0").length).toBeLessThan(5);
  });
});

describe("what is kept", () => {
  const keeping = () => ({ journalFile: join(temporaryFolder(), "blocks.jsonl") });

  /** Closes a chain and opens it again from its journal. */
  async function reopen(chain: OpenSandboxChain, options: Partial<SandboxChainOptions>) {
    await chain.close();
    return openSmall(options);
  }

  test("is replayed block by block, and goes on from there as it would have", async () => {
    const clock = manualClock();
    const options = { ...keeping(), clock };
    const first = await openSmall(options);
    const { hash, number } = await headOf(first);
    const second = await reopen(first, options);
    expect(await headOf(second)).toMatchObject({ hash, number });
    clock.advance(4_000);
    await second.step();
    const uninterrupted = await openSmall({ clock: manualClock() });
    await uninterrupted.step(Math.floor(clock.now() / 1_000));
    expect((await headOf(second)).hash).toBe((await headOf(uninterrupted)).hash);
  });

  test("may be half a history: the rest is the same as if nothing had happened", async () => {
    const options = { ...keeping(), clock: manualClock() };
    let reach = () => {};
    const half = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const onProgress = ({ done, total }: Progress) => done > total / 2 && reach();
    const stopped = await openSandboxChain({ ...small, ...options, onProgress });
    await half;
    await stopped.close();
    expect(stopped.progress().done).toBeLessThan(stopped.progress().total);
    const { hash } = await headOf(await openSmall(options));
    expect(hash).toBe((await headOf(await openUntouched())).hash);
  });

  test("has what others did: signed, unlocked and impersonated", async () => {
    const options = { ...keeping(), clock: manualClock() };
    const chain = await openSmall(options);
    const [to] = traders;
    const account = privateKeyToAccount(guest.key);
    const stranger = "0x00000000000000000000000000000000000a11ce";
    const send = (transaction: object) =>
      chain.request<Hex>("eth_sendTransaction", [
        { to: to?.address, value: "0x1", ...transaction },
      ]);
    const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n, gas: 21_000n };
    const signed = await account.signTransaction({
      ...fees,
      to: stranger,
      value: 10n ** 18n,
      chainId: 1,
      nonce: Number(await chain.request("eth_getTransactionCount", [guest.address, "latest"])),
    });
    const hashes = [
      await chain.request<Hex>("eth_sendRawTransaction", [signed]),
      await send({ from: guest.address }),
      await send({ from: guest.address, gasPrice: "0x174876e800" }),
    ];
    await chain.request("hardhat_impersonateAccount", [stranger]);
    hashes.push(await send({ from: stranger }));

    const head = await headOf(chain);
    const again = await reopen(chain, options);
    expect((await headOf(again)).hash).toBe(head.hash);
    for (const hash of hashes) {
      const receipt = await again.request<RpcTransactionReceipt>("eth_getTransactionReceipt", [
        hash,
      ]);
      expect(receipt.status).toBe("0x1");
    }
  });

  test("does not have what a reorganisation took away", async () => {
    const clock = manualClock();
    const options = { ...keeping(), clock };
    const chain = await openSmall(options);
    const snapshot = await chain.request<Hex>("evm_snapshot");
    await chain.request("evm_mine");
    await chain.request("evm_mine");
    await chain.request("evm_revert", [snapshot]);
    clock.advance(9_000);
    await chain.step();
    const head = await headOf(chain);
    const again = await reopen(chain, options);
    expect(await headOf(again)).toMatchObject({ hash: head.hash, number: head.number });
  });

  test("cannot be changed in ways that could not be done again", async () => {
    const chain = await openSmall(keeping());
    await expect(chain.request("hardhat_setBalance", [guest.address, "0x1"])).rejects.toThrow(
      "after a restart the chain could not do it again",
    );
  });
});

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
    const { url } = await openSmall();
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
    const chain = await openSmall();
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
