import { keccak256 } from "viem/utils";
import type { Hex } from "./hex.ts";

/** A bloom that says nothing: of an empty block, or of a chain that does not keep blooms. */
export const emptyBloom: Hex = `0x${"0".repeat(512)}`;

/** Filters ask for the same few topics and addresses again and again, and hashing is the costly part. */
const remembered = new Map<Hex, readonly number[]>();
const rememberedMost = 20_000;

/** Whether a block may hold a log with this address or topic. "No" is certain, "yes" is not. */
export function mayContain(bloom: Hex, value: Hex): boolean {
  return bloomBits(value).every((bit) => isSet(bloom, bit));
}

/** The three of 2048 bits that an address or topic sets. */
export function bloomBits(value: Hex): readonly number[] {
  const known = remembered.get(value);
  if (known) return known;
  const hash = keccak256(value, "bytes");
  const bits = [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047);
  if (remembered.size >= rememberedMost) remembered.clear();
  remembered.set(value, bits);
  return bits;
}

/** Bit 0 is the lowest bit of the last digit. */
function isSet(bloom: Hex, bit: number): boolean {
  const digit = bloom.charAt(bloom.length - 1 - (bit >> 2));
  return (Number.parseInt(digit, 16) & (1 << (bit & 3))) !== 0;
}
