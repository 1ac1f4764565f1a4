import { createServer } from "node:http";
import { obey } from "../process.ts";

export type ReceiverAnswer = { port: number };

/** A customer's web server that takes everything. */
obey(
  () =>
    new Promise<ReceiverAnswer>((resolve) => {
      const server = createServer((request, response) => {
        request.resume().on("end", () => response.writeHead(204).end());
      });
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        if (typeof address === "object" && address) resolve({ port: address.port });
      });
    }),
);
