import { createCipheriv, createDecipheriv, pbkdf2, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { keccak256 } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import { OperatorError } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/is-object.ts";
import type { Random } from "../../../lib/random.ts";
import { addressOf } from "./keys.ts";

const pbkdf2Async = promisify(pbkdf2);
const scryptAsync = promisify<string, Buffer, number, object, Buffer>(scrypt);

const cipher = "aes-128-ctr";
const keyBytes = 32;

/** Costs of the keystores that we write: 128 MiB, and about half a second. */
const costs = { n: 2 ** 17, r: 8, p: 1 };

/** Keystores that would take more than this are not opened: nobody wrote them to be used. */
const memoryMost = 2 ** 30;
const roundsMost = 10_000_000;

/** The private key in a keystore of version 3. */
export async function openKeystore(json: string, password: string): Promise<Hex> {
  const { version, crypto, address } = readJson(json);
  if (version !== 3 || !isObject(crypto)) throw unusable("it is not of version 3");
  if (crypto.cipher !== cipher) throw unusable(`its cipher is not ${cipher}`);
  const ciphertext = bytesIn(crypto.ciphertext, "ciphertext");
  if (ciphertext.length > keyBytes) throw unusable(`its key is longer than ${keyBytes} bytes`);
  const { iv } = objectIn(crypto.cipherparams, "cipherparams");
  const derived = await derive(crypto, password);
  if (!timingSafeEqual(macOf(derived, ciphertext), bytesIn(crypto.mac, "mac", 32)))
    throw new OperatorError("The password does not open the keystore.");
  const opened = createDecipheriv(cipher, derived.subarray(0, 16), bytesIn(iv, "iv", 16));
  // Some programs leave out zeros at its beginning.
  const digits = opened
    .update(ciphertext)
    .toString("hex")
    .padStart(2 * keyBytes, "0");
  const privateKey: Hex = `0x${digits}`;
  const own = addressOf(privateKey).slice(2);
  if (typeof address === "string" && address.toLowerCase().replace(/^0x/, "") !== own)
    throw unusable(`it says that it is of ${address}, but its key is of 0x${own}`);
  return privateKey;
}

/** Locks a private key into a keystore of version 3. */
export async function writeKeystore(
  privateKey: Hex,
  password: string,
  random: Random,
): Promise<string> {
  const salt = random.bytes(32);
  const iv = random.bytes(16);
  const { n, r, p } = costs;
  const kdfparams = { n, r, p, dklen: keyBytes, salt: salt.toString("hex") };
  const derived = await derive({ kdf: "scrypt", kdfparams }, password);
  const locking = createCipheriv(cipher, derived.subarray(0, 16), iv);
  const ciphertext = locking.update(Buffer.from(privateKey.slice(2), "hex"));
  const crypto = {
    ...{ cipher, cipherparams: { iv: iv.toString("hex") }, ciphertext: ciphertext.toString("hex") },
    ...{ kdf: "scrypt", kdfparams, mac: macOf(derived, ciphertext).toString("hex") },
  };
  const keystore = {
    version: 3,
    id: newUuid(random),
    address: addressOf(privateKey).slice(2),
    crypto,
  };
  return `${JSON.stringify(keystore, undefined, 2)}\n`;
}

/** Makes a key of the password, by the way that the keystore names. */
async function derive(crypto: Record<string, unknown>, password: string): Promise<Buffer> {
  const params = objectIn(crypto.kdfparams, "kdfparams");
  const salt = bytesIn(params.salt, "salt");
  if (params.dklen !== keyBytes) throw unusable(`dklen is not ${keyBytes}`);
  if (crypto.kdf === "scrypt") {
    const [N, r, p] = [numberIn(params.n, "n"), numberIn(params.r, "r"), numberIn(params.p, "p")];
    const memory = 128 * r * (N + p + 2);
    if (memory > memoryMost) throw unusable("its scrypt would take more than 1 GiB");
    if (N >= 2 ** (16 * r)) throw unusable(`n is ${N} with r ${r}; write it again with r 8`);
    return scryptAsync(password, salt, keyBytes, { N, r, p, maxmem: memory }).catch(() => {
      throw unusable("its scrypt parameters cannot be");
    });
  }
  if (crypto.kdf !== "pbkdf2" || params.prf !== "hmac-sha256")
    throw unusable("its kdf is neither scrypt nor pbkdf2 with hmac-sha256");
  const rounds = numberIn(params.c, "c");
  if (rounds > roundsMost) throw unusable(`its pbkdf2 has more than ${roundsMost} rounds`);
  return pbkdf2Async(password, salt, rounds, keyBytes, "sha256");
}

/** Shows whether the password was right. */
function macOf(derived: Buffer, ciphertext: Buffer): Buffer {
  const text = Buffer.concat([derived.subarray(16, 32), ciphertext]);
  return Buffer.from(keccak256(text, "bytes"));
}

function readJson(json: string): Record<string, unknown> {
  let keystore: unknown;
  try {
    keystore = JSON.parse(json);
  } catch {
    // What is not JSON is no object either.
  }
  if (!isObject(keystore)) throw unusable("it is no JSON object");
  // The oldest ones have a capital letter here.
  return { ...keystore, crypto: keystore.crypto ?? keystore.Crypto };
}

function objectIn(value: unknown, name: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw unusable(`${name} is missing`);
}

function bytesIn(value: unknown, name: string, length?: number): Buffer {
  if (typeof value === "string" && /^(?:0x)?(?:[0-9a-f]{2})*$/i.test(value)) {
    const bytes = Buffer.from(value.replace(/^0x/, ""), "hex");
    if (length === undefined || bytes.length === length) return bytes;
  }
  throw unusable(`${name} is not ${length === undefined ? "hex" : `${length} bytes in hex`}`);
}

function numberIn(value: unknown, name: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw unusable(`${name} is no number`);
}

const unusable = (why: string) => new OperatorError(`The keystore cannot be used: ${why}.`);

function newUuid(random: Random): string {
  const hex = random.bytes(16).toString("hex");
  const variant = "89ab"[random.below(4)];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join("-");
}
