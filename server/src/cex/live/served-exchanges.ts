import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../lib/clock.ts";
import { CallerError } from "../../lib/errors.ts";
import { didYouMean } from "../../lib/suggest.ts";
import type { ConfiguredExchange } from "../configured.ts";
import { canonicalId, exchangeIds } from "../feeds/ccxt/exchange-ids.ts";
import { LiveExchange } from "./live-exchange.ts";

type ServedOptions = {
  bus: Bus;
  clock: Clock;
  exchanges: readonly ConfiguredExchange[];
  otherExchanges: boolean;
};

/** The exchanges that are served. */
export type ServedExchanges = {
  /** One that is listened to, by its right name. */
  known(id: string): LiveExchange | undefined;
  /** One by any name that it has or had; what is not served is 404. */
  find(name: string): LiveExchange;
  all(): Iterable<LiveExchange>;
  close(): void;
};

/** Listens to every exchange that is configured, and to others when they are first asked for. */
export function openServedExchanges(options: ServedOptions): ServedExchanges {
  const { exchanges, otherExchanges } = options;
  const configured = exchanges.map(({ id }) => id);
  const open = new Map(configured.map((id) => [id, new LiveExchange(id, options)]));

  function openOther(id: string): LiveExchange {
    const exchange = new LiveExchange(id, options);
    open.set(id, exchange);
    return exchange;
  }

  return {
    known: (id) => open.get(id),
    find(name) {
      const known = open.get(name);
      if (known) return known;
      const id = canonicalId(name);
      if (id === undefined)
        throw unknownExchange(name, otherExchanges ? exchangeIds() : configured);
      const other = open.get(id) ?? (otherExchanges ? openOther(id) : undefined);
      if (other) return other;
      throw notConfigured(id, configured);
    },
    all: () => open.values(),
    close() {
      for (const exchange of open.values()) exchange.close();
    },
  };
}

function unknownExchange(name: string, served: readonly string[]): CallerError {
  const meant = didYouMean(name, served);
  return new CallerError(
    "not_found",
    `There is no such exchange here.${meant} GET /v2/cex lists those there are.`,
  );
}

function notConfigured(id: string, configured: readonly string[]): CallerError {
  const there = configured.length > 0 ? ` Those there are: ${configured.join(", ")}.` : "";
  return new CallerError(
    "not_found",
    `The exchange ${id} is not configured here.${there} Whoever runs the service can add "${id}: {}" ` +
      "under exchanges in its configuration file.",
  );
}
