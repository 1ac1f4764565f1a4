import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange } from "../../test/exchange.ts";
import { recordingLog, silentLog } from "../../test/silent-log.ts";
import type { App } from "./app.ts";
import { addPages } from "./pages.ts";

const folder = mkdtempSync(join(tmpdir(), "slipway-pages-"));
let app: App;
let url: string;

beforeAll(async () => {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<p>the console</p>");
  writeFileSync(join(folder, "docs.html"), "<p>the reference</p>");
  writeFileSync(join(folder, "logo.svg"), "<svg/>");
  writeFileSync(join(folder, "assets", "main-1.js"), "1;");
  writeFileSync(join(tmpdir(), "slipway-not-a-page.txt"), "not for you");
  app = fastify({ routerOptions: { ignoreTrailingSlash: true } });
  app.setNotFoundHandler((_, reply) => reply.code(404).send({ code: 404 }));
  await addPages(app, silentLog, folder);
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
  rmSync(join(tmpdir(), "slipway-not-a-page.txt"));
});

const get = async (path: string, init?: RequestInit) => {
  const response = await fetch(url + path, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe("the console", () => {
  test.each([
    "/console",
    "/console/",
    "/console/keys",
    "/console/cex/kraken/BTC-USD",
    "/console/dex/uniswap-v3/ethereum/pool/0xabc.def?tab=trades",
    "/console/assets",
    "/console/%00",
    "/console/nowhere.html",
  ])("200: %s is a link into it", async (path) => {
    const { status, headers, text } = await get(path);
    expect([status, text]).toEqual([200, "<p>the console</p>"]);
    expect(headers.get("content-type")).toMatch(/^text\/html/);
    expect(headers.get("cache-control")).toBe("no-cache");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  });

  test("200: its files are what they are, and those with a name for each content are kept", async () => {
    const script = await get("/console/assets/main-1.js");
    expect([script.status, script.text]).toEqual([200, "1;"]);
    expect(script.headers.get("content-type")).toMatch(/javascript/);
    expect(script.headers.get("cache-control")).toContain("immutable");
    const logo = await get("/console/logo.svg");
    expect([logo.text, logo.headers.get("content-type")]).toEqual(["<svg/>", "image/svg+xml"]);
    expect((await get("/console/keys", { method: "HEAD" })).status).toBe(200);
  });

  test("404: a file that its pages load and that is not there", async () => {
    for (const path of ["/console/assets/main-2.js", "/console/assets/x/y.css"])
      expect((await get(path)).status).toBe(404);
    expect((await get("/console/keys", { method: "POST" })).status).toBe(404);
  });

  test("nothing beside its folder is ever served", async () => {
    const outside = "slipway-not-a-page.txt";
    for (const up of [
      "../",
      "%2e%2e/",
      "..%2f",
      "assets/../../",
      "assets/%2e%2e/%2e%2e/",
      "..%5c",
    ]) {
      const request = `GET /console/${up}${outside} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const answer = await exchange(url, request);
      expect(answer).toMatch(/^HTTP\/1\.1 (200|40\d)/);
      expect(answer).not.toContain("not for you");
    }
  });
});

test("/ leads to the console, and /docs is the reference", async () => {
  const root = await get("/", { redirect: "manual" });
  expect([root.status, root.headers.get("location")]).toEqual([302, "/console"]);
  expect((await get("/docs")).text).toBe("<p>the reference</p>");
});

test("without a built console the service says so and goes on", async () => {
  const { lines, log } = recordingLog();
  const bare = fastify();
  await addPages(bare, log, join(folder, "nowhere"));
  expect(lines.join()).toContain("npm run build");
  expect((await bare.inject("/console")).statusCode).toBe(404);
});
