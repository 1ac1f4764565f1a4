import type { IncomingHttpHeaders } from "node:http";

/** Sent with every answer, whatever its status: a browser must be able to read errors too. */
export const commonHeaders = {
  "access-control-allow-origin": "*",
  "x-content-type-options": "nosniff",
};

/** Only browsers ask from an origin, and only they need to be told which headers a page may read. */
const exposedHeaders =
  "Age, CB-After, CB-Before, Content-Disposition, Deprecation, ETag, Idempotency-Replayed, Link, RateLimit, " +
  "RateLimit-Policy, Retry-After, Slipway-As-Of, Slipway-Error-Type, Slipway-Maturity, Slipway-Mode, Slipway-Source, X-Request-Id";

/** Answers to a preflight: any page may call, with any of these methods and headers. */
export const preflightHeaders = {
  "access-control-allow-methods": "GET, HEAD, POST, DELETE, OPTIONS",
  "access-control-allow-headers":
    "apiKey, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, " +
    "Mcp-Protocol-Version, Mcp-Session-Id, X-Request-Id",
  "access-control-max-age": "86400",
};

/** JSON is not a page: nothing in it may run or be framed. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Our own pages load from us and from nowhere else, and tell nobody where they were. */
export const pagePolicy =
  "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; " +
  "worker-src 'self' blob:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'";

/** What an answer says beside its content: the same to everybody, and what only this request gets to hear. */
export type HeaderRules = {
  fixed: Record<string, string>;
  /** A flat list of names and values. */
  own(request: {
    id: string;
    headers: IncomingHttpHeaders;
    limitHeaders: Record<string, string> | null;
  }): string[];
};

export function headerRules(mode: string, isClosing: () => boolean): HeaderRules {
  return {
    fixed: { ...commonHeaders, "content-security-policy": apiPolicy, "slipway-mode": mode },
    own({ id, headers, limitHeaders }) {
      const own = ["x-request-id", id];
      if (headers.origin) own.push("access-control-expose-headers", exposedHeaders);
      // Without it a client would keep its connection, and with it us, for longer.
      if (isClosing()) own.push("connection", "close");
      if (limitHeaders) own.push(...Object.entries(limitHeaders).flat());
      return own;
    },
  };
}
