import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OperatorError } from "./errors.ts";
import { systemRandom as random } from "./random.ts";
import { openSealer } from "./seal.ts";

const digestKey = Buffer.alloc(32, 9);
const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const sealer = openSealer({ keys: [first], digestKey, random });
const afterRotation = openSealer({ keys: [second, first], digestKey, random });
const onlySecond = openSealer({ keys: [second], digestKey, random });

const place = "bank_accounts|sealed|bac-1|usr-1";
const text = fc.string({ unit: "grapheme", maxLength: 300 });
const changed = /was changed, or belongs to another place/;

describe("what was sealed", () => {
  test("opens at its place", () => {
    fc.assert(
      fc.property(text, text, (secret, where) => {
        expect(sealer.open(sealer.seal(secret, where), where)).toBe(secret);
      }),
    );
  });

  test("opens nowhere else", () => {
    fc.assert(
      fc.property(text, text, text, (secret, where, elsewhere) => {
        fc.pre(where !== elsewhere);
        expect(() => sealer.open(sealer.seal(secret, where), elsewhere)).toThrow(changed);
      }),
    );
  });

  test("does not open with any bit flipped or any byte cut off", () => {
    const sealed = sealer.seal("000123456789", place);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const flipped = Buffer.from(sealed);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => sealer.open(flipped, place)).toThrow();
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => sealer.open(sealed.subarray(0, length), place)).toThrow();
    }
  });

  test("looks different each time, and shows nothing of the text", () => {
    const [one, other] = [sealer.seal("000123456789", place), sealer.seal("000123456789", place)];
    expect(one.equals(other)).toBe(false);
    expect(one.includes("000123456789")).toBe(false);
  });

  test("with a key that is not configured asks the operator for it", () => {
    const sealed = sealer.seal("000123456789", place);
    expect(() => onlySecond.open(sealed, place)).toThrow(OperatorError);
    expect(() => onlySecond.rewrap(sealed)).toThrow("SLIPWAY_ENCRYPTION_KEYS");
  });
});

describe("a new master key", () => {
  test("takes over without what was sealed being encrypted again", () => {
    fc.assert(
      fc.property(text, (secret) => {
        const sealed = sealer.seal(secret, place);
        expect(afterRotation.open(sealed, place)).toBe(secret);
        const rewrapped = afterRotation.rewrap(sealed);
        expect(rewrapped && onlySecond.open(rewrapped, place)).toBe(secret);
        expect(rewrapped && afterRotation.rewrap(rewrapped)).toBeUndefined();
        const contentLength = Buffer.byteLength(secret) + 12 + 16;
        expect(rewrapped?.subarray(-contentLength)).toEqual(sealed.subarray(-contentLength));
      }),
    );
  });

  test("does not make a moved value open", () => {
    const rewrapped = afterRotation.rewrap(sealer.seal("000123456789", place));
    expect(() => rewrapped && onlySecond.open(rewrapped, `${place}0`)).toThrow(changed);
  });
});

describe("a digest", () => {
  test("is the same for the same text only, and depends on its key", () => {
    const other = openSealer({ keys: [first], digestKey: Buffer.alloc(32, 8), random });
    expect(sealer.digest("021000021|1")).toEqual(afterRotation.digest("021000021|1"));
    expect(sealer.digest("021000021|1")).not.toEqual(sealer.digest("021000021|2"));
    expect(sealer.digest("021000021|1")).not.toEqual(other.digest("021000021|1"));
  });
});

test("a sealer needs whole keys", () => {
  expect(() => openSealer({ keys: [], digestKey, random })).toThrow("there is a master key");
  expect(() => openSealer({ keys: [Buffer.alloc(31)], digestKey, random })).toThrow("32 bytes");
});
