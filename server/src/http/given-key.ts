import type { IncomingMessage } from "node:http";

/** The key a request came with; `conflict` when it came with two that differ. */
export type GivenKey = { kind: "none" } | { kind: "conflict" } | { kind: "key"; key: string };

const none: GivenKey = { kind: "none" };
const conflict: GivenKey = { kind: "conflict" };
const slot = Symbol("given key");
type Lifted = IncomingMessage & { [slot]?: GivenKey };

/**
 * Takes the key out of a request before anything else sees it. From here on neither the URL nor the headers
 * hold it, so nothing that logs, traces or echoes them can give it away.
 */
export function liftKey(request: Lifted): void {
  if (request[slot]) return;
  const { headers, url = "/" } = request;
  const header = headers.apikey;
  if (header !== undefined) headers.apikey = undefined;
  const fromHeader = header === undefined ? none : keyOf(Array.isArray(header) ? header : [header]);
  const mark = url.indexOf("?");
  request[slot] = mark < 0 ? fromHeader : combine(fromHeader, liftFromQuery(request, url, mark));
}

export function givenKey(request: Lifted): GivenKey {
  return request[slot] ?? none;
}

function liftFromQuery(request: Lifted, url: string, mark: number): GivenKey {
  const found: string[] = [];
  const kept = url
    .slice(mark + 1)
    .split("&")
    .filter((pair) => !isKeyPair(pair, found));
  if (found.length > 0) {
    request.url = url.slice(0, mark) + (kept.length > 0 ? `?${kept.join("&")}` : "");
  }
  return keyOf(found);
}

function isKeyPair(pair: string, found: string[]): boolean {
  const equals = pair.indexOf("=");
  const name = decode(equals < 0 ? pair : pair.slice(0, equals));
  if (name.toLowerCase() !== "apikey") return false;
  found.push(equals < 0 ? "" : decode(pair.slice(equals + 1)));
  return true;
}

function keyOf(found: readonly string[]): GivenKey {
  const [key] = found;
  if (key === undefined) return none;
  return found.every((other) => other === key) ? { kind: "key", key } : conflict;
}

function combine(one: GivenKey, other: GivenKey): GivenKey {
  if (one.kind === "none") return other;
  if (other.kind === "none") return one;
  return one.kind === "key" && other.kind === "key" && one.key === other.key ? one : conflict;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
