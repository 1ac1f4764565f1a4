import { describe, expect, test } from "vitest";
import { eventTypes } from "../../../server/src/ramp/events/event-types.ts";
import { useApp } from "../../../server/test/test-app.ts";
import { commandLine, fakeService } from "../../test/command-line.ts";
import { scenes } from "../sandbox-scenes.ts";

const app = useApp();
const trigger = (...args: string[]) =>
  commandLine().run("trigger", ...args, "--url", app.url, "--api-key", "slp_sandbox_master");

describe("slipway trigger", () => {
  test("makes every event happen that it lists, and the books stay right", async () => {
    for (const [name, { event = name }] of Object.entries(scenes)) {
      const { code, out, errors } = await trigger(name, "--json");
      expect([name, code, code === 0 ? "" : errors]).toEqual([name, 0, ""]);
      expect(JSON.parse(out)).toMatchObject({ type: event });
    }
    const { checks } = await app.as("operator").operator.invariants();
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  });

  test("knows a way to every event but the test of webhooks", () => {
    expect(eventTypes.filter((type) => !(type in scenes))).toEqual(["webhook.test"]);
  });

  test("tells what it does, step by step", async () => {
    const { code, out, errors } = await trigger("ach.return", "R14");
    expect(code).toBe(0);
    expect(out).toMatch(/^\S+ {2}\d+ {2}ramp\.transaction\.returned {2}txn-\d+\n$/);
    expect(errors).toMatch(/· sale txn-\d+ of 100 USDC\n· deposit of 100 USDC\n/);
    expect(errors).toContain("· the bank returns it with R14\n");
  });

  test.each([
    [["ramp.transaction.complete"], 'Did you mean "ramp.transaction.completed"?'],
    [[], "Say what is to happen"],
    [["ach.return", "R99"], "from R01 to R85"],
    [["ramp.wallet.created", "R01"], "takes no code"],
  ])("%j is not understood", async (args, message) => {
    const told = await trigger(...args);
    expect(told).toMatchObject({ code: 2, errors: expect.stringContaining(message) });
  });

  test("lists what there is, without a service", async () => {
    const { code, out } = await commandLine().run("trigger", "--list");
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n").length).toBe(Object.keys(scenes).length);
    expect(out).toMatch(/^ach\.return \[R03\] +\S/m);
    const { out: json } = await commandLine().run("trigger", "--list", "--json");
    expect(JSON.parse(json)[0]).toMatchObject({ name: "ramp.transaction.created" });
  });

  test("does nothing in live mode", async () => {
    const { url, asked } = await fakeService(() => {}, { mode: "live" });
    const typed = ["trigger", "ramp.wallet.created", "--url", url, "--api-key", "k"];
    const told = await commandLine().run(...typed);
    expect(told).toMatchObject({ code: 1, errors: expect.stringContaining("in live mode") });
    expect(asked).toEqual([]);
  });
});
