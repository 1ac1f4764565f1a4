import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { curlOf } from "./curl.ts";

const origin = "http://127.0.0.1:8080";

describe("the curl behind a page", () => {
  test("works as it is in the sandbox, and holds no key in live mode", () => {
    const request = { method: "GET", path: "/v2/dex", body: undefined, role: "account" };
    expect(curlOf(request, origin, "sandbox")).toBe(
      `curl -H "apiKey: slp_sandbox_master" '${origin}/v2/dex'`,
    );
    const asAnother = { ...request, key: "slp_sandbox_unverified" };
    expect(curlOf(asAnother, origin, "sandbox")).toContain('"apiKey: slp_sandbox_unverified"');
    expect(curlOf(asAnother, origin, "live")).toContain('"apiKey: $SLIPWAY_API_KEY"');
  });

  test("a shell reads exactly the body that was sent", () => {
    const text = fc.string({ unit: "grapheme-ascii" });
    fc.assert(
      fc.property(text, (name) => {
        const body = JSON.stringify({ name });
        const line = curlOf(
          { method: "POST", path: "/x", body, role: "account" },
          origin,
          "sandbox",
        );
        const seen = execFileSync("sh", [
          "-c",
          `curl() { for each; do printf '%s\\n' "$each"; done; }; ${line}`,
        ]);
        expect(seen.toString().split("\n")).toContain(body);
      }),
      { numRuns: 20 },
    );
  });
});
