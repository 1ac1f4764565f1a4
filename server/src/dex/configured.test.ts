import { describe, expect, test } from "vitest";
import { writeConfig } from "../../test/config-file.ts";
import { readConfig } from "../config.ts";

const read = (content: string | object) => readConfig(writeConfig(content)).config.chains;
const rpcUrl = "https://node.example/v3/key";
const zero = `0x${"0".repeat(40)}`;

const complete = {
  name: "Mine",
  chainId: 777,
  rpcUrls: ["https://one.example", "wss://two.example"],
  exchanges: {
    "uniswap-v3": {
      factory: `0x${"f".repeat(40)}`,
      startBlock: 5,
      wrappedNative: `0x${"1".repeat(40)}`,
      stablePool: `0x${"2".repeat(40)}`,
      stablecoins: [`0x${"3".repeat(40)}`],
      whitelist: [`0x${"1".repeat(40)}`, `0x${"3".repeat(40)}`],
      minimumNativeLocked: "0.5",
    },
  },
};

describe("configured blockchains", () => {
  test("are none without a file", () => {
    expect(readConfig({}).config.chains).toEqual([]);
  });

  test("a known one needs only the URL of a node", () => {
    const [ethereum, ...others] = read("chains: {ethereum: {rpcUrl: https://node.example/v3/key}}");
    expect(others).toEqual([]);
    expect(ethereum).toMatchObject({
      chain: {
        id: "ethereum",
        name: "Ethereum",
        chainId: 1,
        rpcUrls: [rpcUrl],
        finalityBlocks: 65,
        agreeing: 1,
      },
      blocks: 10_000,
    });
    expect(ethereum?.deployments).toMatchObject([
      {
        exchange: "uniswap-v3",
        blockchain: "ethereum",
        factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
        startBlock: 12_369_621,
        stablePool: "0x8ad599c3a0ff1de082011efddc58f1908eb6e6d8",
        minimumNativeLocked: "20",
        pools: "all",
        skipPools: ["0x8fe8d9bb8eeba3ed688069c3d6b556c9ca258248"],
      },
    ]);
  });

  test("take rpcUrl and rpcUrls together", () => {
    const [chain] = read({ chains: { base: { rpcUrl, rpcUrls: ["wss://other.example"] } } });
    expect(chain?.chain.rpcUrls).toEqual([rpcUrl, "wss://other.example"]);
  });

  test("have other exchanges when these are named, with or without settings", () => {
    const [bnb, avalanche, opbnb] = read(`
      chains:
        bnb:
          rpcUrl: https://node.example
          exchanges:
            pancakeswap-v3:
            uniswap-v3: {}
        avalanche: {rpcUrl: https://node.example, exchanges: {}}
        opbnb: {rpcUrl: https://node.example}
    `);
    expect(bnb?.deployments.map(({ exchange }) => exchange)).toEqual([
      "pancakeswap-v3",
      "uniswap-v3",
    ]);
    expect(bnb?.deployments[0]?.wrappedNative).toBe(bnb?.deployments[1]?.wrappedNative);
    expect(avalanche?.deployments).toEqual([]);
    expect(opbnb?.deployments.map(({ exchange }) => exchange)).toEqual(["pancakeswap-v3"]);
  });

  test("prefer what the file says, value by value", () => {
    const [ethereum] = read(`
      chains:
        ethereum:
          name: My Ethereum
          rpcUrl: https://node.example
          blocks: 100_000
          agreeing: 2
          finalityBlocks: 96
          exchanges:
            uniswap-v3:
              startBlock: 20_000_000
              minimumNativeLocked: 1.5
              pools: [0x8ad599c3A0ff1De082011EFDDc58f1908eb6e6D8]
              stablecoins: [0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48]
    `);
    expect(ethereum).toMatchObject({
      chain: { name: "My Ethereum", chainId: 1, agreeing: 2, finalityBlocks: 96 },
      blocks: 100_000,
    });
    expect(ethereum?.deployments).toMatchObject([
      {
        factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
        startBlock: 20_000_000,
        minimumNativeLocked: "1.5",
        pools: ["0x8ad599c3a0ff1de082011efddc58f1908eb6e6d8"],
        stablecoins: ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"],
      },
    ]);
  });

  test("may be unknown to us when the file says everything", () => {
    const [mine] = read({ chains: { "my-chain-2": { ...complete, blocks: "all" } } });
    expect(mine).toEqual({
      chain: {
        id: "my-chain-2",
        name: "Mine",
        chainId: 777,
        rpcUrls: complete.rpcUrls,
        finalityBlocks: 64,
        totalDifficulty: "0",
        agreeing: 1,
      },
      deployments: [
        {
          ...complete.exchanges["uniswap-v3"],
          exchange: "uniswap-v3",
          blockchain: "my-chain-2",
          pools: "all",
          skipPools: [],
          tokenOverrides: [],
          preexistingPools: [],
        },
      ],
      blocks: "all",
    });
  });

  test.each([
    ["no node", { ethereum: {} }, "chains.ethereum.rpcUrls is missing: it must be a list"],
    ["an empty list of nodes", { base: { rpcUrls: [] } }, "chains.base.rpcUrls (from"],
    ["a node without a URL", { base: { rpcUrl: "node" } }, "chains.base.rpcUrls[0] (from"],
    ["a misspelt blockchain", { etherum: { rpcUrl } }, 'Did you mean "ethereum"?'],
    ["a half-known blockchain", { mine: { rpcUrl } }, "chains.mine.chainId is missing"],
    ["an id with capitals", { Ethereum: { rpcUrl } }, "chains.Ethereum cannot be used: the name"],
    ["an id that is no id", { "a/b": { rpcUrl } }, "small letters, digits and hyphens"],
    ["a blockchain that is a text", { base: "https://node.example" }, "base must hold settings"],
    ["blockchains that are a list", [], "chains (from"],
    [
      "an unknown exchange",
      { base: { rpcUrl, exchanges: { uniswapv3: {} } } },
      'exchanges.uniswapv3 cannot be used: the name must be one of uniswap-v3, sushiswap-v3, pancakeswap-v3. Did you mean "uniswap-v3"?',
    ],
    [
      "an exchange that is not built in there",
      { celo: { rpcUrl, exchanges: { "sushiswap-v3": {} } } },
      "chains.celo.exchanges.sushiswap-v3.factory is missing",
    ],
    [
      "a misspelt setting",
      { base: { rpcUrl, exchanges: { "uniswap-v3": { startblok: 1 } } } },
      'chains.base.exchanges.uniswap-v3.startblok is not a setting. Did you mean "startBlock"?',
    ],
    ["a misspelt node", { base: { rpcURL: rpcUrl } }, 'Did you mean "rpcUrl'],
    ["no blocks", { base: { rpcUrl, blocks: 0 } }, "chains.base.blocks (from"],
    ["some blocks", { base: { rpcUrl, blocks: "some" } }, "how many recent blocks to keep, or all"],
    ["half a finality", { base: { rpcUrl, finalityBlocks: 1.5 } }, "finalityBlocks (from"],
  ])("cannot be used with %s", (_, chains, message) => {
    expect(() => read({ chains })).toThrow(message);
  });

  test.each([
    ["too short", "0x1f98431c8ad98523631ae4a59f267346ea31f98"],
    ["no hexadecimal", "0xzf98431c8ad98523631ae4a59f267346ea31f984"],
    ["without 0x", "1f98431c8ad98523631ae4a59f267346ea31f984"],
    ["with a wrong checksum", "0x1F98431c8aD98523631AE4a59f267346ea31f984"],
    ["a number", 7],
  ])("cannot be used with an address that is %s", (_, factory) => {
    const exchanges = { "uniswap-v3": { factory, whitelist: [zero, factory] } };
    const use = () => read({ chains: { ethereum: { rpcUrl, exchanges } } });
    expect(use).toThrow("chains.ethereum.exchanges.uniswap-v3.factory (from");
    expect(use).toThrow("chains.ethereum.exchanges.uniswap-v3.whitelist[1] (from");
  });

  test.each([
    "0x1F98431c8aD98523631AE4a59f267346ea31F984",
    "0x1f98431c8ad98523631ae4a59f267346ea31f984",
    "0x1F98431C8AD98523631AE4A59F267346EA31F984",
  ])("take the address %s, in quotes or without", (factory) => {
    for (const written of [factory, JSON.stringify(factory)]) {
      const [chain] = read(
        `chains: {base: {rpcUrl: "${rpcUrl}", exchanges: {uniswap-v3: {factory: ${written}}}}}`,
      );
      expect(chain?.deployments[0]?.factory).toBe("0x1f98431c8ad98523631ae4a59f267346ea31f984");
    }
  });

  test("say everything that is wrong at once, and no key", () => {
    const use = () =>
      read({ chains: { mine: { rpcUrl: "key-in-here" }, base: { agreeing: 0 } }, prot: 1 });
    for (const fault of [
      "chains.mine is not built in, so it has to say everything.",
      "chains.mine.name is missing",
      "chains.mine.exchanges is missing",
      "chains.mine.rpcUrls[0]",
      "chains.base.agreeing",
      "chains.base.rpcUrls is missing",
      "prot",
    ]) {
      expect(use).toThrow(fault);
    }
    expect(use).not.toThrow("key-in-here");
  });

  test("are not led astray by names that every object has", () => {
    expect(() => read('{"chains": {"__proto__": {"name": "x"}}}')).toThrow("__proto__");
    expect(() => read({ chains: { constructor: { rpcUrl } } })).toThrow(
      "constructor.name is missing",
    );
    expect(Object.prototype).not.toHaveProperty("name");
  });
});
