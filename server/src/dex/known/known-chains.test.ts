import * as viemChains from "viem/chains";
import { describe, expect, test } from "vitest";
import { writeConfig } from "../../../test/config-file.ts";
import { readConfig } from "../../config.ts";
import { findKnownChain, knownChainIds } from "./known-chains.ts";

const ids = knownChainIds();

/** Every blockchain with every exchange that is built in for it, as the service would use them. */
const chains = new Map(
  readConfig(
    writeConfig({
      chains: Object.fromEntries(
        ids.map((id) => {
          const exchanges = Object.keys(findKnownChain(id)?.exchanges ?? {});
          const all = Object.fromEntries(exchanges.map((exchange) => [exchange, {}]));
          return [id, { rpcUrl: "https://node.example", exchanges: all }];
        }),
      ),
    }),
  ).config.chains.map((configured) => [configured.chain.id, configured]),
);

const deploymentOf = (blockchain: string, exchange = "uniswap-v3") =>
  chains.get(blockchain)?.deployments.find((deployment) => deployment.exchange === exchange);

describe("what is built in", () => {
  test("has the blockchains and exchanges that people ask for", () => {
    const combinations = [...chains.values()].flatMap(({ deployments }) =>
      deployments.map(({ blockchain, exchange }) => `${exchange}/${blockchain}`),
    );
    expect(ids).toHaveLength(24);
    for (const id of ["ethereum", "polygon", "arbitrum", "optimism", "base", "bnb", "avalanche"]) {
      expect(combinations).toContain(`uniswap-v3/${id}`);
    }
    for (const exchange of ["uniswap-v3", "sushiswap-v3", "pancakeswap-v3"]) {
      expect(combinations).toContain(`${exchange}/ethereum`);
    }
    expect(combinations).toHaveLength(22 + 9 + 8);
  });

  test("is written in lower case, without repetition", () => {
    for (const id of ids) {
      const written = JSON.stringify(findKnownChain(id));
      const addresses = written.match(/0x\w+/g) ?? [];
      expect(addresses.filter((address) => !/^0x[0-9a-f]{40}$/.test(address))).toEqual([]);
    }
    for (const { deployments } of chains.values()) {
      for (const { stablecoins, whitelist, skipPools, preexistingPools } of deployments) {
        for (const list of [stablecoins, whitelist, skipPools, preexistingPools]) {
          expect(new Set(list.map((item) => JSON.stringify(item))).size).toBe(list.length);
        }
      }
    }
  });

  test("can give prices: the native coin is believed, and there are dollars", () => {
    for (const { deployments } of chains.values()) {
      for (const { whitelist, wrappedNative, stablecoins } of deployments) {
        expect(whitelist).toContain(wrappedNative);
        expect(stablecoins).not.toEqual([]);
      }
    }
  });

  test("has a stable pool everywhere but on Robinhood Chain, where none is known", () => {
    const without = [...chains.values()].filter(({ deployments }) =>
      deployments.some(({ stablePool }) => /^0x0+$/.test(stablePool)),
    );
    expect(without.map(({ chain }) => chain.id)).toEqual(["robinhood"]);
  });

  test("has the chain ids that others have", () => {
    const others: Set<number> = new Set(Object.values(viemChains).map(({ id }) => id));
    const chainIds = [...chains.values()].map(({ chain }) => chain.chainId);
    expect(chainIds.filter((chainId) => !others.has(chainId))).toEqual([]);
    expect(new Set(chainIds).size).toBe(chainIds.length);
  });

  test("has no more than the published lists where those were wrong", () => {
    const avalancheUsdc = "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e";
    expect(deploymentOf("avalanche")?.stablecoins).toContain(avalancheUsdc);
    expect(deploymentOf("base")?.stablecoins).not.toContain(avalancheUsdc);
    expect(deploymentOf("base")?.whitelist).not.toContain(avalancheUsdc);
    expect(deploymentOf("base")?.stablecoins).toContain(
      "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    );
    expect(deploymentOf("base")?.startBlock).toBe(1_371_670);
    expect(deploymentOf("bnb")?.startBlock).toBe(26_324_014);
    expect(deploymentOf("arbitrum")?.startBlock).toBe(163);
    expect(deploymentOf("celo")?.factory).toBe("0xafe208a311b21f13ef87e33a90049fc17a7acdec");
    const optimism = deploymentOf("optimism");
    expect(optimism?.preexistingPools).toHaveLength(103);
    expect(optimism?.whitelist).toEqual(expect.arrayContaining([...(optimism?.stablecoins ?? [])]));
    expect(optimism?.stablecoins).toHaveLength(4);
  });

  test("knows how deep reorganisations go, and what Ethereum's difficulty came to", () => {
    expect(chains.get("ethereum")?.chain).toMatchObject({
      finalityBlocks: 65,
      totalDifficulty: "58750003716598352816469",
    });
    expect(chains.get("polygon")?.chain).toMatchObject({
      finalityBlocks: 200,
      totalDifficulty: "0",
    });
    expect(chains.get("zora")?.chain.finalityBlocks).toBe(64);
  });

  test.each(["__proto__", "constructor", "../../package", "Ethereum", ""])(
    "has nothing under %j",
    (id) => {
      expect(findKnownChain(id)).toBeUndefined();
    },
  );
});
