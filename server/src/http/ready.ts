import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

type Encoding = "br" | "gzip";

/** Below this, compressing costs more than it saves. */
const compressLengthLeast = 1_024;
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/**
 * An answer that was serialised and hashed before anybody asked, and is compressed at most once: hot paths send the
 * same bytes again and again.
 */
export class Ready {
  readonly etag: string;
  /** A short text goes out in one write with its headers; a long one is encoded once. */
  readonly plain: string | Buffer;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(json: string) {
    this.plain = json.length < compressLengthLeast ? json : Buffer.from(json);
    this.etag = `W/"${etagHash(json)}"`;
  }

  compressed(encoding: Encoding): Promise<Buffer> {
    const bytes = this.#compressed.get(encoding) ?? compress(this.plain, encoding);
    this.#compressed.set(encoding, bytes);
    return bytes;
  }
}

/**
 * Sends a ready answer past the framework, which would look for something to serialise, hash and compress.
 * `headers` is a flat list of names and values, ours to add to: the cheapest form that Node takes.
 */
export function sendReady(
  ready: Ready,
  request: FastifyRequest,
  reply: FastifyReply,
  headers: string[],
): void {
  reply.hijack();
  headers.push("etag", ready.etag);
  if (request.headers["if-none-match"]?.includes(ready.etag)) {
    reply.raw.writeHead(304, headers).end();
    return;
  }
  const encoding = encodingFor(ready, request);
  if (typeof ready.plain !== "string") headers.push("vary", "accept-encoding");
  if (!encoding) {
    write(reply.raw, request.method, ready.plain, headers);
    return;
  }
  headers.push("content-encoding", encoding);
  ready
    .compressed(encoding)
    .then((bytes) => write(reply.raw, request.method, bytes, headers))
    .catch((error) => reply.raw.destroy(error));
}

function write(
  response: ServerResponse,
  method: string,
  payload: string | Buffer,
  headers: string[],
): void {
  headers.push("content-length", String(Buffer.byteLength(payload)));
  response.writeHead(200, headers).end(method === "HEAD" ? undefined : payload);
}

/** Tells contents apart; it keeps nothing secret. */
export function etagHash(payload: string | Buffer): string {
  return hash("sha1", payload, "base64url");
}

function encodingFor({ plain }: Ready, { headers }: FastifyRequest): Encoding | undefined {
  if (typeof plain === "string") return undefined;
  const accepted = headers["accept-encoding"] ?? "";
  const accepts = (name: string) =>
    new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted);
  return accepts("br") ? "br" : accepts("gzip") ? "gzip" : undefined;
}

function compress(plain: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === "br"
    ? promisify(brotliCompress)(plain, brotliOptions)
    : promisify(gzip)(plain);
}
