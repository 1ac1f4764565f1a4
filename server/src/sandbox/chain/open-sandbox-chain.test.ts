import { decodeFunctionResult, encodeFunctionData, keccak256, toEventSelector } from "viem";
import { describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { headOf, logsOf, statusesIn, useSmallChains } from "../../../test/small-chain.ts";
import type { Hex } from "../../chains/hex.ts";
import { factoryAbi } from "./contracts/abis.ts";
import { artifacts } from "./contracts/artifacts.ts";
import { contracts, poolCodeHash, pools, stablecoins, stablePool, whitelist } from "./layout.ts";
import type { Progress } from "./open-sandbox-chain.ts";
import { sandboxDeployment } from "./sandbox-deployment.ts";

const { open, openUntouched } = useSmallChains();

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
    expect((await headOf(await open())).hash).toBe(hash);
    expect((await headOf(await open({ seed: 8 }))).hash).not.toBe(hash);
  });

  test("ends its history now, and tells how far it is", async () => {
    const progress: number[] = [];
    const clock = manualClock();
    const onProgress = ({ done, total }: Progress) =>
      progress.push(Math.floor((100 * done) / total));
    const chain = await open({ clock, onProgress });
    expect(Number((await headOf(chain)).timestamp) * 1_000).toBe(clock.now());
    expect(chain.progress()).toEqual({ done: 2 * 86_400, total: 2 * 86_400 });
    expect(progress.at(-1)).toBe(100);
    expect(progress).toEqual([...new Set(progress)].sort((one, other) => one - other));
  });

  test("goes on at the time of the clock, also after a pause of days", async () => {
    const clock = manualClock();
    const chain = await open({ clock });
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
    const chain = await open({ clock: { ...clock, sleep }, live: true });
    const { number } = await headOf(chain);
    await expect
      .poll(async () => Number((await headOf(chain)).number))
      .toBeGreaterThan(Number(number) + 5);
  });

  test("lets its market go on after a reorganisation", async () => {
    const clock = manualClock();
    const chain = await open({ clock });
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
