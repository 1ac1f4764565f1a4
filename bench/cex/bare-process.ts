import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { obey } from "../process.ts";

/** An answer of ours: a flat list of headers, and the body. */
export type Bytes = { headers: string[]; body: string };
export type BareOrders = { answers: Record<string, Bytes> };
export type BareAnswer = { url: string };

/** The floor: the same bytes, head and body, with nothing in the way. */
obey(async ({ answers }: BareOrders): Promise<BareAnswer> => {
  const known = new Map(
    Object.entries(answers).map(([path, { headers, body }]) => [
      path,
      { headers, body: Buffer.from(body) },
    ]),
  );
  const nothing = { headers: [], body: Buffer.alloc(0) };
  const server = createServer(({ url = "" }, response) => {
    const { headers, body } = known.get(url) ?? nothing;
    response.writeHead(200, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});
