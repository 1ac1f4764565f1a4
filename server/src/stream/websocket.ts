import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { App } from "../http/app.ts";
import { envelope } from "../http/errors.ts";
import { commonHeaders } from "../http/headers.ts";
import { assert } from "../lib/errors.ts";
import type { Outlet } from "./connection.ts";

/** A connection that waits to become a WebSocket. */
type Waiting = { socket: Socket; head: Buffer };

const waiting = new WeakMap<IncomingMessage, Waiting>();
const frameBytesMost = 64 * 1_024;
/** A client that does not say goodbye is not waited for any longer. */
const goodbyeMs = 1_000;

const refusal = JSON.stringify(
  envelope(400, ["Only GET can be upgraded: send this request without the header Upgrade."]).body,
);
const refusalHeaders = { ...commonHeaders, "content-type": "application/json; charset=utf-8" };

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: frameBytesMost,
});

/**
 * Lets WebSockets in. A request for one takes the same way as any other, with the same key, limits, checks and errors;
 * only in the end there is a WebSocket in the place of an answer.
 */
export function addUpgrades(app: App): void {
  app.server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const socket = stream as Socket;
    socket.on("error", () => socket.destroy());
    waiting.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on("finish", () => socket.end());
    // Nobody reads a body any more once there was to be an upgrade.
    if (request.method === "GET" || request.method === "HEAD") app.routing(request, response);
    else response.writeHead(400, refusalHeaders).end(refusal);
  });
}

/** Whether a request asks for a WebSocket as it should. */
export function isUpgrade({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return (
    headers.upgrade?.toLowerCase() === "websocket" &&
    /^[+/0-9A-Za-z]{22}==$/.test(headers["sec-websocket-key"] ?? "") &&
    /^(8|13)$/.test(headers["sec-websocket-version"] ?? "")
  );
}

/** Makes a WebSocket of a request that was let in. */
export function becomeWebSocket(
  request: IncomingMessage,
  response: ServerResponse,
  begin: (client: WebSocket, socket: Socket) => void,
): void {
  const held = waiting.get(request);
  assert(held, "what asks for a WebSocket comes as an upgrade");
  const { socket, head } = held;
  response.detachSocket(socket);
  socket.setTimeout(0);
  socket.setNoDelay(true);
  server.handleUpgrade(request, socket, head, (client) => begin(client, socket));
}

/** The way to a client over its WebSocket. */
export function webSocketOutlet(client: WebSocket, socket: Socket): Outlet {
  const asText = { binary: false };
  return {
    pending: () => client.bufferedAmount,
    taken: () => socket.bytesWritten - socket.writableLength,
    send(message, id) {
      const frame =
        id === undefined ? message.frame : `{"id":${JSON.stringify(id)},${message.json.slice(1)}`;
      client.send(frame, asText);
    },
    end(code, reason) {
      client.close(code, reason);
      setTimeout(() => client.terminate(), goodbyeMs).unref();
    },
    destroy: () => client.terminate(),
  };
}
