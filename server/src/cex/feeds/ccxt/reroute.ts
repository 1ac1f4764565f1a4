/** Where a URL of an exchange leads when everything goes through `base`: its host becomes part of the path. */
export function reroute(url: string, base: string): string {
  const root = base.replace(/\/+$/, "");
  const isStream = /^wss?:/.test(url);
  // `https:` becomes `wss:`, and `http:` becomes `ws:`.
  const target = isStream ? root.replace(/^http/, "ws") : root;
  if (url.startsWith(`${target}/`)) return url;
  return url.replace(/^(https?|wss?):\/\//, `${target}/`);
}

/** Applies a function to every text in a value made of objects and lists. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]),
  );
}
