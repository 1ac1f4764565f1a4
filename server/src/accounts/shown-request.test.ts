import fc from "fast-check";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { systemRandom } from "../lib/random.ts";
import { newApiKey } from "./api-key.ts";
import { shownErrors, shownPath } from "./shown-request.ts";

const query = Type.Object({ limit: Type.Integer(), email: Type.String() });
const shown = (url: string) => shownPath(url, { query });

test.each([
  ["/v2/ramp/crypto", "/v2/ramp/crypto"],
  ["/v2/a?limit=5&userId=usr-1&format=csv", "/v2/a?limit=5&userId=usr-1&format=csv"],
  ["/v2/a?limit", "/v2/a?limit"],
  ["/v2/a?", "/v2/a?***"],
  ["/v2/a?name=Ada%20Lovelace&limit=5", "/v2/a?name=***&limit=5"],
  ["/v2/a?Ada Lovelace", "/v2/a?***"],
  ["/v2/a?email=ada%40example.com", "/v2/a?email=***"],
  ["/v2/a/ada@example.com", "/v2/a/***"],
  ["/v2/a/slp_test_0123?limit=slp%5Flive_0123", "/v2/a/slp_***?limit=slp_***"],
  ["/v2/%zz?limit=%zz", "/v2/%zz?limit=%zz"],
  ["/v2/slp_test_0%00", "/v2/slp_*** "],
])("%s is kept as %s", (url, kept) => {
  expect(shown(url)).toBe(kept);
});

test("whatever a URL says, what is kept has no key, no address and a bounded length", () => {
  const { key } = newApiKey("sandbox", systemRandom);
  const encoded = key.replace(/_/g, "%5f");
  const secret = fc.constantFrom(key, encoded, `x${key}y`, "ada@example.com", "ada%40example.com");
  const piece = fc.oneof(
    secret,
    fc.webSegment(),
    fc.constantFrom("/", "?", "&", "=", "limit=", "%00"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const kept = shown(`/${pieces.join("")}`);
      expect(decodeLoosely(kept)).not.toContain(key.slice(0, 20));
      expect(decodeLoosely(kept)).not.toContain("ada@");
      expect(kept).not.toMatch(/\p{Cc}/u);
      expect(kept.length).toBeLessThanOrEqual(500);
    }),
  );
});

test("errors are kept a line for each, few and short", () => {
  expect(shownErrors([])).toBe("");
  expect(shownErrors(["name is\nwrong\0", "ask ada@example.com"])).toBe("name is wrong \nask ***");
  const many = shownErrors(Array.from({ length: 100 }, () => "x".repeat(1_000))).split("\n");
  expect([many.length, many[0]?.length]).toEqual([20, 500]);
});

function decodeLoosely(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
