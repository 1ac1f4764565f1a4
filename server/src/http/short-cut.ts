import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { monotonicMs } from "../lib/clock.ts";
import type { AdmitKnown } from "./admission.ts";
import { contentOf, sendAnswer } from "./answer.ts";
import type { Caller, Endpoint } from "./endpoint.ts";
import { givenKey, liftKey } from "./given-key.ts";
import type { HeaderRules } from "./headers.ts";
import { Ready } from "./ready.ts";

/** Where a URL leads, and what it says: found out and checked when it was first asked for. */
type Way = {
  endpoint: Endpoint;
  params: unknown;
  query: unknown;
  /** As in metrics and logs. */
  route: string;
  fixedHeaders: readonly string[];
};

/** A request that has been answered. */
export type Answered = { id: string; method: string; route: string; startedAtMs: number };

export type ShortCut = {
  /** Remembers where a URL leads. */
  learn(url: string, way: Way): void;
  /** Serves those who come this way again, and leaves everybody else to `handler`. */
  before(handler: RequestListener): RequestListener;
};

type ShortCutOptions = {
  admitKnown: AdmitKnown;
  rules: HeaderRules;
  nextId(): string;
  answered(request: Answered, status: number): void;
};

const waysMost = 10_000;
const urlLengthMost = 500;
const nothing = {};
/** Hot endpoints do not care how they were reached. */
const anywhere = { protocol: "http", host: "" };

/**
 * Who polls sends the same request again and again. For endpoints that are hot, the same URL from a key that is known
 * goes past the framework, which would route, parse and check it once more: half of what such an answer costs
 * (`npm run bench -- cex`). It only ever succeeds here; whatever is unusual takes the long way and fails there.
 */
export function openShortCut({ admitKnown, rules, nextId, answered }: ShortCutOptions): ShortCut {
  const ways = new Map<string, Way>();

  function send(request: IncomingMessage, response: ServerResponse, visit: Visit): boolean {
    const { way, startedAtMs, limitHeaders } = visit;
    const { fixedHeaders, route } = way;
    const id = nextId();
    const own = rules.own({ id, headers: request.headers, limitHeaders });
    const headers = fixedHeaders.concat(own);
    const ready = contentOf(visit.result, headers);
    if (!(ready instanceof Ready)) return false;
    const { status } = way.endpoint;
    answered({ id, method: "GET", route, startedAtMs }, status);
    sendAnswer(request, response, { status, ready, headers });
    return true;
  }

  function visitNow(
    request: IncomingMessage,
    response: ServerResponse,
    way: Way,
    { caller, headers }: { caller: Caller; headers: Record<string, string> },
    startedAtMs: number,
  ): boolean {
    const { endpoint, params, query } = way;
    const result = attempt(() =>
      endpoint.handle({ params, query, body: nothing, caller, reachedAt: anywhere }),
    );
    if (result instanceof Promise) return false;
    return send(request, response, { way, startedAtMs, limitHeaders: headers, result });
  }

  /** Whether the request has been answered, or will be. */
  function serve(
    request: IncomingMessage,
    response: ServerResponse,
    handler: RequestListener,
  ): boolean {
    if (request.method !== "GET") return false;
    liftKey(request);
    const way = ways.get(request.url ?? "");
    if (!way || request.headers["content-encoding"]) return false;
    const startedAtMs = monotonicMs();
    const admitted = admitKnown(way.endpoint, givenKey(request));
    if (!(admitted instanceof Promise)) {
      return admitted !== undefined && visitNow(request, response, way, admitted, startedAtMs);
    }
    admitted.then(
      (known) => {
        if (!visitNow(request, response, way, known, startedAtMs)) handler(request, response);
      },
      () => handler(request, response),
    );
    return true;
  }

  return {
    learn(url, way) {
      if (url.length > urlLengthMost) return;
      if (ways.size >= waysMost) ways.clear();
      ways.set(url, way);
    },
    before: (handler) => (request, response) => {
      if (!serve(request, response, handler)) handler(request, response);
    },
  };
}

type Visit = {
  way: Way;
  startedAtMs: number;
  limitHeaders: Record<string, string>;
  result: unknown;
};

/** What fails here fails again on the long way, where it is answered. */
function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}
