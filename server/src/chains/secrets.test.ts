import { expect, test } from "vitest";
import { displayHost, scrubberFor } from "./secrets.ts";

test.each([
  ["https://mainnet.infura.io/v3/0123456789abcdef0123456789abcdef", "mainnet.infura.io"],
  ["http://user:password@127.0.0.1:8545/", "127.0.0.1:8545"],
  ["https://0123456789abcdef0123456789abcdef.eth.rpc.example.org/", "***.eth.rpc.example.org"],
])("%s is shown as %s", (url, shown) => expect(displayHost(new URL(url))).toBe(shown));

test.each([
  "https://node.example.org/v3/0123456789abcdef0123456789abcdef",
  "https://node.example.org/?apikey=0123456789abcdef0123456789abcdef",
  "https://0123456789abcdef0123456789abcdef:x@node.example.org/",
  "https://user:0123456789abcdef0123456789abcdef@node.example.org/",
  "wss://0123456789abcdef0123456789abcdef.example.org/",
])("the key of %s stays out of every text", (url) => {
  const scrub = scrubberFor(new URL(url));
  const key = "0123456789abcdef0123456789abcdef";
  for (const text of [`cannot reach ${url} now`, `invalid project id ${key}`, `{"key":"${key}"}`])
    expect(scrub(text)).not.toContain(key);
});

test("a text of somebody else's is shortened, and their links too", () => {
  const scrub = scrubberFor(new URL("https://node.example.org/"));
  expect(scrub("see https://docs.example.org/a/b?c=d")).toBe("see docs.example.org");
  expect(scrub("x".repeat(10_000)).length).toBe(300);
});
