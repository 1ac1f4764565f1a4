import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { obey } from "../process.ts";

/** `floor` writes the same bytes to all as often as we do; `ws` tells each client of each change, as is usual. */
export type BareOrders = {
  kind: "floor" | "ws";
  messagesPerSecond: number;
  bytesEach: number;
};
export type BareAnswer = { url: string };

/** What is told, with its time where a client looks for it, and as long as ours. */
function textOf(bytes: number): string {
  const head = `{"type":"bookChange","bids":[[1,${Date.now()}]],"rest":"`;
  return `${head}${"x".repeat(Math.max(0, bytes - head.length - 2))}"}`;
}

obey(async ({ kind, messagesPerSecond, bytesEach }: BareOrders): Promise<BareAnswer> => {
  const responses = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (request.url === "/usage") return void response.end(JSON.stringify(usage()));
    response.writeHead(200, { "content-type": "text/event-stream" });
    responses.add(response);
    response.on("close", () => responses.delete(response));
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request: IncomingMessage, socket, head) =>
    sockets.handleUpgrade(request, socket, head, () => {}),
  );
  setInterval(() => {
    if (kind === "floor") {
      const bytes = Buffer.from(`data: ${textOf(bytesEach - 8)}\n\n`);
      for (const response of responses) response.write(bytes);
      return;
    }
    const change = JSON.parse(textOf(bytesEach)) as object;
    for (const client of sockets.clients) client.send(JSON.stringify(change));
  }, 1_000 / messagesPerSecond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});

function usage() {
  const { user, system } = process.cpuUsage();
  return { rss: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1e6 };
}
