import { request } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "../src/lib/clock.ts";
import { sandboxChainAt, sandboxDeployment } from "../src/sandbox/chain/sandbox-deployment.ts";
import { exchange } from "./exchange.ts";
import { useApp } from "./test-app.ts";

const deployments = [sandboxDeployment];
const chains = [{ chain: sandboxChainAt(), deployments, blocks: "all" as const }];
const app = useApp({}, systemClock, { chains });
const answerWithinMs = 10_000;
const requests = 2_000;

type Shot = { method: string; path: string; headers: Record<string, string>; body: Buffer };

const known = [
  "/v2/dex",
  "/v2/dex/uniswap-v3/ethereum/tokens",
  "/v2/dex/uniswap-v3/ethereum/pool/0x6ed9207fde7bc11b4f6ecc6e347bda813ed2afd3/trades",
  "/v1/blocks/ethereum",
  "/logo/ethereum/0x6ed9207fde7bc11b4f6ecc6e347bda813ed2afd3.svg",
  "/v2/ramp/blockchains",
  "/v2/ramp/subaccounts",
  "/v2/ramp/subaccounts/usr-1",
  "/health/ready",
  "/metrics",
  "/openapi.json",
  "/docs",
  "/console",
  "/console/assets/x",
  "/",
];

const method = fc.constantFrom(
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "SEARCH",
);
const segment = fc.oneof(
  fc
    .string({ unit: "binary", maxLength: 20 })
    .map((text) => encodeURIComponent(Buffer.from(text).toString())),
  fc.constantFrom(
    "..",
    "%2e%2e",
    "%00",
    "%zz",
    "%ff",
    "*",
    "usr-1",
    "a".repeat(300),
    "%E0%A4%A",
    "//",
    ";x=1",
    ":id",
  ),
);
const query = fc
  .array(fc.tuple(segment, segment), { maxLength: 5 })
  .map((pairs) =>
    pairs.length > 0 ? `?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}` : "",
  );
const path = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...known),
      fc.array(segment).map((parts) => `/${parts.join("/")}`),
    ),
    fc.option(segment, { nil: "" }),
    query,
  )
  .map(([base, extra, search]) => base + (extra ? `/${extra}` : "") + search);
const headerText = fc.string({ unit: "grapheme-ascii", maxLength: 40 });
const headers = fc
  .dictionary(
    fc.constantFrom(
      "content-type",
      "content-encoding",
      "accept",
      "accept-encoding",
      "if-none-match",
      "x-request-id",
      "origin",
      "x-forwarded-for",
      "expect",
      "range",
      "te",
      "x-http-method-override",
      "cookie",
      "authorization",
      "accept-version",
    ),
    fc.oneof(
      headerText,
      fc.constantFrom(
        "application/json",
        "gzip",
        "*",
        "br;q=0",
        "bytes=0-",
        "100-continue",
        'W/"x"',
        "application/json; charset=utf-16",
      ),
    ),
  )
  .chain((given) =>
    fc
      .constantFrom({ apikey: "slp_sandbox_master" }, { apikey: "nonsense" }, {})
      .map((key) => ({ ...given, ...key })),
  );
const someJson = fc.oneof(
  fc.json(),
  fc
    .record({ name: fc.anything(), email: fc.anything() })
    .map((value) =>
      JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner)),
    ),
  fc
    .record({ name: fc.string({ unit: "binary" }), email: fc.string({ unit: "binary" }) })
    .map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '{"subAccount":null}',
    '{"subAccount":{"subAccount":{}}}',
    "[[[[",
    "{}",
    "null",
    '"\\ud800"',
    `${"[".repeat(20_000)}`,
    '{"name":1e999}',
  ),
);
const body = fc.oneof(
  fc.constant(Buffer.alloc(0)),
  someJson.map((text) => Buffer.from(text ?? "")),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
const shot: fc.Arbitrary<Shot> = fc.record({ method, path, headers, body });

/** Sends one request over a connection of its own. Resolves with the status, 0 when the server hung up. */
function fire({ method, path, headers, body }: Shot): Promise<number> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const hasBody = body.length > 0 && method !== "GET" && method !== "HEAD";
    const all = hasBody ? { ...headers, "content-length": String(body.length) } : headers;
    const outgoing = request(
      { hostname, port, method, path, headers: all, agent: false },
      (response) => {
        response.resume().once("end", () => resolve(response.statusCode ?? 0));
      },
    );
    outgoing.setTimeout(answerWithinMs, () => reject(new Error("the service did not answer")));
    outgoing.once("error", () => resolve(0));
    outgoing.end(hasBody ? body : undefined);
  });
}

const isValid = ({ path, headers }: Shot) => {
  try {
    const { hostname, port } = new URL(app.url);
    request({ hostname, port, path, headers, agent: false })
      .on("error", () => {})
      .destroy();
    return true;
  } catch {
    return false;
  }
};

test(`${requests} requests of any kind: no 5xx, no hang, and the service still answers`, async () => {
  await fc.assert(
    fc.asyncProperty(shot.filter(isValid), async (given) => {
      const status = await fire(given);
      expect(status).toBeLessThan(500);
      expect(status).toBeGreaterThanOrEqual(200);
    }),
    { numRuns: requests },
  );
  expect(await app.as("master").ramp.blockchains()).toContain("ethereum");
  expect(app.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
}, 300_000);

test("bytes of any kind: an answer below 500 or a closed connection, never a hang", async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((raw) => Buffer.from(raw)),
    fc
      .tuple(method, segment, headerText)
      .map(([verb, part, text]) =>
        Buffer.from(`${verb} /${part} HTTP/1.1\r\nhost: x\r\n${text}: ${text}\r\n\r\n`),
      ),
    fc.constantFrom(
      Buffer.from(
        "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n",
      ),
      Buffer.from("GET / HTTP/1.1\r\n\r\n"),
      Buffer.from("GET / HTTP/9.9\r\nhost: x\r\n\r\n"),
      Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (raw) => {
      const got = await exchange(app.url, raw, true);
      expect(got).not.toMatch(/^HTTP\/1.1 5/);
    }),
    { numRuns: 300 },
  );
}, 120_000);
