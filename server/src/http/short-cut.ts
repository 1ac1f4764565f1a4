import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { monotonicMs } from "../lib/clock.ts";
import { assert } from "../lib/errors.ts";
import type { AdmitKnown, Admitted } from "./admission.ts";
import { contentOf, sendAnswer } from "./answer.ts";
import type { Caller, Endpoint } from "./endpoint.ts";
import { givenKey, liftKey } from "./given-key.ts";
import type { HeaderRules } from "./headers.ts";
import { Ready } from "./ready.ts";
import { acceptedFormat } from "./tables/format.ts";

/** Where a URL leads, and what it says: found out and checked when it was first asked for. */
type Way = {
  endpoint: Endpoint;
  params: unknown;
  query: unknown;
  /** As in metrics and logs. */
  route: string;
  fixedHeaders: readonly string[];
  /** It can also be had as a table, for which this is not the way. */
  isList: boolean;
};

/** A request that has been answered. */
export type Answered = {
  id: string;
  method: string;
  /** As in metrics and logs. */
  route: string;
  /** Without the key. */
  url: string;
  /** Nothing: it was for no endpoint. */
  endpoint: Endpoint | undefined;
  /** Null when no valid key came with it. */
  sender: Caller | null;
  startedAtMs: number;
};

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
/** Hot endpoints do not care how they were reached, and from where. */
const anywhere = { reachedAt: { protocol: "http", host: "" }, address: "", idempotency: undefined };

/**
 * Who polls sends the same request again and again. For endpoints that are hot, the same URL from a key that is known
 * goes past the framework, which would route, parse and check it once more: a fifth of what such an answer costs
 * (`npm run bench -- cex`). It only ever succeeds here; whatever is unusual takes the long way and fails there.
 */
export function openShortCut({ admitKnown, rules, nextId, answered }: ShortCutOptions): ShortCut {
  const ways = new Map<string, Way>();

  function send(
    { way, request, response, startedAtMs }: Visit,
    admitted: Admitted,
    result: unknown,
  ) {
    const { endpoint, fixedHeaders, route } = way;
    const id = nextId();
    const own = rules.own({ id, headers: request.headers, limitHeaders: admitted.headers });
    const headers = fixedHeaders.concat(own);
    const ready = contentOf(result, headers);
    assert(ready instanceof Ready, "a hot endpoint has its answers ready");
    const status = sendAnswer(request, response, { status: endpoint.status, ready, headers });
    const { caller: sender } = admitted;
    const url = request.url ?? "";
    answered({ id, method: "GET", route, url, endpoint, sender, startedAtMs }, status);
  }

  /** Nothing to wait for when the caller is known and the answer is there: the common case. */
  function visit(visited: Visit, admitted: Admitted): Promise<void> | undefined {
    const { endpoint, params, query } = visited.way;
    const { caller } = admitted;
    const { userId } = caller;
    const { headers } = visited.request;
    const asked = { params, query, body: nothing, headers };
    const result = endpoint.handle({ ...asked, caller, userId, ...anywhere });
    if (result instanceof Promise) return result.then((value) => send(visited, admitted, value));
    send(visited, admitted, result);
    return undefined;
  }

  /** The way that a request may take past the framework; nothing when it has to go there. */
  function wayOf(request: IncomingMessage): Way | undefined {
    if (request.method !== "GET" || request.headers["content-encoding"]) return undefined;
    liftKey(request);
    const way = ways.get(request.url ?? "");
    return way?.isList && acceptedFormat(request.headers.accept) !== "json" ? undefined : way;
  }

  /** Says whether the request is being served; throws, or rejects, before anything has been sent. */
  function serve(request: IncomingMessage, response: ServerResponse): boolean | Promise<void> {
    const way = wayOf(request);
    if (!way) return false;
    const visited = { way, request, response, startedAtMs: monotonicMs() };
    const admitted = admitKnown(way.endpoint, givenKey(request));
    if (!admitted) return false;
    if (admitted instanceof Promise) return admitted.then((known) => visit(visited, known));
    return visit(visited, admitted) ?? true;
  }

  return {
    learn(url, way) {
      if (url.length > urlLengthMost) return;
      if (ways.size >= waysMost) ways.clear();
      ways.set(url, way);
    },
    before: (handler) => (request, response) => {
      // What fails here fails again on the long way, where it is answered.
      const takeLongWay = () => {
        if (response.headersSent) response.destroy();
        else handler(request, response);
      };
      const served = orFalse(() => serve(request, response));
      if (!served) takeLongWay();
      else if (served !== true) served.catch(takeLongWay);
    },
  };
}

function orFalse<Value>(work: () => Value): Value | false {
  try {
    return work();
  } catch {
    return false;
  }
}

type Visit = {
  way: Way;
  request: IncomingMessage;
  response: ServerResponse;
  startedAtMs: number;
};
