import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { startService, type TestService } from "./test-service.ts";

const executablePath = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);
if (!executablePath)
  console.warn("SKIPPED: no Chromium is installed, so no page was opened in a browser.");

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);
const patienceMs = 55_000;
const screens = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } };

export type Look = { theme?: "light" | "dark"; screen?: keyof typeof screens };

/** A page that is open, and everything about it that must not be. */
export type OpenPage = {
  page: Page;
  /** Requests to elsewhere, errors on the console, failed loads. */
  wrong: string[];
  /** What axe finds serious or critical, in words; of all its rules, or only of those that another theme may break. */
  barriers(rules?: Rules): Promise<string[]>;
  /** How many pixels the page can be scrolled sideways. */
  sideways(): Promise<number>;
};

/** Tests that need a browser. Where there is none they are left out, and the log says so. */
export function inBrowser(name: string, tests: () => void): void {
  describe.runIf(executablePath)(name, tests);
}

const withMarkets = { SANDBOX_CHAIN: "true", SANDBOX_EXCHANGE: "true" };

/** A service with data in it, and a browser to look at it, for the tests of one `describe`. */
export function useConsole(env: Record<string, string> = withMarkets): {
  url(): string;
  open(path: string, look?: Look): Promise<OpenPage>;
} {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    const started = startService({ env });
    [service, browser] = await Promise.all([started, launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  return {
    url: () => service.url,
    open: (path, look) => openPage(browser, service.url, path, look),
  };
}

/** Starts the system's browser. */
function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath ?? "", args });
}

/** Opens a page in a browser of its own, so to say: nothing is left of earlier ones. */
async function openPage(
  browser: Browser,
  url: string,
  path: string,
  { theme = "light", screen = "desk" }: Look = {},
): Promise<OpenPage> {
  const options: BrowserContextOptions = { colorScheme: theme, viewport: screens[screen] };
  const page = await browser.newPage(options);
  // Only ends a wait that is hopeless.
  page.setDefaultTimeout(patienceMs);
  const wrong: string[] = [];
  page.on("request", (request) => {
    const asked = request.url();
    if (!asked.startsWith(url) && !/^(data|blob):/.test(asked)) wrong.push(`asked ${asked}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(error.message));
  await page.goto(url + path);
  return {
    page,
    wrong,
    barriers: (rules = "all") => barriersOf(page, rules),
    sideways: () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
  };
}

type AxeResult = {
  violations: {
    id: string;
    impact: string;
    help: string;
    nodes: { html: string; failureSummary: string }[];
  }[];
};

type Rules = "all" | "contrast";

async function barriersOf(page: Page, rules: Rules): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource);
  const chosen = rules === "contrast" ? ", runOnly: ['color-contrast']" : "";
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(document, { resultTypes: ['violations']${chosen} })`,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary}`),
    );
}
