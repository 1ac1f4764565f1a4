import { createServer, type RequestListener, type Server } from "node:http";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { monotonicMs } from "../lib/clock.ts";
import { CallerError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import type { MayActFor } from "./acting-account.ts";
import { type Authenticate, openAdmission } from "./admission.ts";
import type { Caller, Endpoint } from "./endpoint.ts";
import { answerError, sendErrorAnswer } from "./errors.ts";
import { liftKey } from "./given-key.ts";
import { headerRules, preflightHeaders } from "./headers.ts";
import { addHooks, type Hook } from "./hooks.ts";
import { lateSerializers } from "./late-serializers.ts";
import type { Limits } from "./limits.ts";
import type { HttpMetrics } from "./metrics.ts";
import { documentEndpoints } from "./openapi.ts";
import { addEndpoint } from "./route.ts";
import { type Answered, openShortCut } from "./short-cut.ts";
import { answerUnknown } from "./unknown-path.ts";
import { answerUnreadable } from "./unreadable.ts";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | null;
    /** Whose key it came with, also when that key was not let in. */
    sender: Caller | null;
    /** What the answer says is wrong. */
    problems: readonly string[] | null;
    /** Where the caller's key stands against its limit. */
    limitHeaders: Record<string, string> | null;
    startedAtMs: number;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

export type App = FastifyInstance;

/** Hears of a request that was answered, with what status, after how long, and what the answer says is wrong. */
export type NoteRequest = (
  request: Answered,
  status: number,
  milliseconds: number,
  problems: readonly string[],
) => void;

export type AppOptions = {
  endpoints: readonly Endpoint[];
  /** Where services that we use leave messages; none when left out. */
  hooks?: readonly Hook[];
  authenticate: Authenticate;
  mayActFor: MayActFor;
  /** Nothing: no limits. */
  limits: Limits | undefined;
  metrics: HttpMetrics;
  /** Hears of every request to an endpoint that was answered. */
  noteRequest?: NoteRequest;
  mode: "sandbox" | "live";
  version: string;
  /** Addresses of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: string[];
  patience: Patience;
  random: Random;
  log: Log;
};

/** How long clients are waited for. */
export type Patience = {
  /** For a request to arrive as a whole, and its head. */
  requestMs: number;
  headersMs: number;
  /** How often those two are looked at. */
  checkMs: number;
  /** When closing: for requests to be sent and answers to be read. */
  closeMs: number;
};

export const usualPatience: Patience = {
  requestMs: 30_000,
  headersMs: 10_000,
  checkMs: 5_000,
  closeMs: 8_000,
};

/** What answers without a key. */
const openPaths = [
  "/health/live",
  "/health/ready",
  "/metrics",
  "/openapi.json",
  "/docs",
  "/console",
  "/logo/{blockchain}/{image}",
].map((path) => ({
  method: "GET",
  path,
}));

const noProblems: readonly string[] = [];
const bodyBytesMost = 64 * 1024;
const urlLengthMost = 8 * 1024;
const paramLengthMost = 200;

/** Builds the web server: key, limits, checks, handlers, answers. It knows no domain. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { endpoints, hooks = [], metrics, noteRequest, mode, version, log } = options;
  let isClosing = false;
  const rules = headerRules(mode, () => isClosing);
  const nextId = requestIds(options.random);
  const { admit, admitKnown } = openAdmission(options.authenticate, options.limits);
  const shortCut = openShortCut({ admitKnown, rules, nextId, answered });
  // No logger of the framework's: what there is to say about a request is said below, without its URL.
  const app = fastify({
    genReqId: nextId,
    bodyLimit: bodyBytesMost,
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    routerOptions: { maxParamLength: paramLengthMost, ignoreTrailingSlash: true },
    schemaController: { compilersFactory: { buildSerializer: lateSerializers } },
    // What reaches us while we close is answered like any other; then its connection ends.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    rewriteUrl(request) {
      liftKey(request);
      const url = request.url ?? "/";
      Object.assign(request, { originalUrl: url });
      return url;
    },
    frameworkErrors: (error, request, reply) => {
      addHeaders(request, reply);
      sendError(error, request, reply);
    },
    clientErrorHandler: answerUnreadable(mode),
    serverFactory: (handler) => openServer(options.patience, shortCut.before(handler)),
  });

  /** A page has a content policy of its own. */
  function addHeaders(request: FastifyRequest, reply: FastifyReply): void {
    const policy = reply.getHeader("content-security-policy");
    reply.headers(rules.fixed);
    if (policy) reply.header("content-security-policy", policy);
    const own = rules.own(request);
    for (let index = 0; index < own.length; index += 2) {
      reply.header(own[index] ?? "", own[index + 1]);
    }
  }

  function answered(request: Answered, status: number, problems = noProblems): void {
    const { id, method, route, startedAtMs } = request;
    const milliseconds = monotonicMs() - startedAtMs;
    const seconds = milliseconds / 1_000;
    metrics.observe({ method, route, status, seconds });
    noteRequest?.(request, status, milliseconds, problems);
    if (log.isLevelEnabled("debug")) {
      log.debug({ requestId: id, method, route, status, seconds }, "answered");
    }
  }

  function noteAnswer(request: FastifyRequest, status: number): void {
    const { id, method, url, sender, startedAtMs, problems } = request;
    const { url: route = "unknown", config } = request.routeOptions;
    const endpoint = config?.endpoint;
    answered(
      { id, method, route, url, endpoint, sender, startedAtMs },
      status,
      problems ?? noProblems,
    );
  }

  function brokeOff({ id }: FastifyRequest, error: unknown): void {
    log.error({ requestId: id, err: error }, "an answer broke off; its client has half of it");
  }

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const answer = answerError(error, request.routeOptions?.config?.endpoint, request.id);
    if (answer.status === 500) {
      log.error({ requestId: request.id, err: error }, "a request failed; this is a bug");
    }
    request.problems = answer.body.errors.map(({ message }) => message);
    sendErrorAnswer(request, reply.header("cache-control", "no-store"), answer);
  }

  app.addHook("preClose", async () => {
    isClosing = true;
    // Whoever is still sending or reading by then is not waited for.
    setTimeout(() => app.server.closeAllConnections(), options.patience.closeMs).unref();
  });
  app.addHook("onRequest", (request, reply, done) => {
    request.startedAtMs = monotonicMs();
    if (request.method === "OPTIONS") return void reply.code(204).headers(preflightHeaders).send();
    done(unacceptable(request));
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    addHeaders(request, reply);
    noteAnswer(request, reply.statusCode);
    done(null, payload);
  });

  app.decorateRequest("caller", null);
  app.decorateRequest("sender", null);
  app.decorateRequest("problems", null);
  app.decorateRequest("limitHeaders", null);
  app.decorateRequest("startedAtMs", 0);
  // Endpoints check their input themselves, all faults at once; the schemas here are for documents and answers.
  app.setValidatorCompiler(() => () => true);
  app.setErrorHandler(sendError);
  const postPaths = ["/mcp", ...hooks.map(({ path }) => path)].map((path) => ({
    method: "POST",
    path,
  }));
  app.setNotFoundHandler(answerUnknown([...endpoints, ...openPaths, ...postPaths]));
  acceptOnlyJson(app);

  await documentEndpoints(app, { endpoints, mode, version });
  const { mayActFor } = options;
  const edge = { admit, mayActFor, rules, answered: noteAnswer, shortCut, brokeOff };
  for (const endpoint of endpoints) addEndpoint(app, endpoint, edge);
  await addHooks(app, hooks);
  return app;
}

function openServer(patience: Patience, handler: RequestListener): Server {
  const settings = {
    requestTimeout: patience.requestMs,
    headersTimeout: patience.headersMs,
    connectionsCheckingInterval: patience.checkMs,
    keepAliveTimeout: 72_000,
  };
  // A client that neither sends nor reads for this long is gone.
  return createServer(settings, handler).setTimeout(120_000);
}

/** What no endpoint wants to see, found before its body is read. */
function unacceptable({ url, headers }: FastifyRequest): CallerError | undefined {
  if (url.length > urlLengthMost) {
    return new CallerError(
      "uri_too_long",
      "The request is too large: a URL may have at most 8 kB.",
    );
  }
  const encoding = headers["content-encoding"];
  if (encoding && encoding !== "identity") {
    return new CallerError(
      "unsupported_media_type",
      "Content-Encoding is not supported: send the body as it is.",
    );
  }
  return undefined;
}

/** Bodies are JSON. An empty one is no body, whatever its Content-Type says. */
function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (String(body).trim() === "") done(null, undefined);
    else parse(request, String(body), done);
  });
}

/** Ids that are unique over restarts and cheap to make: a random start and a counter. */
function requestIds(random: Random): () => string {
  const start = random.bytes(6).toString("hex");
  let count = 0;
  return () => `req-${start}-${(++count).toString(36)}`;
}
