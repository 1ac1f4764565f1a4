import { expect, test } from "vitest";
import { parseYaml } from "./yaml.ts";

test.each([
  ["0x4200000000000000000000000000000000000006", "0x4200000000000000000000000000000000000006"],
  ["0x10", "0x10"],
  ["12369621", 12_369_621],
  ["0o17", 15],
  ["1.5", 1.5],
  ["{a: [0xAb, true, null], b: text}", { a: ["0xAb", true, null], b: "text" }],
  ['{"a": "0x1", "b": [1]}', { a: "0x1", b: [1] }],
])("%s", (text, value) => {
  expect(parseYaml(text)).toEqual(value);
});
