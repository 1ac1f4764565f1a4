import { describe, expect, test } from "vitest";
import { sandboxScreening } from "./screening.ts";
import { sandboxVerifier } from "./verifier.ts";

describe("screening in the sandbox", () => {
  test.each([
    ["Ada Lovelace", "clear"],
    ["Ada Sanctioned", "sanctioned"],
    ["sanctioned person", "sanctioned"],
    ["Unsanctioned Person", "clear"],
  ])("%s is %s", async (name, verdict) => {
    expect(await sandboxScreening.person(name)).toBe(verdict);
  });

  test.each([
    ["0x52908400098527886E0F7030069857D2E4169EE7", "clear"],
    ["0x52908400098527886E0F7030069857D2E416dEaD", "sanctioned"],
  ])("%s is %s", async (address, verdict) => {
    expect(await sandboxScreening.wallet("ethereum", address)).toBe(verdict);
  });

  test("has no answer for certain names and addresses", async () => {
    await expect(sandboxScreening.person("Ada Unanswered")).rejects.toThrow("does not answer");
    await expect(sandboxScreening.wallet("base", "0x00fade")).rejects.toThrow("does not answer");
  });
});

test.each([
  ["ada+approve@example.com", "approved"],
  ["ada+REJECT@example.com", "rejected"],
  ["ada+review@example.com", "review"],
  ["ada@example.com", undefined],
  ["approve@example.com", undefined],
])("verification of %s is decided as %s", (email, status) => {
  const account = { id: "usr-1", name: "Ada Lovelace", email };
  expect(sandboxVerifier.decide(account)?.status).toBe(status);
});
