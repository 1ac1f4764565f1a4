import { describe, expect, test } from "vitest";
import { hex } from "../../test/dex-fixture.ts";
import { useApp } from "../../test/test-app.ts";
import { logoSvg, withLogos } from "./logo.ts";

const app = useApp();
const address = hex(0xab);

describe("GET /logo/{blockchain}/{address}.svg", () => {
  test("200: a picture that needs no key, may be kept for ever and cannot run anything", async () => {
    const response = await fetch(`${app.url}/logo/ethereum/${address}.svg`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("image/svg+xml");
    expect(response.headers.get("cache-control")).toContain("immutable");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await response.text()).toBe(logoSvg(address));
  });

  test("the same for an address in any case, and another for another", () => {
    expect(logoSvg(address.toUpperCase())).toBe(logoSvg(address));
    const pictures = Array.from({ length: 200 }, (_, value) => logoSvg(hex(value)));
    expect(new Set(pictures).size).toBe(200);
    expect(pictures.join("")).not.toMatch(/NaN|undefined|script/);
  });

  test.each(["0x12.svg", `${address}.png`, address, "<script>.svg"])("404: %s", async (image) => {
    const response = await fetch(`${app.url}/logo/ethereum/${encodeURIComponent(image)}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 404 });
  });

  test("405: with what is allowed", async () => {
    const response = await fetch(`${app.url}/logo/ethereum/${address}.svg`, { method: "POST" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });
});

describe("a template for pictures", () => {
  const tokens = JSON.stringify([{ id: address, symbol: "A/B$&" }]);
  test.each([
    ["https://x.org/{blockchain}/{address}.png", "h", `https://x.org/ethereum/${address}.png`],
    ["https://x.org/{symbol}?{other}", "h", "https://x.org/A%2FB%24%26?{other}"],
    ["/logo/{address}", "service:8080", `http://service:8080/logo/${address}`],
    ["/logo/{address}", "[::1]:8080", `http://[::1]:8080/logo/${address}`],
    ["/logo/{address}", "", `/logo/${address}`],
    ["/logo/{address}", "evil/?", `/logo/${address}`],
  ])("%s, asked at %s: %s", (template, host, logo) => {
    const reachedAt = { protocol: "http", host };
    expect(JSON.parse(withLogos(tokens, template, "ethereum", reachedAt))).toEqual([
      { id: address, symbol: "A/B$&", logo },
    ]);
  });
});
