import { Slipway } from "@slipway/sdk";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { inBrowser, type OpenPage, useConsole } from "./console-browser.ts";
import { withoutMarkets } from "./test-service.ts";

const unverified = { key: "slp_sandbox_unverified", userId: "usr-10000000000002" };
const tabsMost = 80;

inBrowser("the ramp's pages", () => {
  const console = useConsole(withoutMarkets);
  const clientOf = (apiKey: string) => new Slipway({ baseUrl: console.url(), apiKey });
  let saved: { walletId: string; bankAccountId: string };

  beforeAll(async () => {
    saved = await savedMethods(clientOf("slp_sandbox_master"));
  });

  /** Ordered just now, so that its money is still waited for however far time was moved. */
  async function order(type: "purchase" | "sale"): Promise<string> {
    const { ramp } = clientOf("slp_sandbox_master");
    const wallet = { walletId: saved.walletId, blockchain: "base", currency: "USDC" };
    const bank = { bankAccountId: saved.bankAccountId, currency: "USD" };
    const { id } = await ramp.transactions.create(
      type === "purchase"
        ? {
            settlementMethod: "WIRE",
            sourceOrder: { ...bank, quantity: "500" },
            destinationOrder: wallet,
          }
        : {
            settlementMethod: "ACH",
            sourceOrder: { ...wallet, quantity: "100" },
            destinationOrder: bank,
          },
    );
    return id;
  }

  test("crypto is bought by keyboard alone, with a new wallet and a new bank account", async () => {
    const { page, wrong } = await console.open("/console/ramp/buy");
    await page.getByText("Holds for").waitFor();
    await tabTo(page, "US dollars you pay");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("250");
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { name: "Where it goes, and who pays" }).waitFor();
    await page.getByRole("radio", { name: "A new wallet" }).waitFor();
    await tabTo(page, /^0x5290/);
    await page.keyboard.press("ArrowDown");
    await tabTo(page, "Fill in an example");
    await page.keyboard.press("Enter");
    await tabTo(page, /^JPMORGAN/);
    await page.keyboard.press("ArrowDown");
    await tabTo(page, "Fill in an example");
    await page.keyboard.press("Enter");
    await tabTo(page, "Phone");
    await page.keyboard.press("Enter");

    await page.getByText("Compare both ends").waitFor();
    await tabTo(page, "Buy, and show how to pay");
    await page.keyboard.press("Enter");

    await page.getByText("This reference has to stand on the wire").waitFor();
    await tabTo(page, "Follow it");
    await page.keyboard.press("Enter");

    await page.getByText("The wire has not arrived yet.").waitFor();
    await tabTo(page, "Send the wire of $250.00");
    await page.keyboard.press("Enter");
    await page.getByText("The money is here").waitFor();
    await letPass(page, "Let 15 minutes pass", "✓ delivered");
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("crypto is sold by keyboard alone, by wire and with what was saved", async () => {
    const { page, wrong } = await console.open("/console/ramp/sell");
    await page.getByText("Holds for").waitFor();
    await tabTo(page, /^ACH/);
    await page.keyboard.press("ArrowDown");
    await page.getByText("$25.00, taken from what you get").waitFor();
    await page.keyboard.press("Enter");

    await page.getByRole("radio", { name: "A new bank account" }).waitFor();
    await tabTo(page, "Continue");
    await page.keyboard.press("Enter");

    await page.getByText("Compare both ends").waitFor();
    await tabTo(page, "Sell, and show where to send");
    await page.keyboard.press("Enter");

    await page.getByRole("img", { name: /^QR code of 0x/ }).waitFor();
    await page.getByText("Send only USDC, and only on Base.").waitFor();
    await tabTo(page, "Follow it");
    await page.keyboard.press("Enter");

    await tabTo(page, "Send 100 USDC");
    await page.keyboard.press("Enter");
    await page.getByText("The deposit is in a block").waitFor();
    await letPass(page, "Let 15 minutes pass", "Exchanged");
    await letPass(page, "Let a week pass", "✓ delivered");
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("a customer is verified by keyboard alone", async () => {
    const { sandbox } = clientOf(unverified.key);
    await sandbox.verify({ userId: unverified.userId, status: "none" });
    const { page, wrong } = await console.open("/console/ramp/verification");
    await page.getByText("You can buy and sell.").waitFor();
    await tabTo(page, /^A verified customer/);
    await page.keyboard.press("ArrowDown");
    await page.getByText("Not verified").waitFor();
    await tabTo(page, "Ask for verification", "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Asked for", { exact: true }).waitFor();
    await tabTo(page, "Approve");
    await page.keyboard.press("Enter");
    await page.getByText("✓ Verified").waitFor();
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("who is not verified is told so at the start and at the end, and led to verification", async () => {
    const client = clientOf(unverified.key);
    await client.sandbox.verify({ userId: unverified.userId, status: "none" });
    await savedMethods(client);
    const { page } = await console.open("/console/ramp/buy");
    const keys = JSON.stringify({ account: unverified.key });
    await page.evaluate(`sessionStorage.setItem("slipway.keys", ${JSON.stringify(keys)})`);
    await page.reload();
    await page.getByText("! Not verified.").waitFor();
    await page.getByText("Holds for").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("radio", { name: "A new wallet" }).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Buy, and show how to pay" }).click();
    await page.getByText("Account is not verified.").waitFor();
    await page.getByRole("alert").getByRole("link", { name: "Go to verification" }).click();
    await page.getByRole("heading", { name: "Verification", level: 1 }).waitFor();
    await page.close();
  });

  test("what is wrong stands at its field, and what was filled in is kept when one goes back", async () => {
    const { page } = await console.open("/console/ramp/buy");
    await page.getByText("Holds for").waitFor();
    const amount = page.getByLabel("US dollars you pay");
    await amount.fill("3");
    await page.getByText("sourceQuantity comes to 3 USDC, below the minimum of 10 USDC").waitFor();
    await amount.fill("75.5");
    await page.getByText("$75.50").first().waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("radio", { name: "A new wallet" }).check();
    await page.getByLabel("Address on Base").fill("0x123");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("address is not a valid base address").waitFor();
    expect(await focused(page)).toBe("Address on Base");
    await page.getByRole("button", { name: "Back" }).click();
    expect(await amount.inputValue()).toBe("75.5");
    await page.getByRole("button", { name: "Continue" }).click();
    expect(await page.getByLabel("Address on Base").inputValue()).toBe("0x123");
    await page.close();
  });

  test("a wallet is added and deleted, and a transaction canceled, each after a question", async () => {
    const { page, wrong } = await console.open("/console/ramp/methods");
    await page.getByRole("button", { name: "Add" }).first().click();
    await page.getByLabel("Blockchain").selectOption("polygon");
    await page.getByRole("button", { name: "Fill in an example" }).click();
    await page.getByRole("button", { name: "Add the wallet" }).click();
    const row = page.getByRole("row").filter({ hasText: "Polygon" });
    await row.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete it" }).locator("visible=true").click();
    await row.waitFor({ state: "detached" });

    const id = await order("purchase");
    await page.goto(`${console.url()}/console/ramp/transactions?type=ON_RAMP`);
    await page.getByRole("link", { name: id }).click();
    await page.getByRole("button", { name: "Cancel it" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel it" }).click();
    await page.getByText("Canceled by the customer.").waitFor();
    expect(wrong).toEqual([]);
    await page.close();
  });

  const pages: readonly { name: string; path(): Promise<string>; ready: string }[] = [
    { name: "buying", path: async () => "buy", ready: "Holds for" },
    { name: "selling", path: async () => "sell", ready: "Holds for" },
    {
      name: "a wire",
      path: async () => `buy?transaction=${await order("purchase")}`,
      ready: "Account number",
    },
    {
      name: "a deposit",
      path: async () => `sell?transaction=${await order("sale")}`,
      ready: "Quantity",
    },
    {
      name: "a sale",
      path: async () => `transactions/${await order("sale")}`,
      ready: "no money has moved",
    },
    {
      name: "the list",
      path: async () => `transactions?by=ACH&after=${await order("purchase")}`,
      ready: "« Newest",
    },
    { name: "methods", path: async () => "methods", ready: "JPMORGAN CHASE BANK, NA" },
    { name: "verification", path: async () => "verification", ready: "You can buy and sell." },
  ];

  test.each(pages)("the page of $name is right in both themes, large and small", async (shown) => {
    const path = `/console/ramp/${await shown.path()}`;
    const opened = await console.open(path);
    expect(await faultsOf(opened, shown.ready, "all")).toEqual([]);
    await opened.page.emulateMedia({ colorScheme: "dark" });
    await opened.page.setViewportSize({ width: 390, height: 844 });
    expect(await faultsOf(opened, shown.ready, "contrast")).toEqual([]);
    await opened.page.close();
  });

  test("on paper there are the instructions, and nothing around them", async () => {
    const { page } = await console.open(`/console/ramp/buy?transaction=${await order("purchase")}`);
    const reference = page.getByText(/^RMP /);
    await reference.waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await reference.isVisible()).toBe(true);
    expect(await page.getByRole("navigation").first().isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: "Print, or save as PDF" }).isVisible()).toBe(
      false,
    );
    await page.close();
  });
});

async function faultsOf(
  opened: OpenPage,
  ready: string,
  rules: "all" | "contrast",
): Promise<string[]> {
  const { page, wrong, barriers, sideways } = opened;
  await page.getByText(ready).first().waitFor();
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
  const pixels = await sideways();
  return [
    ...wrong,
    ...(await barriers(rules)),
    ...(pixels > 0 ? [`it scrolls ${pixels} pixels sideways`] : []),
  ];
}

async function savedMethods(client: Slipway): Promise<{ walletId: string; bankAccountId: string }> {
  const [wallet, account] = await Promise.all([
    client.ramp.wallets.create({
      address: "0x52908400098527886E0F7030069857D2E4169EE7",
      blockchain: "base",
    }),
    client.ramp.bankAccounts.create({
      routingNumber: "021000021",
      accountNumber: "123456789",
      billingDetails: {
        fullName: "Sandbox Master",
        line1: "1 Main Street",
        city: "New York",
        province: "NY",
        postalCode: "10001",
        country: "US",
        phone: "+1 212 555 0123",
      },
    }),
  ]);
  return { walletId: wallet.id, bankAccountId: account.id };
}

/** Lets time pass until something is seen: what was under way when time leapt may need some more of it. */
async function letPass(page: Page, button: string, seen: string): Promise<void> {
  const isSeen = async () => {
    if (await page.getByText(seen).first().isVisible()) return true;
    if ((await focused(page)) !== button) await tabTo(page, button).catch(() => {});
    await page.keyboard.press("Enter");
    return false;
  };
  await expect.poll(isSeen, { interval: 1_000, timeout: 55_000 }).toBe(true);
}

/** Goes to a control as somebody without a mouse does. */
async function tabTo(page: Page, name: string | RegExp, key = "Tab"): Promise<void> {
  const seen: string[] = [];
  for (let count = 0; count < tabsMost; count++) {
    await page.keyboard.press(key);
    const here = await focused(page);
    if (typeof name === "string" ? here === name : name.test(here)) return;
    seen.push(here);
  }
  throw new Error(`${key} never came to ${String(name)}, but to: ${seen.join(" | ")}`);
}

/** The name of the control that has the focus: its label, or what stands on it. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    "(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()",
  );
}
