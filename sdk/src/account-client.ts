import type {
  ApiKey,
  ApiKeyWithSecret,
  CurrentKey,
  LoggedRequest,
  NewApiKey,
  RequestListOptions,
  RequestSummary,
  Setting,
} from "./account-shapes.ts";
import { byCursor, itself, type Listing, listing } from "./listing.ts";
import { type CallOptions, type PostOptions, pathOf, type Transport } from "./transport.ts";

type PageOptions = CallOptions & { limit?: number; after?: string };
type Listed<Item> = Listing<Item[], Item>;

/** The account's keys; all but `current` need the scope `keys:write`. */
export type KeysClient = {
  /** The key in use. */
  current(options?: CallOptions): Promise<CurrentKey>;
  /** Newest first, those that have ended too. */
  list(options?: PageOptions): Listed<ApiKey>;
  create(key: NewApiKey, options?: PostOptions): Promise<ApiKeyWithSecret>;
  /** Makes a successor with the same rights; the old key goes on for a day unless told otherwise. */
  rotate(
    id: string,
    options?: PostOptions & { overlapSeconds?: number },
  ): Promise<ApiKeyWithSecret>;
  /** Ends a key at once. The key in use is ended only when `self` says so. */
  revoke(id: string, options?: CallOptions & { self?: boolean }): Promise<void>;
};

/** What was asked of the API with the account's keys. */
export type RequestsClient = {
  /** Newest first. */
  list(options?: CallOptions & RequestListOptions): Listed<LoggedRequest>;
  get(id: string, options?: CallOptions): Promise<LoggedRequest>;
  summary(options?: CallOptions): Promise<RequestSummary>;
};

/** What operators see of the service itself. */
export type ServiceClient = {
  settings(options?: CallOptions): Promise<Setting[]>;
  /** Requests of everybody. */
  requests: {
    list(options?: CallOptions & RequestListOptions & { userId?: string }): Listed<LoggedRequest>;
    summary(options?: CallOptions): Promise<RequestSummary>;
  };
};

/** Makes the part of the client that is about keys. */
export function keysClient(transport: Transport): KeysClient {
  const { get, post } = transport;
  const keys = (...parts: string[]) => pathOf("v2", "keys", ...parts);
  return {
    current: (options) => get("/v2/key", options),
    list: (options) => listing(transport, keys(), options, byCursor(itself<ApiKey>)),
    create: (key, options) => post(keys(), key, options),
    rotate: (id, { overlapSeconds, ...options } = {}) =>
      post(keys(id, "rotate"), overlapSeconds === undefined ? {} : { overlapSeconds }, options),
    revoke: (id, options) => transport.delete(keys(id), options),
  };
}

/** Makes the part of the client that is about requests. */
export function requestsClient(transport: Transport): RequestsClient {
  const { get } = transport;
  const requests = (...parts: string[]) => pathOf("v2", "requests", ...parts);
  return {
    list: (options) => listing(transport, requests(), options, byCursor(itself<LoggedRequest>)),
    get: (id, options) => get(requests(id), options),
    summary: (options) => get(requests("summary"), options),
  };
}

/** Makes the part of the client that shows operators the service itself. */
export function serviceClient(transport: Transport): ServiceClient {
  const { get } = transport;
  const path = pathOf("operator", "requests");
  return {
    settings: (options) => get(pathOf("operator", "settings"), options),
    requests: {
      list: (options) => listing(transport, path, options, byCursor(itself<LoggedRequest>)),
      summary: (options) => get(`${path}/summary`, options),
    },
  };
}
