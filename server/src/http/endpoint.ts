import type { IncomingHttpHeaders } from "node:http";
import type { Static, TSchema } from "typebox";
import type { WithHeaders } from "./answer.ts";
import type { Handover } from "./handover.ts";
import type { Ready } from "./ready.ts";
import type { Streamed } from "./streamed.ts";

/** Who is calling: the account that owns the key, and what the key allows. */
export type Caller = {
  keyId: string;
  userId: string;
  scopes: ReadonlySet<string>;
};

/** Decides how a missing or bad key is answered, and which heading an endpoint has in the docs. */
type Family = "data" | "ramp" | "account";

/** How a caller reached us, for answers that hold links back to us. `host` is empty when nobody said. */
export type ReachedAt = { readonly protocol: string; readonly host: string };

/** A POST that may come again: by its Idempotency-Key it is recognised, and answered as it was the first time. */
export type Idempotency = {
  key: string;
  /** Method and path pattern: the same key may be used again elsewhere. */
  route: string;
  /** SHA-256 of everything the request asks for. */
  fingerprint: Buffer;
  /** The JSON that answers with this content, byte for byte. */
  serialize(content: object): string;
};

type Input<Params extends TSchema, Query extends TSchema, Body extends TSchema> = {
  params: Static<Params>;
  query: Static<Query>;
  body: Static<Body>;
  caller: Caller;
  /** The account acted for: the caller's own, or one of its subaccounts where the endpoint allows that. */
  userId: string;
  idempotency: Idempotency | undefined;
  /** Where the request came from, as an IP address. */
  address: string;
  reachedAt: ReachedAt;
  headers: IncomingHttpHeaders;
};

/** The promised value, or the same as JSON that is ready to be sent or comes in pieces; or somebody else goes on. */
type Content<Response extends TSchema> = Static<Response> | Ready | Streamed | Handover;
type Result<Response extends TSchema> = Content<Response> | WithHeaders<Content<Response>>;

/**
 * Which array of an answer holds its rows, for those who want a table and no JSON. Where there are several, a column
 * says which of them a row is from: each array stands with what that column says.
 */
export type Rows = string | { column: string; arrays: Record<string, string> };

/** Everything there is to know about one endpoint: how it is routed, checked, documented and answered. */
type Definition<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Response extends TSchema,
> = {
  method: "GET" | "POST" | "DELETE";
  /** As in the specification: `/v2/ramp/subaccounts/{accountId}`. */
  path: string;
  family: Family;
  summary: string;
  description?: string;
  maturity?: "alpha" | "beta";
  /** Answers say that the path is old and where its successor is: a pattern with parameters of this path. */
  deprecated?: { successor: string };
  /** Asked for with the same URL again and again: repeated requests go past the framework. */
  isHot?: boolean;
  /** What the key must allow; null: any key will do. */
  scope: string | null;
  /** Not in the request log: whoever looks at that would find nothing but himself. */
  isUnlisted?: boolean;
  /** Whom `userId` may name: the caller itself, or also its subaccounts. Left out: `userId` means nothing here. */
  actsFor?: "self" | "subaccounts";
  params?: Params;
  query?: Query;
  body?: Body;
  /** The body may come bare, or inside an object under this name: the specification shows both. */
  bodyMayBeIn?: string;
  /** For files. Left out: a body has 64 kB at most, as everywhere. */
  bodyMegabytesMost?: number;
  /** The key may also come as `api-key` in the body, where the specification's sample puts it. */
  keyMayBeInBody?: boolean;
  status: 200 | 201 | 204;
  /** What the answer is when it is not JSON. */
  mediaType?: string;
  response: Response;
  /** Left out: a response that is an array is the list of rows, and any other is no list. */
  rows?: Rows;
  handle(input: Input<Params, Query, Body>): Promise<Result<Response>> | Result<Response>;
};

/** An endpoint whose types have been checked against its handler; from here on it is a plain value. */
export type Endpoint = Omit<Definition<TSchema, TSchema, TSchema, TSchema>, "handle"> & {
  /** `http/route.ts` has checked the input against the schemas. */
  handle(input: Input<TSchema, TSchema, TSchema>): unknown;
};

/** Makes an endpoint. The compiler checks that the handler returns what the endpoint promises. */
export function endpoint<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Response extends TSchema,
>(definition: Definition<Params, Query, Body, Response>): Endpoint {
  const { handle } = definition;
  return { ...definition, handle: (input) => handle(input as Input<Params, Query, Body>) };
}

/** The same endpoint under a path that it had before, where its answers point to the one it has now. */
export function formerly(path: string, current: Endpoint): Endpoint {
  return { ...current, path, deprecated: { successor: current.path } };
}

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Marks a schema as the server's side of a shape in the SDK. A drift between the two does not compile. */
export function shapeOf<Shape>() {
  return <Schema extends TSchema>(
    schema: Schema & (Same<Static<Schema>, Shape> extends true ? unknown : { drift: Shape }),
  ): Schema => schema;
}
