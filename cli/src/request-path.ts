import { UsageError } from "./errors.ts";

/** What paths of the service begin with, beside `/v2`, which may be left out. */
const roots = ["v1", "v2", "operator", "sandbox", "health", "metrics", "openapi.json", "udf"];

/** The path that words stand for: `cex kraken BTC-USD` and `cex/kraken/BTC-USD` are `/v2/cex/kraken/BTC-USD`. */
export function requestPath(words: readonly string[], query: readonly string[] = []): string {
  const [typed = "", ...rest] = words.join("/").split("?");
  const path = typed.replace(/^\/+/, "");
  const isComplete = typed.startsWith("/") || roots.includes(path.split("/")[0] ?? "");
  const search = new URLSearchParams(rest.join("?"));
  for (const pair of query) {
    const [name, ...value] = pair.split("=");
    if (!name || value.length === 0) throw new UsageError(`--query ${pair} must be name=value.`);
    search.append(name, value.join("="));
  }
  const parts = path.split("/").map(escapePart).join("/");
  const text = search.toString();
  return `${isComplete ? "/" : "/v2/"}${parts}${text && `?${text}`}`;
}

/** A path with a query parameter set, or taken out. */
export function withQuery(path: string, changes: Record<string, string | undefined>): string {
  const [bare = "", typed = ""] = path.split("?");
  const search = new URLSearchParams(typed);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) search.delete(name);
    else search.set(name, value);
  }
  const text = search.toString();
  return `${bare}${text && `?${text}`}`;
}

/** What was typed may be escaped already. */
function escapePart(part: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(part)).replaceAll("%3A", ":");
  } catch {
    return encodeURIComponent(part);
  }
}
