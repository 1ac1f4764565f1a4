import { Gauge, type Registry } from "@platformatic/prom-client";
import type { Queryable } from "../../database/database.ts";
import { listLastOutcomes } from "../store/reconciliations.ts";

/** Shows to Prometheus whether our books agreed with others' when they were compared last. */
export function addReconciliationMetrics(registry: Registry, db: Queryable): void {
  new Gauge({
    name: "slipway_reconciliation_ok",
    help: "1 when our books agreed with the bank's or a chain's at the last comparison, 0 when not.",
    labelNames: ["subject"],
    registers: [registry],
    async collect() {
      // Without the database there is nothing to say, and other figures are still wanted.
      const outcomes = await listLastOutcomes(db).catch(() => []);
      this.reset();
      for (const { subject, isOk } of outcomes) this.set({ subject }, isOk ? 1 : 0);
    },
  });
}
