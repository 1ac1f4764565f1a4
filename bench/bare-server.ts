import { createServer } from "node:http";
import fastify from "fastify";

/** The same bytes with nothing in the way: `node:http` (the floor), or Fastify as it comes (the peer). */
const [kind, text = ""] = process.argv.slice(2);
const body = Buffer.from(text);
const type = "application/json; charset=utf-8";

if (kind === "node") {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": type, "content-length": body.length });
    response.end(body);
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
  });
} else {
  const app = fastify();
  app.get("/*", (_, reply) => reply.type(type).send(body));
  console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
}
