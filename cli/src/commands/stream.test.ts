import type { StreamMessage } from "@slipway/sdk";
import { describe, expect, test } from "vitest";
import { commandLine, fakeService } from "../../test/command-line.ts";
import { messageLines } from "../stream-lines.ts";

const channel = "cex.trades:kraken:BTC-USD";
const trade = (id: number) => ({
  ...{ id: String(id), timestamp: "1794700800000", price: 100.5, size: 0.25, cost: 25.125 },
  side: id % 2 ? ("buy" as const) : ("sell" as const),
});
const trades = (...ids: number[]): StreamMessage => ({
  type: "trades",
  channel,
  trades: ids.map(trade),
});

/** A service whose connections break after two messages each. */
function brittleService() {
  const resumedFrom: (string | undefined)[] = [];
  const service = fakeService((request, response) => {
    const from = request.headers["last-event-id"] as string | undefined;
    resumedFrom.push(from);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const next = Number(from ?? 0);
    response.write(
      `retry: 1\ndata: ${JSON.stringify({ type: "subscribed", channel, resumed: next > 0 })}\n\n`,
    );
    for (const id of [next + 1, next + 2]) {
      response.write(`id: ${id}\ndata: ${JSON.stringify(trades(id))}\n\n`);
    }
    response.end();
  });
  return service.then(({ url, asked }) => ({ url, asked, resumedFrom }));
}

describe("slipway stream", () => {
  test("prints a line for each thing that happens, over broken connections, and ends when told", async () => {
    const { url, asked, resumedFrom } = await brittleService();
    const typed = ["stream", channel, "--count", "3", "--url", url, "--api-key", "k"];
    const { code, out, errors } = await commandLine().run(...typed);
    expect(code).toBe(0);
    const lines = out.split("\n").filter((line) => line.includes("×"));
    expect(lines).toEqual([
      `00:00:00.000  ${channel}  buy   100.5  × 0.25`,
      `00:00:00.000  ${channel}  sell  100.5  × 0.25`,
      `00:00:00.000  ${channel}  buy   100.5  × 0.25`,
    ]);
    expect(out).toContain("goes on where it was");
    expect(resumedFrom).toEqual([undefined, "2"]);
    expect(decodeURIComponent(asked[0] ?? "")).toBe(`/v2/stream?channels=${channel}`);
    expect(errors).toContain(`The connection to ${url} broke. Making another.`);
    expect(errors).toContain("To go on from here: --last-event-id 3\n");
  });

  test("prints messages as they came, from where an earlier stream ended", async () => {
    const { url, resumedFrom } = await brittleService();
    const typed = ["stream", channel, "--json", "--last-event-id", "7", "--count", "1"];
    const { out } = await commandLine().run(...typed, "--url", url, "--api-key", "k");
    const messages = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(messages).toEqual([{ type: "subscribed", channel, resumed: true }, trades(8)]);
    expect(resumedFrom).toEqual(["7"]);
  });

  test("says what the service refuses", async () => {
    const { url } = await fakeService((_, response) => {
      response
        .writeHead(400)
        .end('{"errors": [{"message": "There is no channel x."}], "code": 400}');
    });
    const told = await commandLine().run("stream", "x", "--url", url, "--api-key", "k");
    expect(told).toMatchObject({ code: 1, errors: "slipway: 400: There is no channel x.\n" });
  });
});

const bar = { timestamp: 1_794_700_800, o: "1", h: "2", l: "0.5", c: "1.5", volumeUSD: "10" };
const candle = { timestamp: "1794700800000", o: 1, h: 2, l: 0.5, c: 1.5, volume: 3, closed: true };
const swap = { timestamp: "1794700800", amount0: "-1", amount1: "3500", amountUSD: "3500" };
const levels = {
  bids: [[99, 1]],
  asks: [
    [101, 2],
    [102, 0],
    [103, 1],
    [104, 1],
  ],
};

test.each([
  [{ type: "ping", at: 1 }, []],
  [{ type: "book", nonce: 1, ...levels }, ["book  99 / 101  (1 bids, 4 asks)"]],
  [
    { type: "bookChange", after: 1, nonce: 2, ...levels },
    ["change  bid 99 × 1, ask 101 × 2, ask 102 × 0, ask 103 × 1, 1 more"],
  ],
  [{ type: "candle", candle }, ["o 1  h 2  l 0.5  c 1.5  volume 3  closed"]],
  [{ type: "bar", bar }, ["o 1  h 2  l 0.5  c 1.5  volume 10 USD"]],
  [{ type: "swaps", swaps: [swap] }, ["-1 for 3500  (3500 USD)"]],
  [{ type: "rollback", fromBlock: 7 }, ["from block 7 on nothing of it happened"]],
  [{ type: "gap", reason: "Slow.", refetch: "/v2/x" }, ["something was missed: Slow. Ask /v2/x"]],
  [{ type: "stale", reason: "no news" }, ["silent: no news"]],
  [{ type: "error", message: "No." }, ["No."]],
  [{ type: "unsubscribed" }, ["ends"]],
  [
    { type: "event", event: { sequence: 4, type: "x.y", createdAt: "2026-11-15T00:00:00.000Z" } },
    ["4  x.y"],
  ],
])("%j is told as %j", (message, expected) => {
  const whole = { channel: "c", ...message } as unknown as StreamMessage;
  const lines = messageLines(whole, 1_794_700_800_000, (text) => text);
  expect(lines).toEqual(expected.map((text) => `00:00:00.000  c  ${text}`));
});
