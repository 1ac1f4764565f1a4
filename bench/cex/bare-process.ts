import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { obey } from "../process.ts";

export type BareOrders = { bodies: Record<string, string> };
export type BareAnswer = { url: string };

/** The floor: the same bytes with nothing in the way. */
obey(async ({ bodies }: BareOrders): Promise<BareAnswer> => {
  const buffers = new Map(Object.entries(bodies).map(([path, body]) => [path, Buffer.from(body)]));
  const server = createServer(({ url = "" }, response) => {
    const body = buffers.get(url) ?? Buffer.alloc(0);
    const type = "application/json; charset=utf-8";
    response.writeHead(200, { "content-type": type, "content-length": body.length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});
