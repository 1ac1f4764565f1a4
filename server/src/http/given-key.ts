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
  const found: string[] = [];
  const header = request.headers.apikey;
  if (header !== undefined) {
    found.push(...[header].flat());
    request.headers.apikey = undefined;
  }
  const url = request.url ?? "/";
  const mark = url.indexOf("?");
  if (mark >= 0 && /ap/i.test(url.slice(mark))) {
    const kept = url
      .slice(mark + 1)
      .split("&")
      .filter((pair) => !isKeyPair(pair, found));
    request.url = url.slice(0, mark) + (kept.length > 0 ? `?${kept.join("&")}` : "");
  }
  request[slot] = combine(found);
}

export function givenKey(request: Lifted): GivenKey {
  return request[slot] ?? none;
}

function isKeyPair(pair: string, found: string[]): boolean {
  const equals = pair.indexOf("=");
  const name = decode(equals < 0 ? pair : pair.slice(0, equals));
  if (name.toLowerCase() !== "apikey") return false;
  found.push(equals < 0 ? "" : decode(pair.slice(equals + 1)));
  return true;
}

function combine(found: readonly string[]): GivenKey {
  const [key] = found;
  if (key === undefined) return none;
  return found.every((other) => other === key) ? { kind: "key", key } : conflict;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
