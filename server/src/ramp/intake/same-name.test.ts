import { expect, test } from "vitest";
import { isSameName } from "./same-name.ts";

test.each([
  ["ADA LOVELACE", "Ada Lovelace"],
  ["Lovelace, Ada", "Ada Lovelace"],
  ["ADA KING LOVELACE", "Ada Lovelace"],
  ["ADA K. LOVELACE", "Ada King Lovelace"],
  ["Ada Lovelace", "Ada King Lovelace"],
  ["Ada King Lovelace", "Ada K. Lovelace"],
  ["JOSE NUNEZ", "José Núñez"],
  ["O'Brien Sean", "Seán O’Brien"],
  ["ACME LLC", "Acme, LLC."],
  ["PLATO", "Plato"],
])("%s is %s", (sender, verified) => {
  expect(isSameName(sender, verified)).toBe(true);
});

test.each([
  ["GRACE HOPPER", "Ada Lovelace"],
  ["ADA BYRON", "Ada Lovelace"],
  ["ADA MARY LOVELACE", "Ada King Lovelace"],
  ["ADA LOVELACE AND SONS TRUST", "Ada Lovelace"],
  ["ADA", "Ada Lovelace"],
  ["LOVELACE LOVELACE", "Ada Lovelace"],
  ["", "Ada Lovelace"],
  ["ADA LOVELACE", ""],
  ["...", "---"],
])("%s is not %s", (sender, verified) => {
  expect(isSameName(sender, verified)).toBe(false);
});
