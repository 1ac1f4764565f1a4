import type { IncomingHttpHeaders } from "node:http";
import { toWebRequest } from "@modelcontextprotocol/node";
import {
  type CallToolResult,
  createMcpHandler,
  fromJsonSchema,
  hostHeaderValidationResponse,
  type JsonSchemaType,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { CallerError } from "../lib/errors.ts";
import { isObject } from "../lib/is-object.ts";
import type { Tool } from "./tools.ts";

/** What an endpoint answered. */
export type Read = { status: number; body: string; cursor: string | undefined };

/** Who asks: their key if they gave one, and where they are. */
export type Asker = { key: string | undefined; address: string };

type McpOptions = {
  tools: readonly Tool[];
  version: string;
  /** Asks an endpoint on behalf of somebody, with everything that a request goes through. */
  read(url: string, asker: Asker): Promise<Read>;
  failed(error: Error): void;
};

/** A POST to `/mcp`. */
type McpRequest = {
  headers: IncomingHttpHeaders;
  body: unknown;
  asker: Asker;
  /** It came from this machine, where nobody asks under another name than that of this machine. */
  isLocal: boolean;
};

/** Answers requests of the Model Context Protocol. */
export type McpAnswer = (request: McpRequest) => Promise<Response>;

const instructions =
  "Market data of decentralized and centralized exchanges, and the caller's own side of a fiat ramp. Every tool only " +
  "reads. Lists are short unless `limit` says otherwise.";

/** Makes what answers requests. Each has a server of its own, so nothing is kept between two. */
export function openMcpServer({ tools, version, read, failed }: McpOptions): McpAnswer {
  const checked = tools.map((tool) => ({ ...tool, inputSchema: unchecked(tool.inputSchema) }));

  // Tools do not change while we run: there is nothing to subscribe to.
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const asker = askerOf(authInfo?.extra);
      const server = new McpServer({ name: "slipway", version }, { instructions });
      for (const { name, title, description, inputSchema, urlOf } of checked) {
        const annotations = { title, readOnlyHint: true, openWorldHint: false };
        server.registerTool(name, { title, description, inputSchema, annotations }, (given) =>
          callTool(() => read(urlOf(isObject(given) ? given : {}), asker)),
        );
      }
      return server;
    },
    { legacy: "stateless", maxSubscriptions: 0, onerror: failed },
  );

  return async ({ headers, body, asker, isLocal }) => {
    const request = await webRequest(headers, body);
    const refusal =
      (isLocal ? hostHeaderValidationResponse(request, localhostAllowedHostnames()) : undefined) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refusal) return refusal;
    const authInfo = { token: "", clientId: "", scopes: [], extra: asker };
    return handler.fetch(request, { parsedBody: body, authInfo });
  };
}

async function webRequest(headers: IncomingHttpHeaders, body: unknown): Promise<Request> {
  const message = { method: "POST", url: "/mcp", headers, [Symbol.asyncIterator]: noChunks };
  try {
    return await toWebRequest(message, body);
  } catch {
    throw new CallerError("bad_request", "The headers of the request are not valid.");
  }
}

/** The body has been read. */
async function* noChunks(): AsyncGenerator<never> {}

async function callTool(read: () => Promise<Read>): Promise<CallToolResult> {
  try {
    return resultOf(await read());
  } catch (error) {
    if (error instanceof CallerError) return mistake(error.messages.join(" "));
    throw error;
  }
}

/** The JSON of an answer as text, digit for digit, and as a value. */
function resultOf({ status, body, cursor }: Read): CallToolResult {
  const value: unknown = JSON.parse(body);
  if (status !== 200) return mistake(isObject(value) ? String(value.detail) : body);
  const next = cursor && { type: "text" as const, text: `There is more: after=${cursor}` };
  return {
    content: [{ type: "text", text: body }, ...(next ? [next] : [])],
    structuredContent: isObject(value) ? value : { items: value },
  };
}

function mistake(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Arguments are checked by the endpoints, which say what is wrong as they say it to everybody. */
function unchecked(schema: Tool["inputSchema"]) {
  return fromJsonSchema<Record<string, unknown>>(schema as JsonSchemaType, {
    getValidator: () => (input) => ({
      valid: true,
      data: input as never,
      errorMessage: undefined,
    }),
  });
}

function askerOf(extra: Record<string, unknown> | undefined): Asker {
  const { key, address } = extra ?? {};
  return { key: typeof key === "string" ? key : undefined, address: String(address) };
}
