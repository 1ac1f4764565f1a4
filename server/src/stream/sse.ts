import type { IncomingMessage, ServerResponse } from "node:http";
import type { Outlet } from "./connection.ts";

/** How long a client waits before it connects again. */
const retryLine = "retry: 2000\n\n";

const eventHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/**
 * Begins an event stream. It has no length and no chunks: it ends with its connection, so that the same bytes go to
 * everybody.
 */
export function beginEvents(
  request: IncomingMessage,
  response: ServerResponse,
  headers: string[],
): Outlet {
  response.useChunkedEncodingByDefault = false;
  response.shouldKeepAlive = false;
  for (const [name, value] of Object.entries(eventHeaders)) setHeader(headers, name, value);
  response.writeHead(200, headers);
  request.socket.setTimeout(0);
  request.socket.setNoDelay(true);
  response.write(retryLine);
  return {
    pending: () => response.writableLength,
    taken: () => request.socket.bytesWritten - request.socket.writableLength,
    send(message, id) {
      if (id === undefined) {
        response.write(message.event);
        return;
      }
      response.cork();
      response.write(`id: ${id}\n`);
      response.write(message.event);
      response.uncork();
    },
    end: () => response.end(),
    destroy: () => response.destroy(),
  };
}

/** Puts a header in the place of the one that JSON would have. */
function setHeader(headers: string[], name: string, value: string): void {
  const at = headers.findIndex((each, index) => index % 2 === 0 && each === name);
  if (at < 0) headers.push(name, value);
  else headers[at + 1] = value;
}
