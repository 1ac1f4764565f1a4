import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "./test-service.ts";

const executablePath = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);
if (!executablePath)
  console.warn("SKIPPED: no Chromium is installed, so no page was opened in a browser.");

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

describe.runIf(executablePath)("in a real browser", () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startService();
    browser = await chromium.launch({ executablePath: executablePath ?? "", args });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  /** Opens a page and collects what must not happen: requests to elsewhere, errors, failed loads. */
  async function open(path: string) {
    const page = await browser.newPage();
    const wrong: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(service.url) && !/^(data|blob):/.test(url)) wrong.push(`asked ${url}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
    });
    page.on("console", (message) => {
      if (message.type() === "error") wrong.push(message.text());
    });
    page.on("pageerror", (error) => wrong.push(error.message));
    await page.goto(service.url + path);
    return { page, wrong };
  }

  test("/docs shows the endpoints, loads nothing from elsewhere", async () => {
    const { page, wrong } = await open("/docs");
    await page.getByRole("heading", { name: "Slipway" }).first().waitFor();
    await page.getByText("Blockchains the ramp supports").first().waitFor();
    await page.waitForLoadState("networkidle");
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("/console shows health and endpoints", async () => {
    const { page, wrong } = await open("/");
    await page.getByText("✓ running").first().waitFor();
    await page.getByText("/v2/ramp/blockchains").first().waitFor();
    expect(page.url()).toBe(`${service.url}/console`);
    expect(wrong).toEqual([]);
    await page.close();
  });
});
