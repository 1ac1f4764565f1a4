import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Slipway } from "@slipway/sdk";
import { type Browser, chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = process.argv[2] ?? join(root, "screenshots");
const widths = [390, 1280] as const;
const heightOf = { 390: 844, 1280: 900 } as const;
const themes = ["light", "dark"] as const;
const wallet = { address: "0xde709f2102306220921060314715629080e2fb77", blockchain: "base" };
const bankAccount = {
  routingNumber: "021000021",
  accountNumber: "9876543210",
  billingDetails: {
    fullName: "Sandbox Master",
    line1: "1 Main Street",
    city: "New York",
    province: "NY",
    postalCode: "10001",
    country: "US",
    phone: "+1 212 555 0123",
  },
};

await main();

/** Opens every page of the console on a service of its own, and takes its picture in both themes and two widths. */
async function main(): Promise<void> {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
  if (!executablePath) throw new Error("Chromium is needed: install it as /usr/bin/chromium.");
  const service = await startService();
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const paths = await fill(service.url);
    mkdirSync(folder, { recursive: true });
    for (const [name, path] of Object.entries(paths)) {
      await picture(browser, name, `${service.url}/console${path}`);
    }
    process.stdout.write(`${Object.keys(paths).length} pages are in ${folder}\n`);
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function picture(browser: Browser, name: string, url: string): Promise<void> {
  for (const width of widths) {
    for (const theme of themes) {
      const viewport = { width, height: heightOf[width] };
      const page = await browser.newPage({ viewport, colorScheme: theme });
      await page.goto(url, { waitUntil: "load" });
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForFunction(() => !document.querySelector('[aria-label="Loading"]'));
      await page.waitForTimeout(700);
      await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) });
      await page.close();
    }
  }
  process.stdout.write(`${name}\n`);
}

/** Buys and sells a little, so that no page is empty. Returns the pages by name. */
async function fill(baseUrl: string): Promise<Record<string, string>> {
  const client = new Slipway({ baseUrl, apiKey: "slp_sandbox_master" });
  while ((await client.health()).status !== "ok") await setTimeout(200);
  const { id: walletId } = await client.ramp.wallets.create(wallet);
  const { id: bankAccountId } = await client.ramp.bankAccounts.create(bankAccount);
  const buy = await client.ramp.transactions.create({
    settlementMethod: "WIRE",
    sourceOrder: { bankAccountId, currency: "USD", quantity: "500" },
    destinationOrder: { walletId, blockchain: "base", currency: "ETH" },
  });
  await client.sandbox.wire({ transactionId: buy.id, amountUsd: "500.00" });
  const sell = await client.ramp.transactions.create({
    settlementMethod: "ACH",
    sourceOrder: { walletId, blockchain: "base", currency: "USDC", quantity: "100" },
    destinationOrder: { bankAccountId, currency: "USD" },
  });
  await client.sandbox.deposit({ transactionId: sell.id, quantity: "100" });
  const short = await client.ramp.transactions.create({
    settlementMethod: "WIRE",
    sourceOrder: { bankAccountId, currency: "USD", quantity: "250" },
    destinationOrder: { walletId, blockchain: "base", currency: "USDC" },
  });
  await client.sandbox.wire({ transactionId: short.id, amountUsd: "0.07" });
  await client.sandbox.advanceClock(86_400);
  const webhook = await client.ramp.webhooks.create({ url: "https://example.com/slipway" });
  const { newSubAccountId } = await client.ramp.subaccounts.create({
    name: "Ada Lovelace",
    email: "ada+review@example.com",
  });
  await client.ramp.verification.start({ userId: newSubAccountId });
  const [pool] = await client.dex.pools("uniswap-v3", "ethereum", { limit: 1 });
  const dex = "/dex/uniswap-v3/ethereum";
  return {
    overview: "/",
    exchanges: "/cex",
    exchange: "/cex/kraken",
    market: "/cex/kraken/BTC-USD",
    dex: "/dex",
    pools: dex,
    pool: `${dex}/pool/${pool?.id}`,
    token: `${dex}/token/${pool?.token0.id}`,
    buy: "/ramp/buy",
    sell: "/ramp/sell",
    transactions: "/ramp/transactions",
    tracker: `/ramp/transactions/${sell.id}`,
    methods: "/ramp/methods",
    verification: "/ramp/verification",
    queue: "/operator",
    "operator-verifications": "/operator/verifications",
    "operator-verification": `/operator/verifications/${newSubAccountId}`,
    "operator-transactions": "/operator/transactions",
    "operator-transaction": `/operator/transactions/${buy.id}`,
    ledger: "/operator/ledger",
    payouts: "/operator/payouts",
    reconciliations: "/operator/reconciliations",
    audit: "/operator/audit",
    keys: "/developer/keys",
    requests: "/developer/requests",
    webhooks: "/developer/webhooks",
    webhook: `/developer/webhooks/${webhook.id}`,
    sandbox: "/developer/sandbox",
    settings: "/settings",
  };
}

async function startService(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataFolder = mkdtempSync(join(tmpdir(), "slipway-screenshots-"));
  const child = spawn(process.execPath, [join(root, "cli/bin/slipway.js"), "start"], {
    env: { ...process.env, PORT: "0", SLIPWAY_DATA: dataFolder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const [found] = /http:\/\/[^\s/]+:\d+/.exec(text) ?? [];
      if (found) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`The service ended with ${code}.`)));
  });
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => {
          rmSync(dataFolder, { recursive: true, force: true });
          resolve();
        });
        child.kill("SIGTERM");
      }),
  };
}
