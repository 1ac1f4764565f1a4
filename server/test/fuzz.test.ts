import { request } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "../src/lib/clock.ts";
import { sandboxChainAt, sandboxDeployment } from "../src/sandbox/chain/sandbox-deployment.ts";
import { exchange } from "./exchange.ts";
import { knownPaths } from "./known-paths.ts";
import { useApp } from "./test-app.ts";

const deployments = [sandboxDeployment];
const chains = [{ chain: sandboxChainAt(), deployments, blocks: "all" as const }];
const app = useApp({}, systemClock, { chains });
const answerWithinMs = 10_000;
const requests = 2_000;
const spoiledRequests = 1_000;

type Shot = { method: string; path: string; headers: Record<string, string>; body: Buffer };

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
const parameter = fc.constantFrom(
  "userId",
  "limit",
  "skip",
  "after",
  "before",
  "from",
  "type",
  "state",
  "status",
  "email",
  "shape",
  "walletId",
  "keyId",
  "method",
  "path",
  "self",
);
const query = fc
  .array(fc.tuple(fc.oneof(segment, parameter), segment), { maxLength: 5 })
  .map((pairs) =>
    pairs.length > 0 ? `?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}` : "",
  );
const path = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...knownPaths),
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
      "idempotency-key",
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
        "application/problem+json",
      ),
    ),
  )
  .chain((given) =>
    fc
      .constantFrom(
        { apikey: "slp_sandbox_master" },
        { apikey: "slp_sandbox_operator" },
        { apikey: "nonsense" },
        {},
      )
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

const bankAccountToSell = {
  routingNumber: "021000021",
  accountNumber: "987654321",
  billingDetails: {
    fullName: "Ada Lovelace",
    phone: "+12125550123",
    line1: "1 Main Street",
    city: "New York",
    province: "NY",
    postalCode: "10001",
    country: "US",
  },
};
const ramp = "/v2/ramp";
/** Bodies that are right and where they belong, to be spoiled. */
const rightBodies: [path: string, body: Record<string, unknown>][] = [
  [`${ramp}/subaccounts`, { name: "Ada Lovelace", email: "ada@example.com" }],
  [
    `${ramp}/paymentMethods/wallets`,
    { address: "0x52908400098527886E0F7030069857D2E4169EE7", blockchain: "ethereum" },
  ],
  [
    `${ramp}/paymentMethods/wallets`,
    { wallet: { address: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", blockchain: "bitcoin" } },
  ],
  [`${ramp}/paymentMethods/bankAccounts`, { ...bankAccountToSell, accountNumber: "123456789" }],
  [
    `${ramp}/transactions`,
    {
      settlementMethod: "ACH",
      sourceOrder: { walletId: "wal-1", blockchain: "ethereum", currency: "USDC", quantity: "100" },
      destinationOrder: { bankAccountId: "bac-1", currency: "USD" },
    },
  ],
  [
    `${ramp}/transactions`,
    {
      transaction: {
        sellOrder: { bankAccountId: "bac-1", currency: "USD", quantity: "100" },
        buyOrder: { walletId: "wal-1", blockchain: "ethereum", currency: "USDC" },
      },
    },
  ],
  [
    `${ramp}/quotes`,
    { type: "OFF_RAMP", currency: "USDC", blockchain: "base", sourceQuantity: "100" },
  ],
  [
    `${ramp}/webhooks`,
    { url: "https://example.com/hook", eventTypes: ["ramp.*"], description: "" },
  ],
  [`${ramp}/verification`, {}],
  ["/operator/verifications/usr-10000000000002/reject", { reason: "Why not." }],
  ["/sandbox/wires", { reference: "RMP", amountUsd: "100.00", senderName: "Ada Lovelace" }],
  ["/sandbox/deposits", { transactionId: "txn-1", quantity: "1" }],
  ["/sandbox/ach-returns", { transactionId: "txn-1", code: "R03" }],
  ["/sandbox/verification", { userId: "usr-10000000000001", status: "approved" }],
];
const fieldNames = [
  ...new Set(rightBodies.flatMap(([, right]) => JSON.stringify(right).match(/"\w+"(?=:)/g) ?? [])),
].map((quoted) => quoted.slice(1, -1));
const badValue = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.double(),
  fc.constantFrom<unknown>(
    "",
    " ",
    "\u0000",
    "\ud800",
    "0",
    "-1",
    "1e400",
    "0.0000000000000000000000000001",
    "9".repeat(400),
    "x".repeat(5_000),
    "\u0661\u0662",
    "usr-1",
    "constructor",
    "toString",
    1e308,
    Number.MAX_SAFE_INTEGER + 2,
    -0,
    [],
    [[[]]],
    {},
    null,
    true,
  ),
);
const badFields = fc.dictionary(fc.constantFrom(...fieldNames, "extra"), badValue, { maxKeys: 3 });

/** Puts bad values in the place of good ones of the same name, however deep, and beside them. */
function spoil(right: object, bad: Record<string, unknown>): string {
  const spoiled = JSON.parse(JSON.stringify(right), (name, value) =>
    Object.hasOwn(bad, name) ? bad[name] : value,
  ) as object;
  return JSON.stringify({ ...spoiled, ...bad });
}

test(`${spoiledRequests} bodies that are almost right: no 5xx`, async () => {
  const { wallets, bankAccounts } = app.as("master").ramp;
  const address = "0xde709f2102306220921060314715629080e2fb77";
  const wallet = await wallets.create({ address, blockchain: "ethereum" });
  const bankAccount = await bankAccounts.create(bankAccountToSell);
  const document = await (await app.ask("/openapi.json")).json();
  const { paths } = document as { paths: Record<string, object> };
  const posts = Object.keys(paths).filter((pattern) => "post" in (paths[pattern] ?? {}));
  const pathOf = (pattern: string) => pattern.replace(/\{\w+\}/g, "usr-10000000000001");
  const somewhere = fc.tuple(fc.constantFrom(...posts.map(pathOf)), fc.constant({}));
  const spoiled = fc.record({
    right: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...rightBodies) }, somewhere),
    bad: badFields,
    repeated: fc.option(fc.constantFrom("a", "b", "x".repeat(256)), { nil: undefined }),
    key: fc.constantFrom("slp_sandbox_master", "slp_sandbox_operator"),
  });
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(spoiled, async ({ right: [path, right], bad, repeated, key }) => {
      const body = spoil(right, bad).replace("wal-1", wallet.id).replace("bac-1", bankAccount.id);
      const headers = { apiKey: key, "content-type": "application/json" };
      const { status } = await fetch(app.url + path, {
        method: "POST",
        headers: repeated ? { ...headers, "idempotency-key": repeated } : headers,
        body,
        signal: AbortSignal.timeout(answerWithinMs),
      });
      statuses.add(status);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: spoiledRequests },
  );
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 403, 404, 409, 422]));
  expect(app.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
}, 120_000);

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
