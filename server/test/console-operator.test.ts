import { Slipway } from "@slipway/sdk";
import { beforeAll, expect, test } from "vitest";
import { inBrowser, useConsole } from "./console-browser.ts";

const wallet = { address: "0xde709f2102306220921060314715629080e2fb77", blockchain: "base" };
const billingDetails = {
  fullName: "Sandbox Master",
  line1: "1 Main Street",
  city: "New York",
  province: "NY",
  postalCode: "10001",
  country: "US",
  phone: "+1 212 555 0123",
};

inBrowser("pages for operators and developers, and the reference", () => {
  const console = useConsole({});
  let client: Slipway;
  /** A purchase that is complete, one that is held, and somebody who waits for verification. */
  let bought: string;
  let held: string;
  let waiting: string;
  let webhook: string;

  beforeAll(async () => {
    client = new Slipway({ baseUrl: console.url(), apiKey: "slp_sandbox_master" });
    const { ramp, sandbox } = client;
    const { id: walletId } = await ramp.wallets.create(wallet);
    const { id: bankAccountId } = await ramp.bankAccounts.create({
      routingNumber: "021000021",
      accountNumber: "9876543210",
      billingDetails,
    });
    const buy = async (quantity: string, amountUsd: string) => {
      const { id } = await ramp.transactions.create({
        settlementMethod: "WIRE",
        sourceOrder: { bankAccountId, currency: "USD", quantity },
        destinationOrder: { walletId, blockchain: "base", currency: "USDC" },
      });
      await sandbox.wire({ transactionId: id, amountUsd });
      return id;
    };
    bought = await buy("500", "500.00");
    held = await buy("250", "0.07");
    await sandbox.advanceClock(3_600);
    webhook = (await ramp.webhooks.create({ url: "https://example.com/hook" })).id;
    const ada = { name: "Ada Lovelace", email: "ada+review@example.com" };
    waiting = (await ramp.subaccounts.create(ada)).newSubAccountId;
    await ramp.verification.start({ userId: waiting });
    const { operator } = new Slipway({ baseUrl: console.url(), apiKey: "slp_sandbox_operator" });
    await operator.killSwitches.set("rail:ach", "the bank has trouble");
  });

  /** Each page, and something live that is on it. */
  const pages: [string, () => string, () => string][] = [
    ["the queue", () => "/operator", () => "Ada Lovelace"],
    ["verifications", () => "/operator/verifications", () => "ada+review@example.com"],
    ["a verification", () => `/operator/verifications/${waiting}`, () => "Ada Lovelace"],
    ["transactions", () => "/operator/transactions", () => bought],
    ["a transaction", () => `/operator/transactions/${bought}`, () => "bank:main:USD"],
    ["the ledger", () => "/operator/ledger", () => "bank:main:USD"],
    ["an account", () => "/operator/ledger/bank%3Amain%3AUSD", () => bought],
    ["payouts", () => "/operator/payouts", () => bought],
    ["wires", () => "/operator/payouts?tab=wires", () => "Sandbox Master"],
    ["reconciliation", () => "/operator/reconciliations", () => "Comparisons"],
    ["the audit log", () => "/operator/audit", () => "kill_switch.set"],
    ["keys", () => "/developer/keys", () => "sandbox_master"],
    ["requests", () => "/developer/requests", () => "/v2/ramp/webhooks"],
    ["webhooks", () => "/developer/webhooks", () => "https://example.com/hook"],
    ["a webhook", () => `/developer/webhooks/${webhook}`, () => "https://example.com/hook"],
    ["the sandbox", () => "/developer/sandbox", () => "in New York"],
    ["settings", () => "/settings", () => "As the device"],
  ];
  test.each(pages)(
    "%s: live data, nothing from outside, no barrier in both themes, nothing sideways on a phone",
    async (_, path, seen) => {
      const look = { theme: "light", screen: "phone" } as const;
      const { page, wrong, barriers, sideways } = await console.open(`/console${path()}`, look);
      await page.getByText(seen()).first().waitFor({ state: "attached" });
      await page.getByText("sandbox", { exact: true }).first().waitFor();
      expect(await barriers()).toEqual([]);
      expect(await sideways()).toBe(0);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.setViewportSize({ width: 1280, height: 900 });
      expect(await barriers()).toEqual([]);
      expect(wrong).toEqual([]);
      await page.close();
    },
  );

  test("/docs shows the endpoints, loads nothing from elsewhere", async () => {
    const { page, wrong } = await console.open("/docs");
    await page.getByRole("heading", { name: "Slipway" }).first().waitFor();
    await page.getByText("Blockchains the ramp supports").first().waitFor();
    await page.waitForLoadState("networkidle");
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("the address of the service alone leads to the console", async () => {
    const { page, wrong } = await console.open("/");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(page.url()).toBe(`${console.url()}/console`);
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("a verification is decided by keyboard alone", async () => {
    const { page } = await console.open("/console/operator");
    const { keyboard } = page;
    await page.getByRole("link", { name: /Ada Lovelace/ }).waitFor();
    await focusBy(page, "Tab", /Ada Lovelace/);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
    await focusBy(page, "Tab", /Reason/);
    await keyboard.type("The passport is hers");
    await focusBy(page, "Tab", /Approve/);
    await keyboard.press("Enter");
    await page.getByText("The account is now: approved").waitFor();
    expect(await client.ramp.verification.get({ userId: waiting })).toMatchObject({
      status: "approved",
      reason: "The passport is hers",
    });
    await page.close();
  });

  test("a held transaction is refunded with a note, and says so", async () => {
    const { page } = await console.open(`/console/operator/transactions/${held}`);
    await page.getByRole("button", { name: "Refund" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Why").fill("Somebody else paid");
    await dialog.getByRole("button", { name: "Refund" }).click();
    await page
      .getByText(/refund (pending|submitted)|refunded/)
      .first()
      .waitFor();
    await page.close();
  });

  test("the curl behind a page is offered, and answers what the page shows", async () => {
    const { page } = await console.open("/console/developer/webhooks");
    await page.getByText("https://example.com/hook").first().waitFor();
    await page.getByRole("button", { name: "curl" }).click();
    const line = await page.getByRole("dialog").locator("code").first().innerText();
    expect(line).toBe(`curl -H "apiKey: slp_sandbox_master" '${console.url()}/v2/ramp/webhooks'`);
    await page.close();
  });

  test("a key is made, shown once, and works", async () => {
    const { page } = await console.open("/console/developer/keys");
    await page.getByLabel("Name").fill("Dashboard");
    await page.getByRole("button", { name: "Make the key" }).click();
    const key = await page.locator("code", { hasText: "slp_test_" }).innerText();
    const made = new Slipway({ baseUrl: console.url(), apiKey: key });
    expect(await made.keys.current()).toMatchObject({ label: "Dashboard", scopes: ["data:read"] });
    await page.getByRole("button", { name: "I have it" }).click();
    expect(await page.locator("code", { hasText: key }).count()).toBe(0);
    await page.close();
  });
});

/** Moves the focus with a key until it is on something with this name. */
async function focusBy(
  page: import("playwright-core").Page,
  key: string,
  name: RegExp,
): Promise<void> {
  for (let press = 0; press < 80; press++) {
    const named = await page.evaluate(() => {
      const { activeElement } = document;
      const label =
        activeElement instanceof HTMLInputElement ? activeElement.labels?.[0] : undefined;
      return `${activeElement?.getAttribute("aria-label") ?? ""} ${label?.textContent ?? activeElement?.textContent ?? ""}`;
    });
    if (name.test(named)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`the keyboard never reached ${name}`);
}
