import { describe, expect, test } from "vitest";
import { OperatorError } from "../../../lib/errors.ts";
import { systemRandom } from "../../../lib/random.ts";
import { openKeystore, writeKeystore } from "./keystore.ts";

/** The example in the definition of the format. */
const secret = "0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
const byPbkdf2 = {
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
    ciphertext: "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
    kdf: "pbkdf2",
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: "hmac-sha256",
      salt: "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd",
    },
    mac: "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2",
  },
  version: 3,
};
/** From the tests of the program that most keystores are written by. */
const byScrypt = {
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "e0c41130a323adc1446fc82f724bca2f" },
    ciphertext: "9517cd5bdbe69076f9bf5057248c6c050141e970efa36ce53692d5d59a3984",
    kdf: "scrypt",
    kdfparams: {
      dklen: 32,
      n: 2,
      r: 8,
      p: 1,
      salt: "711f816911c92d649fb4c84b047915679933555030b3552c1212609b38208c63",
    },
    mac: "d5e116151c6aa71470e67a7d42c9620c75c4d23229847dcc127794f0732b0db5",
  },
  version: 3,
};

describe("a keystore", () => {
  test("of the format's own example is opened", async () => {
    expect(await openKeystore(JSON.stringify(byPbkdf2), "testpassword")).toBe(secret);
  });

  test("with scrypt is opened, and a short key gets its zeros back", async () => {
    const key = "0x00fa7b3db73dc7dfdf8c5fbdb796d741e4488628c41fc4febd9160a866ba0f35";
    expect(await openKeystore(JSON.stringify(byScrypt), "foo")).toBe(key);
  });

  test("may have the capital letter and the prefixes of old ones", async () => {
    const { crypto } = byPbkdf2;
    const old = { Crypto: { ...crypto, mac: `0x${crypto.mac.toUpperCase()}` }, version: 3 };
    expect(await openKeystore(JSON.stringify(old), "testpassword")).toBe(secret);
  });

  test("is not opened by another password", async () => {
    const opening = openKeystore(JSON.stringify(byPbkdf2), "Testpassword");
    await expect(opening).rejects.toThrow("The password does not open the keystore.");
    await expect(opening).rejects.toBeInstanceOf(OperatorError);
  });

  test("comes back from what we write", async () => {
    const key = `0x${systemRandom.bytes(32).toString("hex")}` as const;
    const json = await writeKeystore(key, "pass wörd", systemRandom);
    expect(json).not.toContain(key.slice(2));
    expect(await openKeystore(json, "pass wörd")).toBe(key);
  });

  test.each<[what: string, json: string, why: string]>([
    ["no JSON", "secret", "no JSON object"],
    ["a list", "[]", "no JSON object"],
    ["an older version", JSON.stringify({ ...byPbkdf2, version: 1 }), "version 3"],
    ["another cipher", changed({ cipher: "aes-128-cbc" }), "cipher"],
    ["a kdf that we do not know", changed({ kdf: "argon2" }), "neither scrypt nor pbkdf2"],
    ["no parameters", changed({ kdfparams: null }), "kdfparams"],
    ["a long text", changed({ ciphertext: "00".repeat(33) }), "longer than 32 bytes"],
    ["a salt that is no hex", changed({}, { salt: "salt" }), "salt is not hex"],
    ["years of work", changed({}, { c: 1e12 }), "rounds"],
    ["too much memory", changed({ kdf: "scrypt" }, { n: 2 ** 30, r: 8, p: 1 }), "1 GiB"],
    ["an r too small for n", changed({ kdf: "scrypt" }, { n: 2 ** 18, r: 1, p: 8 }), "with r 8"],
    ["an odd cost", changed({ kdf: "scrypt" }, { n: 1000, r: 8, p: 1 }), "scrypt parameters"],
    ["another's address", JSON.stringify({ ...byPbkdf2, address: "00" }), "its key is of"],
  ])("is refused with words: %s", async (_, json, why) => {
    const opening = openKeystore(json, "testpassword");
    await expect(opening).rejects.toBeInstanceOf(OperatorError);
    await expect(opening).rejects.toThrow(why);
  });
});

function changed(crypto: object, kdfparams: object = {}): string {
  const params = { ...byPbkdf2.crypto.kdfparams, ...kdfparams };
  return JSON.stringify({
    ...byPbkdf2,
    crypto: { ...byPbkdf2.crypto, kdfparams: params, ...crypto },
  });
}
