import { expect, test } from "vitest";
import { inBrowser, useConsole } from "./console-browser.ts";

inBrowser("the first pages", () => {
  const console = useConsole({});

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
});
