import { collectDefaultMetrics, Histogram, Registry } from "@platformatic/prom-client";

export type HttpMetrics = {
  registry: Registry;
  /** `route` is the pattern, never the URL: labels must stay few, and URLs hold what is not ours to show. */
  observe(request: { method: string; route: string; status: number; seconds: number }): void;
};

const secondsBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

export function openMetrics(): HttpMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "slipway_http_request_duration_seconds",
    help: "Time from a request's head to the end of its answer; its count is the number of requests.",
    labelNames: ["method", "route", "status"],
    buckets: secondsBuckets,
    registers: [registry],
  });
  return {
    registry,
    observe({ method, route, status, seconds }) {
      durations.observe({ method, route, status }, seconds);
    },
  };
}
