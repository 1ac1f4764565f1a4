import { afterEach, expect, test } from "vitest";
import { recordingLog } from "../../../test/silent-log.ts";
import { systemClock } from "../../lib/clock.ts";
import { systemRandom } from "../../lib/random.ts";
import { type SandboxExchange, startSandboxExchange } from "./sandbox-exchange.ts";

/** A thread cannot run our sources, only what is built of them. */
const file = new URL("../../../dist/sandbox/exchange/exchange-thread.js", import.meta.url);
const { log, lines } = recordingLog();
let exchange: SandboxExchange;
afterEach(() => exchange.stop());

const trades = async () => {
  const path = "api.kraken.com/0/public/Trades?pair=XBTUSD&since=1750000000&count=3";
  const response = await fetch(`${exchange.baseUrl}/${path}`).catch(() => undefined);
  return response && ((await response.json()) as { result: unknown }).result;
};

test("the exchange runs in a thread, has the same past after a restart, and ends when told to", async () => {
  exchange = await startSandboxExchange({ clock: systemClock, random: systemRandom, log, file });
  expect(exchange.health()).toEqual({ state: "running", restarts: 0, lastError: null });
  const past = await trades();
  expect(past).toMatchObject({ last: expect.stringMatching(/^1750000\d{12}$/) });
  await exchange.stop();
  expect(await trades()).toBeUndefined();

  exchange = await startSandboxExchange({ clock: systemClock, random: systemRandom, log, file });
  expect(await trades()).toEqual(past);
});

test("an exchange that ends is started again on the port it had, and what it warns of is logged", async () => {
  const brief = new URL("../../../test/threads/short-lived-exchange.js", import.meta.url);
  const options = { clock: systemClock, random: systemRandom, log, file: brief };
  exchange = await startSandboxExchange(options);
  expect(exchange.baseUrl).toBe("http://127.0.0.1:4711");
  await expect.poll(() => exchange.health().restarts).toBeGreaterThan(0);
  await expect.poll(() => lines.join("")).toContain("started on port 4711");
  expect(lines.join("")).toContain("started on port 0");
});
