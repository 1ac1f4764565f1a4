import { isObject } from "../lib/is-object.ts";

/** 2026-01-01, when `/v2` became the version to use, in Unix seconds. */
const deprecatedSince = 1_767_225_600;

/** Tells that a path is old (RFC 9745), and where what takes its place is to be found; names and values in turn. */
export function deprecationHeaders(successor: string, params: unknown): string[] {
  const values = isObject(params) ? params : {};
  const path = successor.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  );
  return ["deprecation", `@${deprecatedSince}`, "link", `<${path}>; rel="successor-version"`];
}
