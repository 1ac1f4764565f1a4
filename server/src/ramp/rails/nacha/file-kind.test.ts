import { expect, test } from "vitest";
import { golden } from "../../../../test/ach-examples.ts";
import { achKindOf } from "./file-kind.ts";

const kindOf = (text: string) => achKindOf(Buffer.from(text, "latin1"));

test("files of payments and of returns are told apart", () => {
  expect(achKindOf(golden("ppd"))).toBe("payments");
  expect(achKindOf(golden("ccd-and-ppd"))).toBe("payments");
  expect(achKindOf(golden("returns"))).toBe("returns");
  expect(achKindOf(golden("corrections"))).toBe("returns");
});

test("a bank's file in which nothing came back is one of returns", () => {
  const [header = ""] = golden("returns").toString().split("\n");
  expect(kindOf(`${header}\n`)).toBe("returns");
});

test("returns are also known by what follows their entries", () => {
  const returns = golden("returns").toString("latin1");
  expect(kindOf(returns.replace("621", "622"))).toBe("returns");
  expect(kindOf(returns.replaceAll("\n", "\r\n").replace("621", "622"))).toBe("returns");
});

test.each([
  "",
  "\n",
  "101",
  "hello",
  '<?xml version="1.0"?><Document/>',
  "\u0000\u00ff".repeat(99),
])("%j is none", (text) => {
  expect(kindOf(text)).toBeUndefined();
});
