import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { type Notice, RpcError } from "./engine.ts";
import { type Answer, answerText } from "./rpc-calls.ts";

/** JSON-RPC over HTTP and WebSocket, for this machine only. */
export type RpcServer = {
  port: number;
  /** Tells the subscriber. */
  notify(notice: Notice): void;
  close(): Promise<void>;
};

const host = "127.0.0.1";
const bodyBytesMost = 10 * 2 ** 20;

/** A subscriber that does not read is dropped before it fills the memory. */
const unreadBytesMost = 64 * 2 ** 20;
const unsupported = -32004;

/** Listens on a port, or on any free one for port 0. */
export async function serveRpc(port: number, answer: Answer): Promise<RpcServer> {
  const subscribers = new Map<string, WebSocket>();
  const server = createServer((request, response) => {
    void serveHttp(request, response, answer).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ server, maxPayload: bodyBytesMost });

  /** Over a socket one may also subscribe. */
  function answerTo(socket: WebSocket): Answer {
    return async (method, params) => {
      const answered = await answer(method, params);
      if (method === "eth_subscribe") {
        const { result } = JSON.parse(answered) as { result?: string };
        if (result) subscribers.set(result, socket);
      }
      return answered;
    };
  }

  function forget(socket: WebSocket): void {
    for (const [subscription, subscriber] of subscribers) {
      if (subscriber !== socket) continue;
      subscribers.delete(subscription);
      void answer("eth_unsubscribe", [subscription]).catch(() => {});
    }
  }

  sockets.on("connection", (socket) => {
    socket.on("message", (message) => {
      void answerText(message.toString(), answerTo(socket)).then((text) => send(socket, text));
    });
    socket.on("error", () => socket.terminate());
    socket.on("close", () => forget(socket));
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;

  return {
    port: chosen,
    notify({ subscription, result }) {
      const socket = subscribers.get(subscription);
      if (!socket) return;
      const params = { subscription, result };
      send(socket, JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params }));
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serveHttp(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  if (request.method !== "POST") {
    response.writeHead(405, { allow: "POST" }).end();
    return;
  }
  const body = await readBody(request);
  if (body === undefined) {
    response.writeHead(413, { connection: "close" }).end();
    return;
  }
  const text = await answerText(body, (method, params) => {
    if (/^eth_(un)?subscribe$/.test(method)) {
      throw new RpcError(unsupported, "Subscriptions need a WebSocket.");
    }
    return answer(method, params);
  });
  response.writeHead(200, { "content-type": "application/json" }).end(text);
}

/** The body, or nothing when it is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMost) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function send(socket: WebSocket, text: string): void {
  if (socket.bufferedAmount > unreadBytesMost) socket.terminate();
  else socket.send(text);
}
