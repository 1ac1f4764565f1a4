import type { CexMarket, CexTrade } from "@slipway/sdk";
import { decimal, price } from "../../lib/figures.ts";
import { timeOfDay } from "../../lib/times.ts";
import { Card } from "../../parts/card.tsx";
import type { MarketFeed } from "./use-market-feed.ts";

/** What was traded, newest first, as it happens. */
export function TradeTape({ feed, market }: { feed: MarketFeed; market: CexMarket | undefined }) {
  const trades = feed.trades.value;
  return (
    <Card title="Trades">
      <section
        className="relative h-[41.5rem] overflow-y-auto"
        aria-label="Trades, the newest first"
        tabIndex={0}
      >
        <table className="w-full table-fixed border-collapse text-xs">
          <caption className="sr-only">Trades, the newest first</caption>
          <colgroup>
            <col className="w-[42%]" />
            <col className="w-[28%]" />
            <col className="w-[30%]" />
          </colgroup>
          <thead className="sticky top-0 bg-card">
            <tr className="text-quiet">
              <th scope="col" className="pb-1 text-left font-medium">
                Price {market?.quote}
              </th>
              <th scope="col" className="pb-1 text-right font-medium">
                Size {market?.base}
              </th>
              <th scope="col" className="pb-1 text-right font-medium">
                Time
              </th>
            </tr>
          </thead>
          <tbody>
            {trades.map((trade) => (
              <TapeRow key={trade.id} trade={trade} />
            ))}
          </tbody>
        </table>
        {trades.length === 0 && (
          <p className="py-6 text-center text-quiet">Nothing was traded yet.</p>
        )}
      </section>
    </Card>
  );
}

function TapeRow({ trade }: { trade: CexTrade }) {
  const isBuy = trade.side === "buy";
  return (
    <tr className="h-5" data-trade={trade.id}>
      <td className={`truncate ${isBuy ? "text-up" : "text-down"}`} title={String(trade.price)}>
        <span aria-hidden="true">{isBuy ? "▲" : "▼"}</span>
        <span className="sr-only">{isBuy ? "bought at" : "sold at"}</span> {price(trade.price)}
      </td>
      <td className="truncate text-right" title={`${trade.size} for ${trade.cost}`}>
        {decimal(trade.size, trade.size >= 100 ? 2 : 4, 2)}
      </td>
      <td className="truncate text-right text-quiet">{timeOfDay(Number(trade.timestamp))}</td>
    </tr>
  );
}
