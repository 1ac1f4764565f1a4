import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { chooseEncoding, type Encoding } from "./ready.ts";

type Chunks = AsyncIterable<string> | AsyncIterable<Uint8Array>;

/** What is too long to be held as a whole: it is sent while it is made, as fast as the client reads. */
export class Streamed {
  readonly chunks: Chunks;
  /** Squeezing it once more would gain nothing. */
  readonly isCompressed: boolean;

  constructor(chunks: Chunks, { isCompressed = false }: { isCompressed?: boolean } = {}) {
    this.chunks = chunks;
    this.isCompressed = isCompressed;
  }
}

type StreamedAnswer = {
  status: number;
  streamed: Streamed;
  /** A flat list of names and values, ours to add to. */
  headers: string[];
};

/** Sends such an answer. What fails on the way ends the connection: a client must not take half an answer for a whole. */
export function sendStreamed(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, streamed, headers }: StreamedAnswer,
  brokeOff: (request: FastifyRequest, error: unknown) => void,
): void {
  reply.hijack();
  const response = reply.raw;
  const encoding = streamed.isCompressed
    ? undefined
    : chooseEncoding(request.headers["accept-encoding"] ?? "");
  headers.push("vary", "accept-encoding");
  if (encoding) headers.push("content-encoding", encoding);
  response.writeHead(status, headers);
  const source = Readable.from(streamed.chunks);
  if (request.method === "HEAD") {
    source.destroy();
    response.end();
    return;
  }
  const sent = encoding
    ? pipeline(source, compressor(encoding), response)
    : pipeline(source, response);
  // The connection and the source are closed by then.
  sent.catch((error) => {
    if (!hasClientLeft(error)) brokeOff(request, error);
  });
}

function hasClientLeft(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";
}

/** Long answers are squeezed less, so that they do not come more slowly than the network takes them. */
function compressor(encoding: Encoding): Transform {
  return encoding === "br"
    ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
    : createGzip({ level: 1 });
}
