import { createHmac, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Scope } from "@slipway/sdk";
import type { Random } from "../lib/random.ts";

/** What a key may be allowed to do. */
export const scopes = [
  "data:read",
  "ramp:read",
  "ramp:transactions:write",
  "ramp:methods:write",
  "ramp:subaccounts:write",
  "ramp:accountnumbers:reveal",
  "webhooks:write",
  "requests:read",
  "keys:write",
  "operator",
] as const satisfies readonly Scope[];

/** What a key gets unless told otherwise: everything a customer's program needs. */
export const customerScopes: readonly Scope[] = scopes.filter(
  (scope) => scope !== "operator" && scope !== "keys:write",
);

/** Sandbox keys are fixed, so that every example can be pasted. */
export const sandboxKeys = {
  master: "slp_sandbox_master",
  unverified: "slp_sandbox_unverified",
  operator: "slp_sandbox_operator",
} as const;

/** How the id of a key looks. */
export const keyIdForm = "[0-9A-Za-z_]{1,40}";

/** Whether a key is one that everybody knows, by its id. */
export function isFixedKey(id: string): boolean {
  return Object.values<string>(sandboxKeys).includes(`slp_${id}`);
}

export type Mode = "sandbox" | "live";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const idLength = 10;
const secretLength = 43;
const checksumLength = 6;
const keyForm = /^slp_(live|test)_([0-9A-Za-z]{10})_[0-9A-Za-z]{49}$/;

/** Makes a key: prefix, id, 256 random bits, and a checksum that catches a mistyped one. */
export function newApiKey(mode: Mode, random: Random): { id: string; key: string } {
  const id = randomText(idLength, random);
  const body = `slp_${mode === "live" ? "live" : "test"}_${id}_${randomText(secretLength, random)}`;
  return { id, key: body + checksum(body) };
}

/** The id inside a well-formed key. A mistyped, foreign or sandbox key in live mode costs no database read. */
export function keyIdOf(key: string, mode: Mode): string | undefined {
  if (mode === "sandbox" && isSandboxKey(key)) return key.slice("slp_".length);
  const [, prefix, id] = keyForm.exec(key) ?? [];
  if (!id || prefix !== (mode === "live" ? "live" : "test")) return undefined;
  const body = key.slice(0, -checksumLength);
  return key.slice(-checksumLength) === checksum(body) ? id : undefined;
}

function isSandboxKey(key: string): boolean {
  return Object.values<string>(sandboxKeys).includes(key);
}

/** What is stored of a key. 256 random bits need no slow hash, but a secret that is not in the database. */
export function hashKey(key: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(key).digest();
}

/** Compares in a time that says nothing about where two hashes differ. */
export function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Each byte that would make some characters likelier than others is thrown away. */
function randomText(length: number, random: Random): string {
  let text = "";
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let index = 0; index < checksumLength; index++) {
    text = alphabet[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
