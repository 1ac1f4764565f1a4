import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordingLog } from "../../test/silent-log.ts";
import { systemRandom } from "../lib/random.ts";
import { WithHeaders } from "./answer.ts";
import { type App, buildApp, usualPatience } from "./app.ts";
import { endpoint } from "./endpoint.ts";
import { openMetrics } from "./metrics.ts";
import { Streamed } from "./streamed.ts";

const pieces = ['["', ...Array.from({ length: 200 }, (_, at) => String(at).repeat(5_000)), '"]'];
const made = { count: 0, isOver: false };

async function* slowly(failAt = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  made.count = 0;
  made.isOver = false;
  try {
    for (const [at, piece] of pieces.entries()) {
      if (at === failAt) throw new Error("the tables are gone");
      made.count++;
      yield piece;
    }
  } finally {
    made.isOver = true;
  }
}

async function* endlessly(): AsyncGenerator<string> {
  made.count = 0;
  made.isOver = false;
  try {
    for (;;) {
      made.count++;
      yield "0".repeat(100_000);
    }
  } finally {
    made.isOver = true;
  }
}

const common = {
  method: "GET",
  family: "data",
  summary: "A test",
  scope: "data:read",
  status: 200,
  response: Type.Array(Type.String()),
} as const;
const { lines, log } = recordingLog();
let app: App;
let url: string;

beforeAll(async () => {
  app = await buildApp({
    endpoints: [
      endpoint({
        ...common,
        path: "/v2/long",
        handle: () => new WithHeaders(new Streamed(slowly()), { age: "3" }),
      }),
      endpoint({ ...common, path: "/v2/endless", handle: () => new Streamed(endlessly()) }),
      endpoint({ ...common, path: "/v2/broken", handle: () => new Streamed(slowly(100)) }),
    ],
    authenticate: () => ({ keyId: "k", userId: "usr-1", scopes: new Set(["data:read"]) }),
    mayActFor: () => false,
    limits: undefined,
    metrics: openMetrics(),
    mode: "sandbox",
    version: "0",
    trustedProxies: [],
    patience: usualPatience,
    random: systemRandom,
    log,
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

/** Without the conveniences of `fetch`, which undoes the encoding. */
function ask(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { headers: { apikey: "good", ...headers }, agent: false };
    get(url + path, options, resolve).on("error", reject);
  });
}

async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("an answer that is sent while it is made", () => {
  test("arrives as a whole, with its headers and without a length", async () => {
    const response = await ask("/v2/long");
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({ age: "3", vary: "accept, accept-encoding" });
    expect(response.headers["content-length"]).toBeUndefined();
    expect(await text(response)).toBe(pieces.join(""));
  });

  test.each([
    ["br, gzip", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
  ])("is compressed when %s is accepted", async (accepted, encoding, decompress) => {
    const response = await ask("/v2/long", { "accept-encoding": accepted });
    expect(response.headers["content-encoding"]).toBe(encoding);
    expect(decompress(await bytesOf(response)).toString()).toBe(pieces.join(""));
  });

  test("is not made for HEAD", async () => {
    made.count = 0;
    const response = await fetch(`${url}/v2/long`, { method: "HEAD", headers: { apiKey: "good" } });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
    expect(made.count).toBe(0);
  });

  test("waits for a client that does not read, and ends when the client leaves", async () => {
    const response = await ask("/v2/endless");
    response.pause();
    let before = -1;
    const isStill = () => {
      const isSame = made.count === before;
      before = made.count;
      return isSame;
    };
    await expect.poll(isStill).toBe(true);
    response.destroy();
    await expect.poll(() => made.isOver).toBe(true);
    expect(lines.filter((line) => line.includes("broke off"))).toEqual([]);
  });

  test("ends the connection when it cannot go on, and says so in the log", async () => {
    const response = await ask("/v2/broken");
    expect(response.statusCode).toBe(200);
    await expect(bytesOf(response)).rejects.toThrow("aborted");
    await expect.poll(() => lines.join("")).toContain("the tables are gone");
  });
});
