import type { DexHealth } from "@slipway/sdk";
import { describe, expect, test } from "vitest";
import { commandLine, fakeService } from "../../test/command-line.ts";

const hour = 3_600_000;

describe("slipway backfill cex", () => {
  /** An exchange that has candles since ten days ago. */
  function exchange(since: number) {
    return fakeService((request, response) => {
      const query = new URLSearchParams(request.url?.split("?")[1]);
      const aggregates: { timestamp: string }[] = [];
      const last = Math.floor(Number(query.get("to")) / hour) * hour;
      for (let time = last; time >= Math.max(since, Number(query.get("from"))); time -= hour)
        aggregates.push({ timestamp: String(time) });
      response.end(JSON.stringify({ aggregates }));
    });
  }

  test("asks for spans that leave nothing out, newest first, and says what there is", async () => {
    const now = Date.now();
    const since = Math.ceil((now - 1_200 * hour) / hour) * hour;
    const { url, asked } = await exchange(since);
    const from = new Date(now - 1_700 * hour).toISOString();
    const typed = ["backfill", "cex", "kraken", "BTC-USD", "--from", from, "--url", url];
    const { code, out, errors } = await commandLine().run(...typed, "--api-key", "k", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ candles: 1_200, since: new Date(since).toISOString() });
    const spans = asked.map((path) => new URLSearchParams(path.split("?")[1]));
    expect(spans.length).toBe(4);
    for (const [index, span] of spans.slice(1).entries())
      expect(Number(span.get("to"))).toBe(Number(spans[index]?.get("from")) - 1);
    expect(Number(spans.at(-1)?.get("from"))).toBe(Date.parse(from));
    expect(errors).toContain("BTC-USD 1h: 100 %, done");
  });

  test.each([
    [["--from", "yesterday"], 2, "such as 2026-01-01"],
    [["--from", "2026-01-01", "--timeframe", "2h"], 2, "one of 1m, 5m"],
    [["--from", "9999-01-01"], 1, "in the future"],
  ])("%j is refused", async (args, code, message) => {
    const { url } = await exchange(0);
    const typed = ["backfill", "cex", "kraken", "BTC-USD", ...args, "--url", url, "--api-key", "k"];
    const told = await commandLine().run(...typed);
    expect(told).toMatchObject({ code, errors: expect.stringContaining(message) });
  });
});

describe("slipway backfill dex", () => {
  const index = (state: DexHealth["state"], block: number): DexHealth => ({
    ...{ state, block, head: 100, lagBlocks: 100 - block, lagSeconds: 0, lastReorg: null },
    reason: state === "stalled" ? "The node does not answer." : null,
    progress: state === "catching up" ? { done: block, total: 100 } : null,
  });

  /** A service that is one step further each time that it is asked. */
  function indexer(...steps: DexHealth[]) {
    const health = {
      mode: "sandbox",
      get dex() {
        return { "uniswap-v3/ethereum": steps.length > 1 ? steps.shift() : steps[0] };
      },
    };
    return fakeService(() => {}, health);
  }

  test("waits until everything is indexed, with a bar", async () => {
    const steps = [index("catching up", 10), index("catching up", 60), index("ok", 100)];
    const { url } = await indexer(steps[0] ?? index("ok", 0), ...steps);
    const typed = ["backfill", "dex", "uniswap-v3", "--url", url, "--api-key", "k"];
    const { code, out, errors } = await commandLine().run(...typed);
    expect({ code, out }).toEqual({ code: 0, out: "uniswap-v3/ethereum: ok, block 100 of 100\n" });
    expect(errors).toMatch(/blocks: 10 %.*\n.*blocks: 60 %/);
  });

  test("only says how far it is when nobody waits; what stands still is an error", async () => {
    const catchingUp = await indexer(index("catching up", 10));
    const typed = ["backfill", "dex", "--no-wait", "--api-key", "k", "--url"];
    const told = await commandLine().run(...typed, catchingUp.url);
    expect(told.out).toBe("uniswap-v3/ethereum: catching up, block 10 of 100, 90 to go\n");
    const json = await commandLine().run(...typed, catchingUp.url, "--json");
    expect(JSON.parse(json.out)["uniswap-v3/ethereum"]).toMatchObject({ block: 10 });
    const stalled = await indexer(index("stalled", 10));
    const { code, out } = await commandLine().run(...typed, stalled.url);
    expect({ code, out }).toMatchObject({
      code: 1,
      out: expect.stringContaining("does not answer"),
    });
    const other = ["backfill", "dex", "sushiswap-v3", "--api-key", "k", "--url", stalled.url];
    const unknown = await commandLine().run(...other);
    expect(unknown.errors).toContain(
      "sushiswap-v3 is not indexed here. There is: uniswap-v3 ethereum.",
    );
  });
});
