import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { Slipway } from "@slipway/sdk";
import type { Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { inBrowser, useConsole } from "./console-browser.ts";

const place = ["uniswap-v3", "ethereum"] as const;
const patience = { timeout: 55_000, interval: 100 };

inBrowser("market pages", () => {
  const console = useConsole();
  let client: Slipway;
  let pool: string;
  let token: string;
  let symbol: string;

  beforeAll(async () => {
    client = new Slipway({ baseUrl: console.url(), apiKey: "slp_sandbox_master" });
    // Enough to look at; the rest of the chain's history comes while we look.
    const largest = await vi.waitFor(async () => {
      const { cex } = await client.health();
      const [found] = await client.dex.pools(...place, { limit: 1 });
      const bars = await client.dex.bars(...place, found?.id ?? "", { timeframe: "hour" });
      if (cex?.kraken?.state !== "ok" || !found || bars.poolAggregates.length < 3) {
        throw new Error("there is too little data yet");
      }
      return found;
    }, patience);
    pool = `/dex/uniswap-v3/ethereum/pool/${largest.id}`;
    token = `/dex/uniswap-v3/ethereum/token/${largest.token1.id}`;
    symbol = largest.token1.symbol;
  });

  /** Each page, and where its live data is. */
  const pages: [string, () => string, string][] = [
    ["the overview", () => "/", "[data-price='BTC-USD']"],
    ["exchanges", () => "/cex", "text=Kraken (sandbox)"],
    ["an exchange", () => "/cex/kraken", "text=ETH/USD"],
    ["a market", () => "/cex/kraken/BTC-USD", "[data-price='BTC-USD']"],
    ["decentralized exchanges", () => "/dex", "text=Uniswap v3 on Ethereum (sandbox)"],
    ["pools", () => "/dex/uniswap-v3/ethereum", "td:has-text(' / ')"],
    ["tokens", () => "/dex/uniswap-v3/ethereum?list=tokens", "td:has-text('0x')"],
    ["a pool", () => pool, "[data-price]"],
    ["a token", () => token, "td:has-text(' / ')"],
  ];

  test.each(pages)(
    "%s: live data, nothing from outside, no barrier, no sideways scrolling",
    async (_, path, live) => {
      const { page, wrong, barriers, sideways } = await console.open(`/console${path()}`, {
        theme: "dark",
      });
      await page.locator(live).filter({ hasText: /\w/ }).first().waitFor();
      await expect.poll(() => page.getByLabel("Loading").count()).toBe(0);
      expect(await barriers()).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await barriers("contrast")).toEqual([]);
      expect(await sideways()).toBe(0);
      expect(wrong).toEqual([]);
      await page.close();
    },
  );

  test("the price, the book and the tape of a market move with the exchange", async () => {
    const { page, wrong } = await console.open("/console/cex/kraken/BTC-USD");
    const shown = () =>
      page.locator("[data-price='BTC-USD'] [title]").first().getAttribute("title");
    const first = await client.cex.price("kraken", "BTC-USD");
    await expect
      .poll(async () => (await client.cex.price("kraken", "BTC-USD")).price)
      .not.toBe(first.price);
    // Both move on: they are the same as soon as one is read between two trades.
    await expect
      .poll(async () => [
        await shown(),
        String((await client.cex.price("kraken", "BTC-USD")).price),
      ])
      .toSatisfy(([onPage, told]: string[]) => onPage === told);
    const nonce = () => page.locator("[data-book]").getAttribute("data-book");
    const before = await nonce();
    await expect.poll(nonce).not.toBe(before);
    const [newest] = (await client.cex.trades("kraken", "BTC-USD", { limit: 1 })).trades;
    await page.locator(`[data-trade='${newest?.id}']`).waitFor({ state: "attached" });
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("a book is grouped as somebody chooses, and the address says so", async () => {
    const { page } = await console.open("/console/cex/kraken/BTC-USD");
    await page.getByLabel("Step").selectOption({ index: 2 });
    expect(new URL(page.url()).searchParams.get("step")).toBe("100");
    const rows = page.locator("[data-book] tbody").first().locator("td:first-child");
    await expect.poll(() => rows.last().textContent()).toMatch(/^[\d,]+0$/);
    await page.close();
  });

  test("a pool's price can be seen from both sides", async () => {
    const { page } = await console.open(`/console${pool}`);
    const shown = page.locator("[data-price] [title]").first();
    const [one, other] = [await shown.getAttribute("title"), await flipped(page)];
    expect(Number(one) * Number(other)).toBeCloseTo(1, 6);
    expect(new URL(page.url()).searchParams.get("of")).not.toBeNull();
    await page.close();
  });

  async function flipped(page: Page): Promise<string | null> {
    const side = page.locator("[data-price]").first();
    const before = await side.getAttribute("data-price");
    await page.getByRole("button", { name: "Flip" }).click();
    await expect.poll(() => side.getAttribute("data-price")).not.toBe(before);
    return side.locator("[title]").first().getAttribute("title");
  }

  test("candles can be walked over by keyboard, and read as a table", async () => {
    const { page } = await console.open(`/console${pool}`);
    const chart = page.getByRole("group", { name: /^Candles of the pool/ });
    await chart.press("ArrowLeft");
    await chart.press("ArrowLeft");
    await page.getByText(/UTC: open .*, high .*, low .*, close /).waitFor();
    await page.getByRole("button", { name: "View as table" }).first().click();
    await page.getByRole("columnheader", { name: "Close" }).waitFor();
    await page.close();
  });

  test("swaps are filtered in the page, and it says how far it looked", async () => {
    const { page } = await console.open(`/console${pool}?side=buy`);
    await page
      .getByText(/▲ buys/)
      .first()
      .waitFor();
    expect(await page.getByText(/▼ sells/).count()).toBe(0);
    await page.getByLabel("At least $").fill("999999999999");
    await page.getByText(/^0 of the newest \d+ swaps: the filter looks no further\.$/).waitFor();
    await page.getByText("None of them passes the filter.").waitFor();
    await page.close();
  });

  test("a list is downloaded with the key that it needs", async () => {
    const { page, wrong } = await console.open(`/console${pool}`);
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Bars as CSV" }).click();
    const file = await (await coming).path();
    expect((await readFile(file, "utf8")).split("\n")[0]).toContain("token0Price");
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("search finds a market, a pasted address, an id and an endpoint without the mouse", async () => {
    const { page, wrong } = await console.open("/console/cex");
    await page.getByRole("heading", { name: "Exchanges" }).waitFor();
    const search = async (wanted: string, result: string) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search" }).fill(wanted);
      await page.getByRole("option").filter({ hasText: result }).first().waitFor();
      await page.keyboard.press("Enter");
    };
    await search("eth/usd", "ETH/USD");
    await expect.poll(() => page.url()).toContain("/console/cex/kraken/ETH-USD");
    await search(token.split("/").at(-1) ?? "", symbol);
    await expect.poll(() => page.url()).toContain(token);
    await search("order book, best", "/orders");
    await expect.poll(() => page.url()).toContain("/docs#tag/market-data/GET/v2/cex/");
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("the examples of docs/streaming.md work as printed: with curl, and in a browser", async () => {
    const guide = await readFile(new URL("../../docs/streaming.md", import.meta.url), "utf8");
    const [, command = ""] = /^ {4}(curl .*)$/m.exec(guide) ?? [];
    const [, script = ""] = /^In a browser:\n\n((?: {4}.*\n)+)/m.exec(guide) ?? [];
    const curl = spawn("bash", [
      "-c",
      `exec ${command.replace("http://127.0.0.1:8080", console.url())}`,
    ]);
    let heard = "";
    curl.stdout.on("data", (bytes) => {
      heard += bytes;
    });
    const { page } = await console.open("/console/cex");
    const logged = page.waitForEvent("console", (line) => line.type() === "log");
    await page.evaluate(script.replace("apiKey=…", "apiKey=slp_sandbox_master"));
    expect(await (await logged).args()[0]?.jsonValue()).toMatchObject({ type: "subscribed" });
    await expect.poll(() => heard).toContain('"type":"book"');
    curl.kill();
    await page.close();
  });

  test("when the service is silent the page stays, says how old it is, and recovers by itself", async () => {
    const { page } = await console.open("/console/");
    const price = page.locator("[data-price='BTC-USD'] [title]");
    await price.first().waitFor();
    await page.route(/\/(health|v2)\//, (route) => route.abort());
    await page.getByText(/What you see is .* old/).waitFor();
    expect(await price.first().textContent()).toMatch(/\d/);
    expect(await page.getByText("The service does not answer").count()).toBe(1);
    await page.unroute(/\/(health|v2)\//);
    await page.getByText("The service does not answer").waitFor({ state: "detached" });
    await page.close();
  });
});
