import type { FastifyRequest } from "fastify";
import type { App } from "../http/app.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { givenKey } from "../http/given-key.ts";
import type { Log } from "../lib/log.ts";
import type { Asker, McpAnswer, Read } from "./mcp-server.ts";
import { toolsOf } from "./tools.ts";

type Options = {
  endpoints: readonly Endpoint[];
  version: string;
  /** Whether somebody we trust stands between us and those who ask. */
  isBehindProxy: boolean;
  log: Log;
};

/** Adds `/mcp`, where assistants read what the endpoints tell. */
export function addMcp(app: App, { endpoints, version, isBehindProxy, log }: Options): void {
  let opened: Promise<McpAnswer> | undefined;

  /** Loaded when it is first needed: few services are asked by assistants, and it takes a while. */
  async function open(): Promise<McpAnswer> {
    const { openMcpServer } = await import("./mcp-server.ts");
    const failed = (err: Error) => log.debug({ err }, "a request to /mcp was not understood");
    return openMcpServer({ tools: toolsOf(endpoints), version, read, failed });
  }

  async function read(url: string, { key, address }: Asker): Promise<Read> {
    const headers = { accept: "application/problem+json", ...(key && { apikey: key }) };
    const answer = await app.inject({ method: "GET", url, headers, remoteAddress: address });
    const cursor = answer.headers["cb-after"];
    return {
      status: answer.statusCode,
      body: answer.body,
      cursor: cursor === undefined ? undefined : String(cursor),
    };
  }

  app.post("/mcp", { schema: { hide: true } }, async (request, reply) => {
    opened ??= open();
    const answer = await opened;
    const asker = { key: keyOf(request), address: request.ip };
    const isLocal = !isBehindProxy && isLoopback(request.raw.socket.localAddress);
    const { headers, body = null } = request;
    reply.header("cache-control", "no-store");
    return reply.send(await answer({ headers, body, asker, isLocal }));
  });
}

/** The key as everywhere, or as a bearer token, which is what assistants have a field for. Two that differ are none. */
function keyOf({ raw }: FastifyRequest): string | undefined {
  const given = givenKey(raw);
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(raw.headers.authorization ?? "") ?? [];
  raw.headers.authorization = undefined;
  if (given.kind === "conflict") return undefined;
  if (given.kind === "none") return bearer;
  return bearer === undefined || bearer === given.key ? given.key : undefined;
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::1|(::ffff:)?127\.)/.test(address);
}
