import fc from "fast-check";
import { bytesToHex, getAddress, keccak256, recoverAddress, toHex } from "viem";
import { HDKey, hdKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import type { Hex } from "../../../chains/hex.ts";
import { OperatorError } from "../../../lib/errors.ts";
import { hexSigner, sweepSigners } from "./keys.ts";

const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const root = HDKey.fromMasterSeed(Buffer.alloc(32, 7));

describe("a key in memory", () => {
  test("signs so that everybody finds its address, with the lower of the two s", async () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    await fc.assert(
      fc.asyncProperty(fc.bigInt(1n, 2n ** 255n), bytes, async (key, digest) => {
        const signer = hexSigner(toHex(key, { size: 32 }));
        const hash = bytesToHex(digest);
        const { r, s, yParity } = await signer.sign(hash);
        expect(await recoverAddress({ hash, signature: { r, s, yParity } })).toBe(
          getAddress(signer.address),
        );
        expect(BigInt(s)).toBeLessThanOrEqual(halfOrder);
        expect(signer.address).toBe(signer.address.toLowerCase());
      }),
      { numRuns: 20 },
    );
  });

  test.each([`0x${"00".repeat(32)}`, `0x${"ff".repeat(32)}`] satisfies Hex[])(
    "is refused when it is none, without showing it: %s",
    (key) => {
      expect(() => hexSigner(key)).toThrow(OperatorError);
      expect(() => hexSigner(key)).not.toThrow(new RegExp(key.slice(2)));
    },
  );
});

describe("the keys of deposit addresses", () => {
  test("are the children 0/index, as any wallet derives them", () => {
    const account = root.derive("m/44'/60'/0'");
    const signers = sweepSigners(account.privateExtendedKey);
    for (const addressIndex of [0, 1, 4711]) {
      const { address } = hdKeyToAccount(root, { addressIndex });
      expect(signers(addressIndex)?.address).toBe(address.toLowerCase());
    }
  });

  test("sign", async () => {
    const signer = sweepSigners(root.privateExtendedKey)(3);
    const hash = keccak256("0x01");
    const signature = await signer?.sign(hash);
    expect(signature && (await recoverAddress({ hash, signature }))).toBe(
      getAddress(signer?.address ?? "0x"),
    );
  });

  test.each([root.publicExtendedKey, `${root.privateExtendedKey.slice(0, -1)}x`, "xprv", ""])(
    "are not made from what is no private key: %s",
    (key) => {
      expect(() => sweepSigners(key)).toThrow(OperatorError);
    },
  );
});
