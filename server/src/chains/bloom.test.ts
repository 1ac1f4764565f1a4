import { keccak256, stringToHex } from "viem/utils";
import { expect, test } from "vitest";
import { addressOf, bloomOf, hashOf } from "../../test/fake-chain.ts";
import { emptyBloom, mayContain } from "./bloom.ts";

test("a bloom is made as go-ethereum makes it", () => {
  const texts = Array.from({ length: 100 }, (_, at) => `xxxxxxxxxx data ${at} yyyyyyyyyyyyyy`);
  const bloom = bloomOf(texts.map((text) => stringToHex(text)));
  expect(keccak256(bloom)).toBe(
    "0xc8d3ca65cdb4874300a9e39475508f23ed6da09fdbc487f89a2dcf50b09eb263",
  );
});

test("what is in a bloom is found, and hardly anything else", () => {
  const inside = Array.from({ length: 50 }, (_, at) => addressOf(`inside ${at}`));
  const bloom = bloomOf(inside);
  expect(inside.every((address) => mayContain(bloom, address))).toBe(true);
  const outside = Array.from({ length: 1_000 }, (_, at) => hashOf(`outside ${at}`));
  expect(outside.filter((topic) => mayContain(bloom, topic)).length).toBeLessThan(10);
});

test("an empty bloom holds nothing", () => {
  expect(bloomOf([])).toBe(emptyBloom);
  expect(mayContain(emptyBloom, addressOf("anybody"))).toBe(false);
});
