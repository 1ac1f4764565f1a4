import { Counter, Gauge, type Registry } from "@platformatic/prom-client";
import type { CexHealth } from "@slipway/sdk";
import type { MarketStatus } from "../messages.ts";
import type { HeardMarket, LiveExchange } from "./live-exchange.ts";

/** How the feed of an exchange is doing. */
export function healthOf({ lastWord, isHeard, heardMarkets }: LiveExchange): CexHealth {
  if (!lastWord) return { ...nothingKnown, reason: "its feed has not been heard of yet" };
  const { status, ageSeconds } = lastWord;
  const statuses = heardMarkets.flatMap(({ market }) => market.status ?? []);
  const live = statuses.filter(({ state }) => state === "live");
  const reason = isHeard
    ? troubleOf(status.status.status, statuses.length - live.length)
    : `its feed has not been heard of for ${Math.floor(ageSeconds)} s`;
  const state = !isHeard ? "down" : reason ? "degraded" : "ok";
  return {
    state,
    reason,
    status: status.status.status,
    markets: live.length,
    resyncs: sum(statuses, ({ resyncs }) => resyncs),
    gaps: sum(statuses, ({ gaps }) => gaps),
    age: oldestOf(heardMarkets),
  };
}

const nothingKnown: Omit<CexHealth, "reason"> = {
  state: "down",
  status: null,
  markets: 0,
  resyncs: 0,
  gaps: 0,
  age: null,
};

function troubleOf(status: string, syncing: number): string | null {
  if (status !== "ok") return `the exchange says: ${status}`;
  return syncing > 0 ? `${syncing} of its markets are getting their books anew` : null;
}

function sum(statuses: readonly MarketStatus[], value: (status: MarketStatus) => number): number {
  return statuses.reduce((total, status) => total + value(status), 0);
}

function oldestOf(markets: readonly HeardMarket[]): number | null {
  if (markets.length === 0) return null;
  return Math.max(...markets.map(({ ageSeconds }) => ageSeconds));
}

/** Shows Prometheus the same, market by market. */
export function addFeedMetrics(registry: Registry, heard: () => Iterable<LiveExchange>): void {
  const labelNames = ["exchange", "market"];
  const registers = [registry];

  function* markets() {
    for (const { id: exchange, heardMarkets } of heard()) {
      for (const { market, ageSeconds } of heardMarkets) {
        const labels = { exchange, market: market.id };
        if (market.status) yield { labels, status: market.status, ageSeconds };
      }
    }
  }

  new Gauge({
    name: "slipway_cex_age_seconds",
    help: "How long ago the exchange was last heard of a live market.",
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { labels, ageSeconds } of markets()) this.set(labels, ageSeconds);
    },
  });
  const count = (name: string, help: string, value: (status: MarketStatus) => number) =>
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const { labels, status } of markets()) this.inc(labels, value(status));
      },
    });
  count("slipway_cex_resyncs_total", "Books that were asked for anew.", ({ resyncs }) => resyncs);
  count(
    "slipway_cex_snapshots_total",
    "Whole books that were asked for.",
    (each) => each.snapshots,
  );
  count("slipway_cex_gaps_total", "Spans of trades that could not be had.", ({ gaps }) => gaps);
  new Counter({
    name: "slipway_cex_faults_total",
    help: "What went wrong on a market's stream and was noticed.",
    labelNames: [...labelNames, "fault"],
    registers,
    collect() {
      this.reset();
      for (const { labels, status } of markets())
        for (const [fault, times] of Object.entries(status.faults))
          this.inc({ ...labels, fault }, times);
    },
  });
}
