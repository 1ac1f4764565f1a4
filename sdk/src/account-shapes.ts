/** What a key may be allowed to do. */
export type Scope =
  | "data:read"
  | "ramp:read"
  | "ramp:transactions:write"
  | "ramp:methods:write"
  | "ramp:subaccounts:write"
  | "ramp:accountnumbers:reveal"
  | "webhooks:write"
  | "requests:read"
  | "keys:write"
  | "operator";

/** A key as its account sees it: everything but the key itself. */
export type ApiKey = {
  id: string;
  label: string;
  /** The account it belongs to. */
  userId: string;
  scopes: string[];
  status: "active" | "expired" | "revoked";
  /** A sandbox key that everybody knows: it can be neither rotated nor revoked. */
  isFixed: boolean;
  createdAt: string;
  expiresAt: string | null;
  /** As of some seconds ago. */
  lastUsedAt: string | null;
  revokedAt: string | null;
};

/** The key that a request came with. */
export type CurrentKey = ApiKey & { mode: "sandbox" | "live" };

/** A key to be made. It can allow what the key that makes it allows, and nothing else. */
export type NewApiKey = {
  label: string;
  scopes: Scope[];
  /** Such as `2027-01-31T00:00:00Z`; left out, it works until it is revoked. */
  expiresAt?: string;
};

/** A key that was just made. `key` is shown this once. */
export type ApiKeyWithSecret = ApiKey & { key: string };

/** A request that was answered. */
export type LoggedRequest = {
  /** As `X-Request-Id` said. */
  id: string;
  at: string;
  method: string;
  /** The path in the documentation, such as `/v2/ramp/transactions/{transactionId}`. */
  route: string;
  /** What was asked for, with its query; values that may be private are masked. */
  path: string;
  status: number;
  milliseconds: number;
  /** Null when no valid key came with it; only operators see such requests. */
  keyId: string | null;
  userId: string | null;
  /** What the answer said was wrong. */
  errors: string[];
};

export type RequestListOptions = {
  /** A status such as `404`, or all that begin alike: `4xx`. */
  status?: string;
  method?: "GET" | "HEAD" | "POST" | "DELETE";
  /** How `path` begins. */
  path?: string;
  keyId?: string;
  /** In Unix milliseconds. */
  from?: number;
  to?: number;
  limit?: number;
  /** As `CB-After` of the page before says. */
  after?: string;
};

/** How often something was asked for. These numbers are exact, also when not every request is listed. */
export type RouteSummary = {
  method: string;
  route: string;
  requests: number;
  /** How many of them were answered with 400 or above. */
  errors: number;
  /** How many came too fast for each of them to be listed. */
  notListed: number;
  /** How many were answered with each status, such as `{ "200": 17, "404": 2 }`. */
  byStatus: Record<string, number>;
};

/** What was asked for since a full hour about a day ago. */
export type RequestSummary = {
  from: string;
  requests: number;
  errors: number;
  notListed: number;
  /** Those with the most errors first, then those with the most requests. */
  routes: RouteSummary[];
  /** Hours in which something was asked for, oldest first. */
  hours: { from: string; requests: number; errors: number }[];
};

/** One setting of the service, and where its value came from. */
export type Setting = {
  name: string;
  /** As `slipway config print` shows it; null when it is not set. A secret is masked. */
  value: string | null;
  isSecret: boolean;
  /** A variable, a file, `built in`, `default` or `not set`. */
  origin: string;
};
