import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeConfig } from "../test/config-file.ts";
import { readConfig } from "./config.ts";

describe("configuration", () => {
  test("needs nothing: the sandbox stands in", () => {
    const { config } = readConfig({});
    expect(config).toMatchObject({
      mode: "sandbox",
      host: "127.0.0.1",
      port: 8080,
      portIsDefault: true,
    });
    expect(config.databaseUrl).toBeUndefined();
    expect(config.dataFolder).toMatch(/\.slipway$/);
  });

  test("comes from the file beside the data, and the environment wins over it", () => {
    const env = writeConfig("port: 9000\nlogLevel: warn\nlimits: {requests: 5}\n");
    const { config, lines } = readConfig({ ...env, PORT: "9001" });
    expect(config).toMatchObject({ port: 9001, portIsDefault: false, logLevel: "warn" });
    expect(config.limits).toMatchObject({ requests: 5, windowSeconds: 10 });
    const originOf = (name: string) => lines.find((line) => line.name === name)?.origin;
    expect(originOf("port")).toBe("PORT");
    expect(originOf("logLevel")).toBe(join(env.SLIPWAY_DATA, "slipway.yaml"));
    expect(originOf("host")).toBe("default");
    expect(originOf("natsUrl")).toBe("not set");
  });

  test("may be JSON, and may lie elsewhere", () => {
    const { SLIPWAY_DATA } = writeConfig('{"port": 9100}', "elsewhere.json");
    expect(readConfig({ SLIPWAY_CONFIG: join(SLIPWAY_DATA, "elsewhere.json") }).config.port).toBe(
      9100,
    );
    expect(() => readConfig({ SLIPWAY_CONFIG: "/nowhere.yaml" })).toThrow("does not exist");
  });

  test("reads numbers with separators, and lists with commas", () => {
    const { config } = readConfig(
      writeConfig("port: 9_000\nlimits: {requests: 1_000_000}\ntrustedProxies: 10.0.0.1, ::1"),
    );
    expect(config).toMatchObject({
      port: 9000,
      limits: { requests: 1_000_000 },
      trustedProxies: ["10.0.0.1", "::1"],
    });
  });

  test.each(["dex", "cex"])("may be what docs/%s.md shows", (name) => {
    const docs = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
    const [, example = ""] = /`slipway\.yaml`.*?\n\n((?: {4}[^\n]*\n)+)/s.exec(docs) ?? [];
    const { config } = readConfig(writeConfig(example.replaceAll(/^ {4}/gm, "")));
    expect(config.chains.length + config.exchanges.length).toBe(2);
  });

  test("holds exchanges, how they are reached and which of their markets are live from the start", () => {
    const { config } = readConfig(
      writeConfig(
        "exchanges: {kraken: {markets: [BTC-USD], baseUrl: http://127.0.0.1:9/x/}, okx: {}}\n" +
          "cex: {tradesDays: 7}\n",
      ),
    );
    expect(config.exchanges).toEqual([
      { id: "kraken", markets: ["BTC-USD"], baseUrl: "http://127.0.0.1:9/x", isSandbox: false },
      { id: "okx", markets: [], baseUrl: undefined, isSandbox: false },
    ]);
    expect(config.cex).toEqual({ otherExchanges: false, tradesDays: 7 });
    expect(readConfig({}).config.exchanges).toEqual([]);
    expect(readConfig({ OTHER_EXCHANGES: "true" }).config.cex.otherExchanges).toBe(true);
  });

  test("says where logos are: with us, unless told otherwise", () => {
    expect(readConfig({}).config.logoUrl).toBe("/logo/{blockchain}/{address}.svg");
    const logoUrl = "https://logos.example/{blockchain}/{address}/{symbol}.png";
    expect(readConfig(writeConfig({ logoUrl })).config.logoUrl).toBe(logoUrl);
  });

  test.each([
    ["an unknown key", "prot: 1", {}, 'prot is not a setting. Did you mean "port"?'],
    [
      "an unknown key inside another",
      "limits: {request: 1}",
      {},
      'limits.request is not a setting. Did you mean "requests"?',
    ],
    ["a value where settings belong", "limits: 5", {}, "limits must hold settings"],
    ["a logo without an address", "logoUrl: https://a.example/x.png", {}, "logoUrl (from"],
    ["a logo with a misspelt part", 'logoUrl: "/{address}/{chain}"', {}, "logoUrl (from"],
    ["a misspelt exchange", "exchanges: {krakken: {}}", {}, 'Did you mean "kraken"?'],
    ["a base that is no URL", "exchanges: {kraken: {baseUrl: x}}", {}, "exchanges.kraken.baseUrl"],
    ["a value of the wrong form", "port: many", {}, "port (from"],
    ["YAML that is none", "a: [", {}, "cannot be read"],
    ["a file that holds no settings", "- 1", {}, "must hold settings"],
    ["a bad variable", "", { PORT: "70000" }, "port (from PORT) must be a port from 1 to 65535"],
    ["a misspelt variable", "", { SLIPWAY_MODUS: "live" }, 'Did you mean "SLIPWAY_MODE"?'],
    ["an empty variable", "", { DATABASE_URL: "" }, "DATABASE_URL is set but empty"],
    ["half a database", "", { PGHOST: "db" }, "PGHOST is set but DATABASE_URL is not"],
    ["a short secret", "", { SLIPWAY_SECRET: "short" }, "at least 32 characters"],
    [
      "a live service on a shared database without a secret",
      "mode: live",
      { DATABASE_URL: "postgres://a@b/c" },
      "SLIPWAY_SECRET",
    ],
  ])("refuses %s", (_, content, env, message) => {
    expect(() => readConfig({ ...writeConfig(content), ...env })).toThrow(message);
  });

  test("names all faults at once", () => {
    const read = () =>
      readConfig({ ...writeConfig("prot: 1\nlogLevel: loud"), PORT: "x", SLIPWAY_X: "1" });
    for (const fault of ["prot", "logLevel", "PORT", "SLIPWAY_X"]) expect(read).toThrow(fault);
  });

  test.each([
    [{}, false],
    [{ HOST: "0.0.0.0" }, true],
    [{ SLIPWAY_MODE: "live" }, true],
    [{ LIMITS_ENABLED: "true" }, true],
    [{ HOST: "0.0.0.0", LIMITS_ENABLED: "false" }, false],
  ])("limits with %j: %s", (env, enabled) => {
    expect(readConfig(env).config.limits.enabled).toBe(enabled);
  });
});

test("variables of commands that ask a service are nothing to the service", () => {
  const asking = { SLIPWAY_URL: "http://127.0.0.1:8080", SLIPWAY_API_KEY: "slp_sandbox_master" };
  expect(readConfig(asking).config).toEqual(readConfig({}).config);
});
