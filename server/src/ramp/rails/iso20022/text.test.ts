import fc from "fast-check";
import { expect, test } from "vitest";
import { strangeTexts } from "../../../../test/wire-messages.ts";
import { wireText } from "./text.ts";

test.each([
  ["Johnson & Johnson's, Inc.", "Johnson & Johnson's, Inc."],
  ["Łukasz Ångström-O’Neill", "Lukasz Angstrom-O'Neill"],
  ["Straße “Œuvre” – Ærø", "Strasse 'OEuvre' - AEro"],
  ['<b>"Tom"</b> [x] {y} a|b \\ c', "(b)'Tom'(/b) (x) (y) a/b / c"],
  ["ﬁ ½ № ①", "fi 1/2 No 1"],
  ["李明 😀", "?? ?"],
  ["  a\t\n b\u0000c\u200b  ", "a b c"],
  ["", ""],
])("%j becomes %j", (text, expected) => {
  expect(wireText(text, 140)).toBe(expected);
});

test("a text is cut, and ends with no space", () => {
  expect(wireText("Jane Doe", 5)).toBe("Jane");
  expect(wireText("ßßß", 3)).toBe("sss");
});

test("whatever comes in, what comes out can be sent and does not change again", () => {
  fc.assert(
    fc.property(strangeTexts, fc.nat(150), (text, length) => {
      const made = wireText(text, length);
      expect(made).toMatch(/^(?! )[0-9A-Za-z /\-?:().,'+&#$%!@;=_]*(?<! )$/);
      expect(made.length).toBeLessThanOrEqual(length);
      expect(wireText(made, length)).toBe(made);
    }),
  );
});
