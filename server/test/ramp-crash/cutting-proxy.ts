import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { Address } from "../../src/database/address.ts";

/** When a connection is cut: before the server gets to see the commit, or after it has answered and nobody hears it. */
export type Cut = "before" | "after";

/** A way to a PostgreSQL server on which connections get lost. */
export type CuttingProxy = {
  address: Address;
  /** How many commits were sent so far. */
  commits(): number;
  /** Cuts the connection of the commit with this number, counted from 1 and from now. */
  cutAt(commit: number, cut: Cut): void;
  close(): Promise<void>;
};

/** How a commit looks on the wire. */
const commitMessage = Buffer.from("commit\0");

export async function startCuttingProxy(server: Address): Promise<CuttingProxy> {
  let count = 0;
  let next: { at: number; cut: Cut } | undefined;
  const sockets = new Set<Socket>();

  function serve(client: Socket): void {
    const upstream = server.host.startsWith("/")
      ? connect(join(server.host, `.s.PGSQL.${server.port}`))
      : connect(server.port, server.host);
    const cutBoth = () => {
      client.destroy();
      upstream.destroy();
    };
    let isDeaf = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", cutBoth).on("close", () => {
        sockets.delete(socket);
        cutBoth();
      });
    }
    client.on("data", (chunk) => {
      if (chunk.includes(commitMessage) && ++count === next?.at) {
        if (next.cut === "before") return cutBoth();
        isDeaf = true;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => (isDeaf ? cutBoth() : client.write(chunk)));
  }

  const listener = createServer(serve);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  return {
    address: { ...server, host: "127.0.0.1", port },
    commits: () => count,
    cutAt(commit, cut) {
      count = 0;
      next = { at: commit, cut };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
