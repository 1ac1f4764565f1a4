import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { assert } from "../lib/errors.ts";
import { isObject } from "../lib/is-object.ts";
import { accountActedFor, type MayActFor } from "./acting-account.ts";
import type { Admit, Admitted } from "./admission.ts";
import { contentOf, sendAnswer } from "./answer.ts";
import { bodyCheck, queryCheck } from "./check.ts";
import { deprecationHeaders } from "./deprecation.ts";
import type { Caller, Endpoint, Idempotency } from "./endpoint.ts";
import { type GivenKey, givenKey } from "./given-key.ts";
import { Handover } from "./handover.ts";
import type { HeaderRules } from "./headers.ts";
import { fingerprintOf, idempotencyKey } from "./idempotency.ts";
import { documentationOf } from "./openapi.ts";
import { Ready } from "./ready.ts";
import type { ShortCut } from "./short-cut.ts";
import { Streamed, sendStreamed } from "./streamed.ts";
import { tableOf } from "./tables/columns.ts";
import { type Format, formatOf, mediaTypes } from "./tables/format.ts";
import { asTable, dispositionOf, keepFormat } from "./tables/table-answer.ts";

const nothing = {};

const contentTypes: Record<Format, string> = {
  json: `${mediaTypes.json}; charset=utf-8`,
  csv: `${mediaTypes.csv}; charset=utf-8; header=present`,
  parquet: mediaTypes.parquet,
};

export type Edge = {
  admit: Admit;
  mayActFor: MayActFor;
  rules: HeaderRules;
  /** Called when an answer is on its way. */
  answered(request: FastifyRequest, status: number): void;
  /** For requests that come again. */
  shortCut: ShortCut;
  /** Called when an answer could not be sent to its end. */
  brokeOff(request: FastifyRequest, error: unknown): void;
};

/** Gives an endpoint its route: let in, check, handle, answer. */
export function addEndpoint(app: FastifyInstance, endpoint: Endpoint, edge: Edge): void {
  const { method, path, family, maturity, deprecated, status } = endpoint;
  const { actsFor, bodyMayBeIn, bodyMegabytesMost, keyMayBeInBody, isHot } = endpoint;
  const { admit, mayActFor, rules, answered, shortCut, brokeOff } = edge;
  const checkQuery = endpoint.query ? queryCheck(endpoint.query) : () => nothing;
  const checkBody = endpoint.body ? bodyCheck(endpoint.body) : () => nothing;
  const table = tableOf(endpoint);
  const isList = table !== undefined;
  const headersIn = (format: Format) =>
    Object.entries({
      ...rules.fixed,
      ...(status === 204 ? {} : { "content-type": contentTypes[format] }),
      ...(isList ? { vary: "accept" } : {}),
      "cache-control": family === "data" ? "private, no-cache" : "no-store",
      ...(maturity ? { "slipway-maturity": maturity } : {}),
    }).flat();
  const fixedHeaders: Record<Format, string[]> = {
    json: headersIn("json"),
    csv: headersIn("csv"),
    parquet: headersIn("parquet"),
  };

  const letIn = (request: FastifyRequest, given: GivenKey) =>
    whenReady(
      admit(endpoint, given, request.ip, (caller) => {
        request.sender = caller;
      }),
      ({ caller, headers }: Admitted) => {
        request.caller = caller;
        request.limitHeaders = headers;
      },
    );

  const formatAskedFor = ({ query, headers }: FastifyRequest): Format =>
    method === "GET" ? formatOf(query, headers.accept, { isList }) : "json";

  /** Whom it is for comes before what it says: nobody learns what is wrong with a request for somebody else. */
  function handle(request: FastifyRequest, reply: FastifyReply, caller: Caller): unknown {
    if (!actsFor) return handleFor(caller.userId, request, reply, caller);
    return whenReady(accountActedFor(actsFor, request, caller.userId, mayActFor), (userId) =>
      handleFor(userId, request, reply, caller),
    );
  }

  function handleFor(
    userId: string,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
  ): unknown {
    const { params } = request;
    const query = checkQuery(request.query);
    const format = formatAskedFor(request);
    const result = endpoint.handle({
      params,
      query,
      body: checkBody(unwrapped(request.body, bodyMayBeIn)),
      caller,
      userId,
      idempotency: method === "POST" ? idempotencyOf(userId, request, reply) : undefined,
      address: request.ip,
      reachedAt: request,
      headers: request.headers,
    });
    if (isHot && !deprecated && method === request.method && format === "json") {
      const route = request.routeOptions.url ?? path;
      const way = { endpoint, params, query, route, isList, fixedHeaders: fixedHeaders.json };
      shortCut.learn(request.raw.url ?? "", way);
    }
    return whenReady(result, (value) => {
      const headers = fixedHeaders[format].concat(rules.own(request));
      if (deprecated) headers.push(...deprecationHeaders(deprecated.successor, request.params));
      const content = contentOf(value, headers);
      if (format === "json") send(request, reply, headers, content);
      else sendTable(request, reply, headers, { content, format });
    });
  }

  function idempotencyOf(
    userId: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Idempotency | undefined {
    const key = idempotencyKey(request.headers);
    if (key === undefined) return undefined;
    const { params, query, body } = request;
    return {
      key,
      route: `${method} ${path}`,
      fingerprint: fingerprintOf({ userId, params, query, body }),
      serialize: (content) => serialize(reply, content),
    };
  }

  function serialize(reply: FastifyReply, content: unknown): string {
    return String(reply.code(status).serialize(content));
  }

  function sendTable(
    request: FastifyRequest,
    reply: FastifyReply,
    headers: string[],
    { content, format }: { content: unknown; format: Exclude<Format, "json"> },
  ) {
    assert(table, "only a list is sent as a table");
    const isJson = content instanceof Streamed || content instanceof Ready;
    const json = isJson ? content : new Ready(serialize(reply, content));
    headers.push("content-disposition", dispositionOf(path, request.params, format));
    keepFormat(headers, request.query);
    send(request, reply, headers, asTable(table, json, format));
  }

  function send(request: FastifyRequest, reply: FastifyReply, headers: string[], content: unknown) {
    if (content instanceof Streamed) {
      answered(request, status);
      sendStreamed(request, reply, { status, streamed: content, headers }, brokeOff);
      return;
    }
    if (content instanceof Handover) {
      reply.hijack();
      answered(request, status);
      content.begin(request.raw, reply.raw, headers);
      return;
    }
    // What cannot be written fails before the framework lets go of the request.
    const ready = content instanceof Ready ? content : new Ready(serialize(reply, content));
    reply.hijack();
    answered(request, sendAnswer(request, reply.raw, { status, ready, headers }));
  }

  app.route({
    method,
    url: path.replace(/\{([^}]+)\}/g, ":$1"),
    schema: documentationOf(endpoint),
    config: { endpoint },
    ...(bodyMegabytesMost && { bodyLimit: bodyMegabytesMost * 1_000_000 }),
    onRequest(request, _, done) {
      const given = givenKey(request.raw);
      if (keyMayBeInBody && given.kind === "none") return done();
      try {
        const waiting = letIn(request, given);
        if (waiting) waiting.then(() => done(), done);
        else done();
      } catch (error) {
        done(error as Error);
      }
    },
    handler(request, reply) {
      if (request.caller) return handle(request, reply, request.caller);
      return Promise.resolve(letIn(request, keyInBody(request.body))).then(() => {
        assert(request.caller, "a request that was let in has a caller");
        return handle(request, reply, request.caller);
      });
    },
  });
}

/** Goes on at once when there is nothing to wait for: the common case costs no extra turn of the event loop. */
function whenReady<Value>(
  value: Value | Promise<Value>,
  use: (value: Value) => unknown,
): Promise<unknown> | undefined {
  if (value instanceof Promise) return value.then(use);
  const used = use(value);
  return used instanceof Promise ? used : undefined;
}

function keyInBody(body: unknown): GivenKey {
  const key = isObject(body) ? body["api-key"] : undefined;
  return typeof key === "string" ? { kind: "key", key } : { kind: "none" };
}

/** Whom a request is for stands beside what is wrapped, never inside. */
function unwrapped(body: unknown, name: string | undefined): unknown {
  const inner = name && isObject(body) ? body[name] : undefined;
  if (!isObject(inner)) return body;
  const { userId: _, ...rest } = inner;
  return rest;
}
