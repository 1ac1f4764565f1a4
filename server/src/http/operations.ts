import type { Health } from "@slipway/sdk";
import type { App } from "./app.ts";
import type { HttpMetrics } from "./metrics.ts";

/** Adds what operators and their tools ask for without a key. */
export function addOperations(app: App, metrics: HttpMetrics, health: () => Promise<Health>): void {
  const schema = { hide: true };
  app.get("/health/live", { schema }, (_, reply) => {
    reply.header("cache-control", "no-store").send({ status: "ok" });
  });
  app.get("/health/ready", { schema }, async (_, reply) => {
    const body = await health();
    reply.header("cache-control", "no-store").code(body.status === "unavailable" ? 503 : 200);
    return body;
  });
  app.get("/metrics", { schema }, async (_, reply) => {
    reply.header("cache-control", "no-store").type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}
