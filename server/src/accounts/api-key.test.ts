import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { systemRandom } from "../lib/random.ts";
import { hashKey, keyIdOf, newApiKey, sameHash, sandboxKeys } from "./api-key.ts";

describe("an API key", () => {
  test("says its mode, and holds an id, a secret and a checksum", () => {
    expect(newApiKey("live", systemRandom).key).toMatch(
      /^slp_live_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}$/,
    );
    expect(newApiKey("sandbox", systemRandom).key).toMatch(/^slp_test_/);
  });

  test("is known by its id in its own mode only", () => {
    for (const mode of ["live", "sandbox"] as const) {
      const { id, key } = newApiKey(mode, systemRandom);
      expect(keyIdOf(key, mode)).toBe(id);
      expect(keyIdOf(key, mode === "live" ? "sandbox" : "live")).toBeUndefined();
    }
  });

  test("with any one character mistyped is refused without asking the database", () => {
    const { key } = newApiKey("live", systemRandom);
    const character = fc.constantFrom(..."0123456789ABCXYZabcxyz_");
    fc.assert(
      fc.property(fc.nat(key.length - 1), character, (index, typed) => {
        fc.pre(key[index] !== typed);
        return keyIdOf(key.slice(0, index) + typed + key.slice(index + 1), "live") === undefined;
      }),
    );
  });

  test("that is any other text is refused", () => {
    fc.assert(fc.property(fc.string(), (text) => keyIdOf(text, "live") === undefined));
  });

  test("uses every character of its alphabet about equally often", () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 2_000; round++) {
      for (const character of newApiKey("live", systemRandom).key.slice(20, 63)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    const expected = (2_000 * 43) / 62;
    for (const count of counts.values())
      expect(Math.abs(count - expected)).toBeLessThan(expected * 0.2);
  });
});

test("the fixed sandbox keys work in sandbox mode only", () => {
  expect(keyIdOf(sandboxKeys.master, "sandbox")).toBe("sandbox_master");
  expect(keyIdOf(sandboxKeys.master, "live")).toBeUndefined();
  expect(keyIdOf("slp_sandbox_other", "sandbox")).toBeUndefined();
});

test("a hash depends on the key and on the secret", () => {
  expect(sameHash(hashKey("a", "s"), hashKey("a", "s"))).toBe(true);
  expect(sameHash(hashKey("a", "s"), hashKey("b", "s"))).toBe(false);
  expect(sameHash(hashKey("a", "s"), hashKey("a", "t"))).toBe(false);
});
