import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { CreatedSubaccount } from "@slipway/sdk";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { chartedPool, useChartsScene } from "../../test/charts-scene.ts";
import { exchange } from "../../test/exchange.ts";

const { app, feed } = useChartsScene();

beforeEach(() => feed.tellStatus());

type Mode = { mode: "legacy" } | { mode: "auto" };

async function connect(headers: Record<string, string>, path = "/mcp", versionNegotiation?: Mode) {
  const client = new Client(
    { name: "test", version: "1" },
    versionNegotiation ? { versionNegotiation } : {},
  );
  const url = new URL(app.url + path);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

const asMaster = () => connect({ apiKey: "slp_sandbox_master" });

type Called = { isError?: boolean; structuredContent?: unknown; content: { text?: string }[] };
async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const result = (await client.callTool({ name, arguments: given })) as Called;
  return { ...result, text: result.content.map(({ text }) => text).join("\n") };
}

describe("/mcp", () => {
  test("lists tools that only read, with what they take", async () => {
    const { tools } = await (await asMaster()).listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        "cex_current_price",
        "cex_candles",
        "cex_order_book",
        "dex_tokens",
        "dex_pool_trades",
        "blocks",
        "ramp_transactions",
        "ramp_wallets",
      ]),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => /operator|sandbox|stream|udf|key|^ws/.test(name))).toEqual([]);
    for (const { name, description, annotations } of tools) {
      expect([name, annotations?.readOnlyHint]).toEqual([name, true]);
      expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
      expect(description).toMatch(/\w\. .*(Covers|USD|Unix)/s);
    }
    const { inputSchema } = tools.find(({ name }) => name === "cex_candles") ?? {};
    expect(inputSchema).toMatchObject({
      required: ["exchange", "market"],
      properties: {
        limit: { default: 20, maximum: 1_000 },
        timeframe: { enum: expect.arrayContaining(["1m", "1d"]) },
      },
    });
  });

  test("answers with the JSON of the endpoint, as text and as a value", async () => {
    const client = await asMaster();
    const price = await call(client, "cex_current_price", {
      exchange: "kraken",
      market: "BTC-USD",
    });
    const answer = await (await app.ask("/v2/cex/kraken/BTC-USD/currentprice")).text();
    expect(price.text).toBe(answer);
    expect(price.structuredContent).toEqual(JSON.parse(answer));
    const pool = { exchange: "uniswap-v3", blockchain: "ethereum", pool: chartedPool };
    const bars = await call(client, "dex_pool_bars", { ...pool, timeframe: "hour", limit: 2 });
    expect(bars.structuredContent).toMatchObject({ poolAggregates: [{ c: "3001" }, {}] });
    const tokens = await call(client, "dex_tokens", { ...pool });
    expect(tokens.structuredContent).toMatchObject({ items: [{ symbol: "USDC" }, {}] });
  });

  test("keeps lists short, and says how to go on", async () => {
    const given = { exchange: "kraken", market: "BTC-USD", timeframe: "1m", limit: 2 };
    const { content, structuredContent } = await call(await asMaster(), "cex_candles", given);
    expect(structuredContent).toMatchObject({ aggregates: [{}, {}] });
    expect(content[1]?.text).toMatch(/^There is more: after=\S+$/);
    const after = content[1]?.text?.split("=")[1];
    const next = await call(await asMaster(), "cex_candles", { ...given, after });
    expect(next.isError).toBeFalsy();
    expect(next.structuredContent).not.toEqual(structuredContent);
  });

  test("reads the account of the key, and a subaccount for its master", async () => {
    const created = await app.ask("/v2/ramp/subaccounts", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Ada Lovelace", email: "ada@example.org" }),
    });
    const { newSubAccountId: id } = (await created.json()) as CreatedSubaccount;
    const client = await asMaster();
    const list = await call(client, "ramp_subaccounts");
    expect(list.structuredContent).toMatchObject({ items: [{ id, name: "Ada Lovelace" }] });
    const wallets = await call(client, "ramp_wallets", { userId: id });
    expect(wallets.structuredContent).toEqual({ items: [] });
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    [
      "an argument that lacks",
      "cex_market",
      { exchange: "kraken" },
      "Required field is missing: market",
    ],
    ["a market that is not there", "cex_market", { exchange: "kraken", market: "X" }, "market"],
    [
      "a wrong argument",
      "blocks",
      { blockchain: "ethereum", limit: 0 },
      "limit must be a whole number",
    ],
    ["an argument of the wrong kind", "blocks", { blockchain: { a: 1 } }, "not served"],
    ["somebody else's subaccount", "ramp_wallets", { userId: "usr-999" }, "not a subaccount"],
  ])("says what is wrong: %s", async (_, name, given, message) => {
    const { isError, text } = await call(await asMaster(), name, given);
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(message) });
  });

  test("takes the key as a bearer token or in the URL, and refuses two that differ", async () => {
    const price = { exchange: "kraken", market: "BTC-USD" };
    const isRefused = async (client: Client) =>
      (await call(client, "cex_current_price", price)).isError === true;
    const bearer = { authorization: "Bearer slp_sandbox_master" };
    expect(await isRefused(await connect(bearer))).toBe(false);
    expect(await isRefused(await connect({}, "/mcp?apiKey=slp_sandbox_master"))).toBe(false);
    expect(await isRefused(await connect({ ...bearer, apiKey: "slp_sandbox_operator" }))).toBe(
      true,
    );
  });

  test("lists tools without a key, and answers none", async () => {
    const client = await connect({});
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    expect(await call(client, "cex_exchanges")).toMatchObject({
      isError: true,
      text: "The API key is invalid.",
    });
  });

  test.each<Mode>([{ mode: "legacy" }, { mode: "auto" }])(
    "speaks the protocol of last year and of this: $mode",
    async (mode) => {
      const client = await connect({ apiKey: "slp_sandbox_master" }, "/mcp", mode);
      expect((await call(client, "cex_exchanges")).structuredContent).toMatchObject({
        items: [{ id: "kraken" }],
      });
    },
  );

  test("is not for pages of other sites, nor under another name than this machine's", async () => {
    const ask = (headers: string) =>
      exchange(
        app.url,
        `POST /mcp HTTP/1.1\r\n${headers}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
      );
    expect(await ask("Host: evil.example")).toMatch(/^HTTP\/1.1 403 /);
    expect(await ask("Host: localhost\r\nOrigin: https://evil.example")).toMatch(/^HTTP\/1.1 403 /);
    expect(await ask("Host: localhost\r\nOrigin: http://localhost:6274")).toMatch(
      /^HTTP\/1.1 400 /,
    );
    expect(await ask("Host: [")).toMatch(/^HTTP\/1.1 400 /);
  });

  test("is a POST", async () => {
    const response = await app.ask("/mcp");
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });
});
