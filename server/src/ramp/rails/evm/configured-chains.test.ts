import { HDKey } from "@scure/bip32";
import { getAddress } from "viem";
import { describe, expect, test } from "vitest";
import { supportedTokens } from "../../assets.ts";
import { type Blockchain, blockchains } from "../../blockchains.ts";
import type { RailSettings } from "../rail-settings.ts";
import { rampChainOf } from "./configured-chains.ts";
import { evmDepositAddress } from "./deposit-addresses.ts";
import { sweepSigners } from "./keys.ts";
import { tokenContracts } from "./token-contracts.ts";

type Settings = NonNullable<RailSettings["chains"][string]>;

const root = HDKey.fromMasterSeed(Buffer.alloc(32, 3));
const evm = blockchains.filter((id) => id !== "bitcoin" && id !== "solana");

function chainOf(blockchain: Blockchain, changes: Partial<Settings> = {}) {
  return rampChainOf(blockchain, {
    rpcUrls: ["https://one.example", "https://two.example"],
    ...{ agreeing: 2, finality: "finalized", smallBelowUsd: 0, limits: {} },
    ...{ depositKey: root.publicExtendedKey, hotWallet: `0x${"12".repeat(20)}`, ...changes },
  });
}

describe("a chain of the settings", () => {
  test.each(evm)("%s has its tokens by contract, and one coin of its own", (blockchain) => {
    const { tokens, chainId } = chainOf(blockchain);
    expect(tokens.map(({ symbol }) => symbol)).toEqual(
      supportedTokens
        .filter((token) => token.blockchain === blockchain)
        .map(({ symbol }) => symbol),
    );
    expect(tokens.filter(({ contract }) => contract === undefined)).toHaveLength(1);
    const contracts = tokens.flatMap(({ contract }) => contract ?? []);
    expect(new Set(contracts).size).toBe(tokens.length - 1);
    for (const contract of contracts) expect(contract).toMatch(/^0x[0-9a-f]{40}$/);
    expect(chainId).toBeGreaterThan(0);
  });

  test("is as cautious as can be unless told otherwise", () => {
    expect(chainOf("base")).toMatchObject({
      ...{ blockchain: "base", chainId: 8453, agreeing: 2, limits: {} },
      ...{ finality: { rule: "tag", tag: "finalized" }, smallDeposits: undefined },
    });
  });

  test("takes over what the settings say", () => {
    const chain = chainOf("ethereum", {
      ...{ agreeing: 1, finality: 12, smallFinality: "safe", smallBelowUsd: 500 },
      hotWallet: "0x52908400098527886E0F7030069857D2E4169EE7",
      limits: { USDC: { perDay: "50000.000001" }, ETH: { floor: "0.5", perPayout: "10" } },
    });
    expect(chain).toMatchObject({
      ...{ chainId: 1, agreeing: 1, finality: { rule: "depth", blocks: 12 } },
      smallDeposits: { belowCents: 500_00n, finality: { rule: "tag", tag: "safe" } },
      hotWallet: "0x52908400098527886e0f7030069857d2e4169ee7",
      limits: {
        USDC: { floor: 0n, perPayout: undefined, perDay: 50_000_000_001n },
        ETH: { floor: 5n * 10n ** 17n, perPayout: 10n ** 19n, perDay: undefined },
      },
    });
  });

  test.each<[what: string, changes: Partial<Settings>, says: RegExp]>([
    [
      "fewer nodes than must agree",
      { rpcUrls: ["https://one.example"] },
      /rpcUrls.*agreeing.*2\.$/,
    ],
    ["one node twice", { rpcUrls: ["https://a.example", "https://a.example"] }, /different nodes/],
    ["a limit of a token that is not there", { limits: { SOL: {} } }, /limits\.SOL.*USDC/],
    ["too many decimals", { limits: { USDC: { floor: "0.0000001" } } }, /USDC\.floor.*6 decimals/],
    [
      "a slip in the hot wallet",
      { hotWallet: "0x52908400098527886E0F7030069857D2E4169Ee7" },
      /hotWallet.*checksum/,
    ],
    [
      "a hot wallet that is a contract",
      { hotWallet: tokenContracts.base?.USDC ?? "" },
      /nobody has a key/,
    ],
    [
      "a slip in the deposit key",
      { depositKey: root.publicExtendedKey.replace(/.$/, "1") },
      /depositKey/,
    ],
  ])("with %s is refused by name", (_, changes, says) => {
    expect(() => chainOf("base", changes)).toThrow(says);
  });
});

describe("the contracts of tokens", () => {
  test.each(Object.entries(tokenContracts))("on %s carry their checksums", (_, contracts) => {
    for (const contract of Object.values(contracts)) expect(getAddress(contract)).toBe(contract);
  });
});

describe("deposit addresses", () => {
  test("are those that the private key can sign for, each another", () => {
    const signers = sweepSigners(root.privateExtendedKey ?? "");
    const addresses = Array.from({ length: 20 }, (_, index) =>
      evmDepositAddress(root.publicExtendedKey, index),
    );
    expect(new Set(addresses).size).toBe(20);
    for (const [index, address] of addresses.entries()) {
      expect(getAddress(address)).toBe(address);
      expect(signers(index)?.address).toBe(address.toLowerCase());
    }
  });

  test("are those that other wallets derive", () => {
    // Of the words "test test test test test test test test test test test junk", at m/44'/60'/0'.
    const account =
      "xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP";
    expect([0, 1].map((index) => evmDepositAddress(account, index))).toEqual([
      "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
      "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    ]);
  });
});
