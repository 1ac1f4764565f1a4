import type { TSchema } from "typebox";
import type { Endpoint } from "../http/endpoint.ts";
import { CallerError } from "../lib/errors.ts";
import { unitsOf } from "./units.ts";

/** A tool: one endpoint that reads, as an assistant sees it. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  /** JSON Schema of the arguments: the parameters of the path and of the query. */
  inputSchema: { type: "object"; properties: Record<string, object>; required: string[] };
  /** Where the endpoint is, with these arguments. */
  urlOf(given: Record<string, unknown>): string;
};

/** Answers end up in a conversation: a page is short unless a longer one is asked for. */
const limitUsual = 20;
const limitMost = 1_000;

/** What an assistant calls them. Other endpoints are named after their paths. */
const names: Record<string, string> = {
  "/v2/dex": "dex_exchanges",
  "/v2/dex/{exchange}": "dex_exchange_blockchains",
  "/v2/dex/{exchange}/{blockchain}/tokens": "dex_tokens",
  "/v2/dex/{exchange}/{blockchain}/token/{token}": "dex_token",
  "/v2/dex/{exchange}/{blockchain}/pools": "dex_pools",
  "/v2/dex/{exchange}/{blockchain}/pool/{pool}/aggregate": "dex_pool_bars",
  "/v2/dex/{exchange}/{blockchain}/pool/{pool}/trades": "dex_pool_trades",
  "/v2/blocks": "blockchains",
  "/v2/blocks/{blockchain}": "blocks",
  "/v2/cex": "cex_exchanges",
  "/v2/cex/{exchange}": "cex_exchange",
  "/v2/cex/{exchange}/status": "cex_exchange_status",
  "/v2/cex/{exchange}/markets": "cex_markets",
  "/v2/cex/{exchange}/{market}": "cex_market",
  "/v2/cex/{exchange}/{market}/currentprice": "cex_current_price",
  "/v2/cex/{exchange}/{market}/orders": "cex_order_book",
  "/v2/cex/{exchange}/{market}/trades": "cex_trades",
  "/v2/cex/{exchange}/{market}/aggregates": "cex_candles",
  "/v2/cex/{exchange}/{market}/gaps": "cex_gaps",
  "/v2/analytics/liquidity/{exchange}/{market}": "cex_liquidity",
  "/v2/ramp/crypto": "ramp_assets",
  "/v2/ramp/paymentMethods/wallets": "ramp_wallets",
  "/v2/ramp/paymentMethods/wallets/{walletId}": "ramp_wallet",
  "/v2/ramp/paymentMethods/bankAccounts": "ramp_bank_accounts",
  "/v2/ramp/paymentMethods/bankAccounts/{bankAccountId}": "ramp_bank_account",
  "/v2/ramp/subaccounts/{accountId}": "ramp_subaccount",
  "/v2/ramp/transactions/{transactionId}": "ramp_transaction",
  "/v2/ramp/transactions/{transactionId}/status": "ramp_transaction_status",
  "/v2/ramp/transactions/{transactionId}/instructions": "ramp_transaction_instructions",
  "/v2/ramp/transactions/{transactionId}/ledger": "ramp_transaction_ledger",
  "/v2/ramp/transactions/{transactionId}/events": "ramp_transaction_events",
  "/v2/ramp/webhooks/{webhookId}": "ramp_webhook",
  "/v2/ramp/webhooks/{webhookId}/deliveries": "ramp_webhook_deliveries",
};

/** The endpoints that only read market data or the caller's own account, each once, as tools. */
export function toolsOf(endpoints: readonly Endpoint[]): Tool[] {
  const handlers = new Set<Endpoint["handle"]>();
  return endpoints.filter(isReadable).flatMap((endpoint) => {
    if (handlers.has(endpoint.handle)) return [];
    handlers.add(endpoint.handle);
    return [toolOf(endpoint)];
  });
}

/** What never ends, is old, changes something or is for operators is no tool. */
function isReadable({ method, path, scope, deprecated }: Endpoint): boolean {
  const isOwn = scope === "data:read" || scope === "ramp:read";
  return method === "GET" && isOwn && !deprecated && /^\/v2\/(?!stream\b|ws\b)/.test(path);
}

function toolOf(endpoint: Endpoint): Tool {
  const { path, summary, description } = endpoint;
  const inParams = propertiesOf(endpoint.params);
  const inQuery = propertiesOf(endpoint.query);
  if (endpoint.actsFor === "subaccounts") inQuery.userId = actedFor;
  if (inQuery.limit) inQuery.limit = shortPage(inQuery.limit);
  const sentences = [`${summary}.`, description, unitsOf(path)].filter(Boolean);
  return {
    name: names[path] ?? nameOf(path),
    title: summary,
    description: sentences.join(" "),
    inputSchema: {
      type: "object",
      properties: { ...inParams, ...inQuery },
      required: Object.keys(inParams),
    },
    urlOf: (given) => pathWith(path, given) + searchWith(Object.keys(inQuery), given),
  };
}

const actedFor = {
  type: "string",
  description: "The subaccount to read for, such as usr-123. Left out: the account of the key",
};

function shortPage(limit: object): object {
  const most = "maximum" in limit ? Math.min(Number(limit.maximum), limitMost) : limitMost;
  const description = `must be a whole number from 1 to ${most}`;
  return { ...limit, default: limitUsual, maximum: most, description };
}

function pathWith(path: string, given: Record<string, unknown>): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = textOf(given[name]);
    if (!value) throw new CallerError("bad_request", `Required field is missing: ${name}`);
    return encodeURIComponent(value);
  });
}

function searchWith(known: readonly string[], given: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const name of known) {
    const value = textOf(given[name]) ?? (name === "limit" ? String(limitUsual) : undefined);
    if (value !== undefined) search.set(name, value);
  }
  return search.size > 0 ? `?${search}` : "";
}

/** Arguments as a URL has them; whether they are right is for the endpoint to say. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** `/v2/ramp/subaccounts/{accountId}` is `ramp_subaccounts_by_account_id`. */
function nameOf(path: string): string {
  const words = path.split("/").filter((part) => part && part !== "v2");
  return words
    .map((word) => (word.startsWith("{") ? `by_${word.slice(1, -1)}` : word))
    .join("_")
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace(/[^a-z0-9_]/g, "_");
}

/** A copy that is plain JSON Schema. */
function propertiesOf(schema: TSchema | undefined): Record<string, object> {
  if (!schema || !("properties" in schema)) return {};
  return JSON.parse(JSON.stringify(schema.properties)) as Record<string, object>;
}
