import { describe, expect, test } from "vitest";
import { broken, ok, warning } from "./check.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { isWell, jsonOf, textOf } from "./report.ts";

const trouble = { what: "It leaks.", why: "Water is lost.", fix: "Close the tap." };
const well = { name: "roof", findings: [ok("holds")] };
const leaking = { name: "tap", findings: [ok("is there"), warning(trouble)] };
const burst = { name: "hot water", findings: [broken(trouble)] };
const absent = { name: "a cellar that there is not", findings: [] };

describe("a report for people", () => {
  test("says below each trouble why it matters and what to do", () => {
    expect(textOf([well, leaking, absent])).toBe(
      [
        "ok       roof  holds",
        "ok       tap   is there",
        "warning  tap   It leaks.",
        "               Water is lost.",
        "               → Close the tap.",
        "",
        "0 broken, 1 to look at, 2 well.",
      ].join("\n"),
    );
  });

  test("ends well when nothing is wrong", () => {
    expect(textOf([well, absent])).toMatch(/\nAll is well: 1 things were looked at\.$/);
  });
});

test("for programs it has the worst state of each check, and whether nothing is broken", () => {
  expect(jsonOf([well, leaking, absent])).toEqual({
    ok: true,
    checks: [
      { ...well, state: "ok" },
      { ...leaking, state: "warning" },
    ],
  });
  expect(jsonOf([leaking, burst])).toMatchObject({ ok: false, checks: [{}, { state: "broken" }] });
  expect([isWell([leaking]), isWell([burst])]).toEqual([true, false]);
});

test("whatever the settings call a secret is not shown, wherever it comes from", () => {
  const secrets = [
    "postgres://slipway:hunter%212@db.internal/slipway",
    ["https://one.example/v3/0123456789abcdef01?key=fedcba9876543210&chain=mainnet"],
    "0xfeedfeedfeedfeed",
    undefined,
  ];
  const lines = secrets.map((value) => ({ value, isSecret: true }));
  const text =
    "slipway at mainnet of one.example: hunter%212 hunter!2 0123456789abcdef01 fedcba9876543210 0xfeedfeedfeedfeed";
  const findings = [ok(text), broken({ what: text, why: text, fix: text })];
  const hidden = "slipway at mainnet of one.example: *** *** *** *** ***";
  expect(hideSecrets([{ name: "node", findings }], lines)).toEqual([
    { name: "node", findings: [ok(hidden), broken({ what: hidden, why: hidden, fix: hidden })] },
  ]);
  expect(
    hideSecrets([{ name: "node", findings }], [{ value: "mainnet", isSecret: false }]),
  ).toEqual([{ name: "node", findings }]);
});
