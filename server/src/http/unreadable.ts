import type { Socket } from "node:net";
import { envelope } from "./errors.ts";
import { commonHeaders } from "./headers.ts";

const sentences: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The request's headers are too large.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive."],
};

/** Answers bytes that are not HTTP, or that come too slowly to be waited for. */
export function answerUnreadable(mode: string) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, message] = sentences[error.code ?? ""] ?? [
      "400 Bad Request",
      "The request is not valid HTTP.",
    ];
    const answer = envelope(Number.parseInt(status, 10), [message]);
    const body = JSON.stringify(answer.body);
    const headers = {
      ...commonHeaders,
      "slipway-mode": mode,
      "slipway-error-type": answer.type,
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      connection: "close",
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status}\r\n${head.join("")}\r\n${body}`);
  };
}
