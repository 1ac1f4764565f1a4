import type { Clock } from "../../../lib/clock.ts";
import { messageOf } from "../../../lib/errors.ts";
import type { Log } from "../../../lib/log.ts";
import type { Random } from "../../../lib/random.ts";
import type { ListedMarket } from "../../market.ts";
import type { Feed, FeedSink } from "../venue.ts";
import type { CcxtExchange } from "./ccxt-exchange.ts";
import { openConnections } from "./connections.ts";
import { WatchedMarket } from "./watched-market.ts";

type FeedOptions = {
  exchange: CcxtExchange;
  sink: FeedSink;
  clock: Clock;
  random: Random;
  log: Log;
};

/** Streams an exchange through ccxt; nothing where ccxt cannot. */
export function openCcxtFeed(options: FeedOptions): Feed | undefined {
  const { exchange, sink, log } = options;
  const { has } = exchange;
  if (has.watchOrderBook !== true && has.watchTrades !== true) return undefined;
  const connections = openConnections(exchange, (markets) => sink.heard(markets));
  const watched = new Map<string, WatchedMarket>();

  /** Frees what is kept of a market, unless somebody wants it again by then. */
  async function leave({ id, symbol }: ListedMarket): Promise<void> {
    await unsubscribe(exchange, symbol).catch((error) => {
      log.debug({ market: id, reason: messageOf(error) }, "could not unsubscribe");
    });
    if (watched.has(id)) return;
    connections.leave(id);
    delete exchange.orderbooks[symbol];
    delete exchange.trades[symbol];
  }

  return {
    watch(market) {
      if (watched.has(market.id)) return;
      const added = new WatchedMarket(market, { ...options, connections });
      watched.set(market.id, added);
      added.start();
    },

    unwatch(id) {
      const gone = watched.get(id);
      if (!gone) return;
      watched.delete(id);
      gone.stop();
      void leave(gone.market);
    },

    book: (id) => watched.get(id)?.book,

    async close() {
      for (const market of watched.values()) market.stop();
      watched.clear();
      await exchange.close();
    },
  };
}

/** Ends the subscriptions of a market, as far as the exchange lets us. */
async function unsubscribe(exchange: CcxtExchange, symbol: string): Promise<void> {
  const { has } = exchange;
  if (has.unWatchOrderBook === true) await exchange.unWatchOrderBook(symbol);
  if (has.unWatchTrades === true) await exchange.unWatchTrades(symbol);
}
