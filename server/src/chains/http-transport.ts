import { messageOf } from "../lib/errors.ts";
import { isObject } from "../lib/is-object.ts";
import { retryAfterMs } from "./rpc-errors.ts";
import { RpcFailure } from "./rpc-failure.ts";
import { encode, type Transport, tooLong, within } from "./transport.ts";

type HttpOptions = { fetch: typeof fetch; now: () => number };

/** Codes of a connection that never came to be. */
const awayCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Codes of certificates that we cannot accept. */
const certificateCodes = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** Statuses of servers that do not mean us; a moved one is not followed, a POST would become a GET. */
const awayStatuses = new Set([301, 302, 303, 307, 308, 401, 402, 403, 404, 410, 451]);

/** Statuses of gateways that are in trouble, whatever was asked. */
const troubledStatuses = new Set([502, 503, 504]);

/** JSON-RPC over HTTP, on connections that are kept open. */
export function httpTransport(url: URL, { fetch, now }: HttpOptions): Transport {
  // fetch refuses URLs with a user and a password in them.
  const address = new URL(url);
  address.username = "";
  address.password = "";
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (url.username || url.password) headers.authorization = basicAuthorization(url);

  return {
    exchange(requests, { timeoutMs, bodyMostBytes }, signal) {
      return within(timeoutMs, signal, async (inner) => {
        try {
          const response = await fetch(address, {
            method: "POST",
            headers,
            body: encode(requests),
            redirect: "manual",
            signal: inner,
          });
          const text = await readText(response, bodyMostBytes);
          return { body: readBody(response, text, requests.length > 1, now()), bytes: text.length };
        } catch (error) {
          throw error instanceof RpcFailure ? error : connectionFailure(error);
        }
      });
    },
    close() {},
  };
}

async function readText(response: Response, mostBytes: number): Promise<string> {
  if (!response.body) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw tooLong(mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString("utf8");
}

/** Providers send JSON-RPC errors with any status, so a body that is JSON-RPC counts more than the status. */
function readBody(response: Response, text: string, isBatch: boolean, now: number): unknown {
  if (response.status === 429) {
    const waitMs = retryAfterMs(response.headers.get("retry-after"), now);
    throw new RpcFailure("limited", "HTTP 429", waitMs === undefined ? {} : { waitMs });
  }
  const body = parse(text);
  if (response.ok) {
    if (body === undefined) throw new RpcFailure("broken", `no JSON but ${excerpt(text)}`);
    return body;
  }
  if (Array.isArray(body) || (isObject(body) && isObject(body.error))) return body;
  throw statusFailure(response, text, isBatch, now);
}

function statusFailure(response: Response, text: string, isBatch: boolean, now: number) {
  const { status, headers } = response;
  const message = `HTTP ${status} ${excerpt(text)}`;
  const waitMs = retryAfterMs(headers.get("retry-after"), now);
  if (status === 503 && waitMs !== undefined) return new RpcFailure("limited", message, { waitMs });
  if (awayStatuses.has(status)) return new RpcFailure("away", message);
  return new RpcFailure("broken", message, {
    refusesBatch: isBatch && !troubledStatuses.has(status),
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function excerpt(text: string): string {
  return text === "" ? "an empty body" : JSON.stringify(text.slice(0, 80));
}

/** What fetch throws says little; its cause says which connection failed and how. */
function connectionFailure(error: unknown): RpcFailure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = isCoded(cause) ? cause.code : undefined;
  const message = code
    ? `${messageOf(error)} (${code})`
    : `${messageOf(error)}: ${messageOf(cause)}`;
  const isAway = code !== undefined && (awayCodes.has(code) || certificateCodes.test(code));
  return new RpcFailure(isAway ? "away" : "broken", message);
}

function isCoded(error: unknown): error is { code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

function basicAuthorization({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}
