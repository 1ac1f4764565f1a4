import { messagesIn, SlipwayError } from "./errors.ts";
import type { CreatedSubaccount, Health, NewSubaccount, Subaccount } from "./shapes.ts";

export type SlipwayOptions = {
  /** Where the service listens, such as `http://127.0.0.1:8080`. */
  baseUrl: string;
  apiKey?: string;
  /** Another `fetch`, for a proxy or a test. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** A typed client: one method for each endpoint, in groups named like the API's paths. */
export class Slipway {
  readonly ramp: {
    blockchains(): Promise<string[]>;
    subaccounts: {
      create(subaccount: NewSubaccount): Promise<CreatedSubaccount>;
      list(): Promise<Subaccount[]>;
      get(id: string): Promise<Subaccount>;
    };
  };

  readonly #baseUrl: string;
  readonly #apiKey: string | undefined;
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;

  constructor(options: SlipwayOptions) {
    this.#baseUrl = options.baseUrl.replace(/\/+$/, "");
    this.#apiKey = options.apiKey;
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    const subaccounts = "/v2/ramp/subaccounts";
    this.ramp = {
      blockchains: () => this.#get("/v2/ramp/blockchains"),
      subaccounts: {
        create: (subaccount) => this.#send("POST", subaccounts, subaccount),
        list: () => this.#get(subaccounts),
        get: (id) => this.#get(`${subaccounts}/${encodeURIComponent(id)}`),
      },
    };
  }

  /** How the service is doing. Answers also when it is not ready. */
  async health(): Promise<Health> {
    const response = await this.#request("GET", "/health/ready");
    return (await response.json()) as Health;
  }

  #get<Result>(path: string): Promise<Result> {
    return this.#send("GET", path);
  }

  async #send<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const response = await this.#request(method, path, body);
    const answer: unknown =
      response.status === 204 ? undefined : await response.json().catch(() => undefined);
    if (!response.ok) {
      const requestId = response.headers.get("x-request-id") ?? undefined;
      throw new SlipwayError(response.status, messagesIn(answer), requestId);
    }
    return answer as Result;
  }

  #request(method: string, path: string, body?: unknown): Promise<Response> {
    return this.#fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        ...(this.#apiKey === undefined ? {} : { apiKey: this.#apiKey }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}
