import { Counter, collectDefaultMetrics, Histogram, Registry } from "@platformatic/prom-client";

export type HttpMetrics = {
  registry: Registry;
  /** `route` is the pattern, never the URL: labels must stay few, and URLs hold what is not ours to show. */
  observe(request: { method: string; route: string; status: number; seconds: number }): void;
};

const secondsBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

export function openMetrics(): HttpMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "slipway_http_requests_total",
    help: "Requests answered, by route pattern and status.",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "slipway_http_request_duration_seconds",
    help: "Time from the request's head to the end of its answer.",
    labelNames: ["route"],
    buckets: secondsBuckets,
    registers: [registry],
  });
  return {
    registry,
    observe({ method, route, status, seconds }) {
      requests.inc({ method, route, status });
      durations.observe({ route }, seconds);
    },
  };
}
