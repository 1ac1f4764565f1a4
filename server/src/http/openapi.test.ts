import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { useApp } from "../../test/test-app.ts";
import { sandboxKeys } from "../accounts/api-key.ts";

const app = useApp();

type Operation = {
  operationId: string;
  summary: string;
  responses: Record<string, { content?: object }>;
};
type Document = { openapi: string; paths: Record<string, Record<string, Operation>> };

async function readDocument(): Promise<Document> {
  return (await (await fetch(`${app.url}/openapi.json`)).json()) as Document;
}

describe("/openapi.json", () => {
  test("is a valid OpenAPI 3.1 document", async () => {
    const document = await readDocument();
    expect(document.openapi).toBe("3.1.0");
    expect(await new Validator().validate(document)).toMatchObject({ valid: true });
  });

  test("names every operation once, with a summary and its errors", async () => {
    const operations = Object.values((await readDocument()).paths).flatMap((methods) =>
      Object.values(methods),
    );
    expect(operations.length).toBeGreaterThan(3);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { summary, responses } of operations) {
      expect(summary).not.toBe("");
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(["401", "4XX", "5XX"]));
    }
  });

  test("describes answers that really come: each GET without parameters is asked", async () => {
    const { paths } = await readDocument();
    // A stream has to be told what to tell, and does not end.
    const plain = Object.entries(paths).filter(
      ([path, methods]) => methods.get && !path.includes("{") && !/^\/v2\/(stream|ws)$/.test(path),
    );
    // The operator's key may do everything.
    const headers = { apiKey: sandboxKeys.operator };
    for (const [path] of plain) {
      expect([path, (await app.ask(path, { headers })).status]).toEqual([path, 200]);
    }
  });
});

describe("what needs no key", () => {
  test("/health/live and /health/ready", async () => {
    expect(await (await fetch(`${app.url}/health/live`)).json()).toEqual({ status: "ok" });
    const response = await fetch(`${app.url}/health/ready`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      status: "ok",
      mode: "sandbox",
      database: { ok: true },
    });
  });

  test("/metrics counts by route pattern, not by URL", async () => {
    await app.ask("/v2/ramp/subaccounts/usr-123456");
    const text = await (await fetch(`${app.url}/metrics`)).text();
    expect(text).toMatch(
      /slipway_http_request_duration_seconds_count\{method="GET",route="\/v2\/ramp\/subaccounts\/:accountId",status="404"\} 1/,
    );
    expect(text).not.toContain("usr-123456");
    expect(text).toContain("process_cpu_seconds_total");
  });

  test("405 on these too, with what is allowed", async () => {
    const response = await fetch(`${app.url}/health/ready`, { method: "POST" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });
});
