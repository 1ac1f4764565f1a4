import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

export type FakeRequest = Record<string, unknown>;

/** A WebSocket server that answers as it is told to, and remembers what it was asked. */
export type FakeStream = {
  url: string;
  /** What was asked so far, in order. */
  requests: FakeRequest[];
  /** How many connections there are, and how many there have been. */
  readonly open: number;
  readonly opened: number;
  /** Sends a frame over every connection. */
  send(frame: string): void;
  /** Cuts every connection. */
  cut(): void;
  /** Says nothing more on the connections there are, not even to pings. */
  stall(): void;
  close(): Promise<void>;
};

export async function openFakeStream(
  answer: (request: FakeRequest) => string[],
  port = 0,
): Promise<FakeStream> {
  const server = new WebSocketServer({ port, host: "127.0.0.1", autoPong: false });
  await once(server, "listening");
  const requests: FakeRequest[] = [];
  const stalled = new Set<WebSocket>();
  let opened = 0;

  server.on("connection", (socket) => {
    opened++;
    const send = (frame: string) => stalled.has(socket) || socket.send(frame);
    socket.on("ping", () => stalled.has(socket) || socket.pong());
    socket.on("message", (data) => {
      const request = JSON.parse(String(data)) as FakeRequest;
      requests.push(request);
      for (const frame of answer(request)) send(frame);
    });
  });

  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get open() {
      return server.clients.size;
    },
    get opened() {
      return opened;
    },
    send(frame) {
      for (const socket of server.clients) if (!stalled.has(socket)) socket.send(frame);
    },
    cut() {
      for (const socket of server.clients) socket.terminate();
    },
    stall() {
      for (const socket of server.clients) stalled.add(socket);
    },
    async close() {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
