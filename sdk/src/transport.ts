import { errorOf, reasonOf, SlipwayError, UnreachableError } from "./errors.ts";
import { isPassing, withRetries } from "./retry.ts";
import { type Surroundings, systemSurroundings } from "./surroundings.ts";

/** Where the service is, and how to talk to it. */
export type SlipwayOptions = {
  /** Where the service listens, such as `http://127.0.0.1:8080`. */
  baseUrl: string;
  apiKey?: string;
  /** How often a call that failed in a way that passes is tried again; 3 when left out. */
  retries?: number;
  /** How long one try of a call may take, in milliseconds; 30,000 when left out. */
  timeoutMs?: number;
  /** Another `fetch`, for a proxy or a test. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Another time and another chance, for a test. */
  surroundings?: Partial<Surroundings>;
};

/** What every call may be told beside its own options. */
export type CallOptions = {
  /** Ends the call early. */
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
};

/** What a POST may be told beside its body. */
export type PostOptions = CallOptions & {
  /**
   * The same request with the same key again does nothing and gets the same answer, for seven days. Left out, every
   * call has a key of its own, which all of its tries share.
   */
  idempotencyKey?: string;
};

/** What is given to a call: how it is to be made, and everything else for its query. */
export type Given = PostOptions & {
  [name: string]: string | number | boolean | AbortSignal | undefined;
};

/** What came back, whatever its status. */
export type Answer = { status: number; headers: Headers; body: unknown };

/** How the client talks to the service. */
export type Transport = {
  get<Result>(path: string, given?: Given): Promise<Result>;
  post<Result>(path: string, body: unknown, given?: PostOptions): Promise<Result>;
  delete<Result>(path: string, given?: Given): Promise<Result>;
  /** Tries again like `get`, and also gives the headers; an answer that is no success is an error. */
  answer(path: string, given?: Given): Promise<Answer>;
  /** One try, and the answer whatever its status. */
  ask(path: string, given?: CallOptions): Promise<Answer>;
  /** One GET, as soon as its headers are there. */
  open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response>;
  baseUrl: string;
  retries: number;
  surroundings: Surroundings;
};

/** Sends requests with the key, tries again what may pass, and turns answers that are no success into errors. */
export function openTransport(options: SlipwayOptions): Transport {
  const { apiKey, retries = 3, timeoutMs: usualTimeoutMs = 30_000 } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const fetchOf = options.fetch ?? ((url, init) => fetch(url, init));
  const surroundings = { ...systemSurroundings, ...options.surroundings };
  const keyHeader = apiKey === undefined ? {} : { apiKey };

  /** One try, until the last byte of the answer. */
  async function send(path: string, init: RequestInit, given: CallOptions): Promise<Answer> {
    const { signal, timeoutMs = usualTimeoutMs } = given;
    signal?.throwIfAborted();
    const ending = new AbortController();
    const end = () => ending.abort(signal?.reason);
    signal?.addEventListener("abort", end, { once: true });
    const cancel = surroundings.after(timeoutMs, () => ending.abort());
    try {
      return await readAnswer(await fetchOf(baseUrl + path, { ...init, signal: ending.signal }));
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof SlipwayError) throw cause;
      const reason = ending.signal.aborted ? ` within ${timeoutMs} ms` : `: ${reasonOf(cause)}`;
      throw new UnreachableError(`No answer from ${baseUrl}${reason}`, cause);
    } finally {
      cancel();
      signal?.removeEventListener("abort", end);
    }
  }

  async function call(path: string, init: RequestInit, given: CallOptions): Promise<Answer> {
    const { signal, retries: triesMore = retries } = given;
    const { method } = init;
    const tryOnce = async (tried: number) => {
      const answer = await send(path, init, given);
      const { status, headers, body } = answer;
      if (status >= 200 && status < 300) return answer;
      // What an earlier try deleted, though its answer was lost, is gone.
      if (method === "DELETE" && tried > 0 && status === 404) return { ...answer, body: undefined };
      throw errorOf(status, headers, body, surroundings.now());
    };
    const mayPass = (error: unknown, tried: number) =>
      isPassing(error) || (method === "POST" && tried > 0 && isStillBeingDone(error));
    return withRetries(tryOnce, { retries: triesMore, signal, surroundings, mayPass });
  }

  async function answer(path: string, given: Given = {}, method = "GET"): Promise<Answer> {
    const { signal, timeoutMs, retries, idempotencyKey, ...query } = given;
    return call(path + queryOf(query), { method, headers: keyHeader }, given);
  }

  return {
    get: async (path, given) => resultOf(await answer(path, given)),
    delete: async (path, given) => resultOf(await answer(path, given, "DELETE")),
    async post(path, body, given = {}) {
      const { idempotencyKey = surroundings.uniqueText() } = given;
      const headers = {
        ...keyHeader,
        "content-type": "application/json",
        "idempotency-key": idempotencyKey,
      };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      return resultOf(await call(path, init, given));
    },
    answer: (path, given) => answer(path, given),
    ask: (path, given = {}) => send(path, { method: "GET", headers: keyHeader }, given),
    open: (path, headers, signal) =>
      fetchOf(baseUrl + path, { method: "GET", headers: { ...keyHeader, ...headers }, signal }),
    ...{ baseUrl, retries, surroundings },
  };
}

/** Of a repeated request this means that the service is still busy with an earlier try. */
function isStillBeingDone(error: unknown): boolean {
  return error instanceof SlipwayError && error.status === 409;
}

/** Reads an answer to its end. All that the service says is JSON; what stands in front of it may fail with a page. */
export async function readAnswer(response: Response): Promise<Answer> {
  const { ok, status, headers } = response;
  const text = await response.text();
  if (text === "") return { status, headers, body: undefined };
  try {
    return { status, headers, body: JSON.parse(text) };
  } catch {
    if (!ok) return { status, headers, body: undefined };
    const messages = ["The answer is not JSON. Is this the address of a Slipway?"];
    throw new SlipwayError({ status, messages });
  }
}

function resultOf<Result>({ body }: Answer): Result {
  return body as Result;
}

/** A path of these parts, each of them escaped. */
export function pathOf(...parts: string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join("");
}

/** The query with these values, without those that are left out. */
export function queryOf(query: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text && `?${text}`;
}
