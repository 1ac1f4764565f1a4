import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { CallerError } from "../lib/errors.ts";
import { isObject } from "../lib/is-object.ts";

/** Everything a request asks for. */
type Asked = { userId: string; params: unknown; query: unknown; body: unknown };

const keyForm = /^[\x20-\x7e]{1,255}$/;
const depthMost = 100;

/** The Idempotency-Key of a request, if it has one. */
export function idempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && keyForm.test(key)) return key;
  throw new CallerError("bad_request", "Idempotency-Key must be 1 to 255 characters.");
}

/** The same for two requests that ask for the same, however they are written and whichever key they carry. */
export function fingerprintOf({ userId, params, query, body }: Asked): Buffer {
  const text = canonicalJson({ userId, params, query, body: withoutKey(body) });
  return hash("sha256", text, "buffer");
}

function withoutKey(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { "api-key": _, ...rest } = body;
  return rest;
}

/** JSON with sorted names and no spaces. */
function canonicalJson(value: unknown, depth = 0): string {
  if (depth > depthMost) {
    throw new CallerError("bad_request", "The request body is nested too deeply.");
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item, depth + 1)).join(",")}]`;
  }
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name], depth + 1)}`);
  return `{${fields.join(",")}}`;
}
