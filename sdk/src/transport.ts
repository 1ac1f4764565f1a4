import { messagesIn, SlipwayError } from "./errors.ts";

export type SlipwayOptions = {
  /** Where the service listens, such as `http://127.0.0.1:8080`. */
  baseUrl: string;
  apiKey?: string;
  /** Another `fetch`, for a proxy or a test. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** What a POST may carry beside its body. */
export type PostOptions = {
  /** The same request with the same key again does nothing and gets the same answer, for seven days. */
  idempotencyKey?: string;
};

export type Query = Record<string, string | number | boolean | undefined>;

/** How the client talks to the service. */
export type Transport = {
  get<Result>(path: string, query?: Query): Promise<Result>;
  post<Result>(path: string, body: unknown, options?: PostOptions): Promise<Result>;
  delete<Result>(path: string, query?: Query): Promise<Result>;
  /** Follows the cursor until there is nothing more. */
  pages<Page>(path: string, query?: Query): AsyncGenerator<Page, void>;
  /** The answer as it came, whatever its status. */
  request(method: string, path: string): Promise<Response>;
};

/** Sends requests with the key, and turns answers that are no success into errors. */
export function openTransport(options: SlipwayOptions): Transport {
  const { apiKey } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const send = options.fetch ?? ((url, init) => fetch(url, init));
  const keyHeader = apiKey === undefined ? {} : { apiKey };

  const request = (method: string, path: string) =>
    send(baseUrl + path, { method, headers: keyHeader });

  return {
    get: async (path, query) => resultOf(await request("GET", path + queryOf(query))),
    delete: async (path, query) => resultOf(await request("DELETE", path + queryOf(query))),
    async post(path, body, { idempotencyKey } = {}) {
      const response = await send(baseUrl + path, {
        method: "POST",
        headers: {
          ...keyHeader,
          "content-type": "application/json",
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        },
        body: JSON.stringify(body),
      });
      return resultOf(response);
    },
    async *pages<Page>(path: string, query?: Query) {
      let after: string | undefined;
      do {
        const rest = after === undefined ? {} : { after };
        const response = await request("GET", path + queryOf({ ...query, ...rest }));
        yield await resultOf<Page>(response);
        after = response.headers.get("cb-after") ?? undefined;
      } while (after !== undefined);
    },
    request,
  };
}

/** A path of these parts, each of them escaped. */
export function pathOf(...parts: string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join("");
}

async function resultOf<Result>(response: Response): Promise<Result> {
  const answer: unknown =
    response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (!response.ok) {
    const requestId = response.headers.get("x-request-id") ?? undefined;
    throw new SlipwayError(response.status, messagesIn(answer), requestId);
  }
  return answer as Result;
}

function queryOf(query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text && `?${text}`;
}
