import { generateKeyPairSync } from "node:crypto";
import { base58, hex } from "@scure/base";
import { Address, NETWORK } from "@scure/btc-signer";
import fc from "fast-check";
import { getAddress } from "viem";
import { describe, expect, test } from "vitest";
import { type Blockchain, blockchains } from "../blockchains.ts";
import { checkAddress } from "./check-address.ts";
import { evmContracts, solanaContracts } from "./known-contracts.ts";

const nobody = { fault: "address is a contract or burn address" };
const badChecksum = { fault: "address fails its checksum" };
const noAddress = (blockchain: Blockchain) => ({
  fault: `address is not a valid ${blockchain} address`,
});

const alphanumeric = [..."0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** Every seventh of them, so that a text takes hundreds of changes and not thousands. */
const someChanges = (text: string, offset: number) =>
  [...text].flatMap((before, index) =>
    alphanumeric
      .filter((after, place) => after !== before && (place + index + offset) % 7 === 0)
      .map((after) => text.slice(0, index) + after + text.slice(index + 1)),
  );

const evmAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(`0x${hex.encode(bytes)}`));
const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
const longHash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const bitcoinAddress = fc
  .oneof(
    hash.map((bytes) => ({ type: "pkh", hash: bytes }) as const),
    hash.map((bytes) => ({ type: "sh", hash: bytes }) as const),
    hash.map((bytes) => ({ type: "wpkh", hash: bytes }) as const),
    longHash.map((bytes) => ({ type: "wsh", hash: bytes }) as const),
  )
  .filter((script) => script.hash.some((byte) => byte > 0))
  .map((script) => Address(NETWORK).encode(script));

describe("an address of Ethereum and its kin", () => {
  const vitalik = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";

  test.each([
    ["with its checksum", vitalik],
    ["in lower case", vitalik.toLowerCase()],
    ["in upper case", `0x${vitalik.slice(2).toUpperCase()}`],
    ["between spaces", ` ${vitalik} `],
  ])("%s is shown with its checksum", (_, text) => {
    expect(checkAddress("base", text)).toEqual({ address: vitalik, key: vitalik.toLowerCase() });
  });

  test.each([
    "",
    "0x",
    vitalik.slice(2),
    vitalik.slice(0, -1),
    `${vitalik}0`,
    `0X${vitalik.slice(2)}`,
    vitalik.replace("d8", "g8"),
    "vitalik.eth",
    "0".repeat(60_000),
  ])("is not %j", (text) => {
    expect(checkAddress("polygon", text)).toEqual(noAddress("polygon"));
  });

  test.each([
    `0x${"0".repeat(40)}`,
    "0x0000000000000000000000000000000000000001",
    "0x00000000000000000000000000000000000001ff",
    "0x000000000000000000000000000000000000dEaD",
    "0x0000000000000000000000000000000000001010",
    `0x${"f".repeat(40)}`,
    "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE",
    `0x${"dead".repeat(10)}`,
    "0x4200000000000000000000000000000000000016",
    ...evmContracts,
  ])("%s belongs to nobody", (text) => {
    expect(checkAddress("ethereum", text)).toEqual(nobody);
  });

  test("with any one character changed is refused", () => {
    fc.assert(
      fc.property(evmAddress, fc.nat(6), (address, offset) => {
        // A checksum of so many letters lets one change in 16,000 through; this seed has none of those.
        fc.pre(address.replace(/[^a-fA-F]/g, "").length >= 14);
        for (const changed of someChanges(address, offset)) {
          expect(checkAddress("ethereum", changed)).toHaveProperty("fault");
        }
      }),
      { numRuns: 20, seed: 20_261_115 },
    );
  });
});

describe("an address of Bitcoin", () => {
  test.each([
    ["P2PKH", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
    ["P2SH", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"],
    ["bech32", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
    ["bech32m", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"],
  ])("may be %s", (_, address) => {
    expect(checkAddress("bitcoin", address)).toEqual({ address, key: address });
  });

  test("in upper case is the same as in lower case, where case says nothing", () => {
    const lower = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    expect(checkAddress("bitcoin", lower.toUpperCase())).toEqual({ address: lower, key: lower });
  });

  test.each([
    ["the last character of base58", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"],
    ["the last character of bech32", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"],
  ])("fails its checksum with a change of %s", (_, text) => {
    expect(checkAddress("bitcoin", text)).toEqual(badChecksum);
  });

  test.each([
    ["of the test network, base58", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn"],
    ["of the test network, bech32", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
    ["in both cases", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kV8f3t4"],
    ["of a version that nobody can spend from yet", "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs"],
    ["of another chain", "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"],
    ["empty", ""],
  ])("is not one %s", (_, text) => {
    expect(checkAddress("bitcoin", text)).toEqual(noAddress("bitcoin"));
  });

  test.each([
    "1111111111111111111114oLvT2",
    "1BitcoinEaterAddressDontSendf59kuE",
    "bc1pfeessrawgf",
  ])("%s belongs to nobody", (text) => {
    expect(checkAddress("bitcoin", text)).toEqual(nobody);
  });

  test("with any one character changed is refused", () => {
    fc.assert(
      fc.property(bitcoinAddress, fc.nat(6), (address, offset) => {
        expect(checkAddress("bitcoin", address)).toEqual({ address, key: address });
        for (const changed of someChanges(address, offset)) {
          expect(checkAddress("bitcoin", changed)).toHaveProperty("fault");
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe("an address of Solana", () => {
  const newKey = () => {
    const { publicKey } = generateKeyPairSync("ed25519");
    return base58.encode(Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url"));
  };

  test("is any public key", () => {
    for (let count = 0; count < 50; count++) {
      const address = newKey();
      expect(checkAddress("solana", address)).toEqual({ address, key: address });
    }
  });

  test.each([
    "11111111111111111111111111111111",
    "1nc1nerator11111111111111111111111111111111",
    "So11111111111111111111111111111111111111112",
    "ComputeBudget111111111111111111111111111111",
    "SysvarRent111111111111111111111111111111111",
    ...solanaContracts,
  ])("%s belongs to nobody", (text) => {
    expect(checkAddress("solana", text)).toEqual(nobody);
  });

  test("that a program owns is refused: it is no public key", () => {
    // Half of all numbers are the y of a point; those of programs are chosen among the others.
    const numbers = Array.from({ length: 200 }, (_, index) =>
      checkAddress("solana", base58.encode(new Uint8Array(32).fill(3).with(5, index))),
    );
    const refused = numbers.filter((checked) => "fault" in checked);
    expect(refused.length).toBeGreaterThan(60);
    expect(refused.length).toBeLessThan(140);
    expect(refused).toEqual(refused.map(() => nobody));
  });

  test.each([
    ["31 bytes", base58.encode(new Uint8Array(31).fill(9))],
    ["33 bytes", base58.encode(new Uint8Array(33).fill(9))],
    ["a letter that base58 has not", `0${newKey().slice(1)}`],
    ["an address of Ethereum", "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"],
  ])("is not %s", (_, text) => {
    expect(checkAddress("solana", text)).toEqual(noAddress("solana"));
  });
});

test("no text breaks the check, and what it accepts it accepts again", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 120 }),
    fc.string({ unit: fc.constantFrom(...alphanumeric), maxLength: 64 }),
    evmAddress,
    bitcoinAddress,
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => base58.encode(bytes)),
  );
  fc.assert(
    fc.property(fc.constantFrom(...blockchains), text, (blockchain, given) => {
      const checked = checkAddress(blockchain, given);
      if ("fault" in checked) expect(checked.fault).toMatch(/^address [a-z ]+$/);
      else expect(checkAddress(blockchain, checked.address)).toEqual(checked);
    }),
    { numRuns: 500 },
  );
});
