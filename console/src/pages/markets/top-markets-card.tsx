import type { CexCandle, CexExchange, CexMarket } from "@slipway/sdk";
import { useMemo } from "react";
import { Link } from "wouter";
import { SparkLine } from "../../charts/spark-line.tsx";
import { useFallback } from "../../live/use-fallback.ts";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { Change, Price } from "../../parts/figures.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { dayFigures, withCandle } from "./candle-figures.ts";
import { aboutMoney, spreadOf } from "./money.ts";
import { exchangePath, marketPath } from "./paths.ts";
import { topMarkets } from "./top-markets.ts";
import { useLiveCandle } from "./use-live-candle.ts";

const shownMost = 6;
const shownLeast = 3;
const listEveryMs = 300_000;
const figuresEveryMs = 10_000;
const spreadEveryMs = 5_000;
const depth = 0.02;

/** The markets that people ask for most, live. */
export function TopMarkets() {
  const exchanges = useAnswer({ key: ["cex"], ask: (client) => client.cex.exchanges() });
  return (
    <Card title="Markets" actions={<Link href="/cex">All exchanges</Link>}>
      <Answered answer={exchanges} height="15rem">
        {(found) => (found.length === 0 ? <NoExchange /> : <MarketTable exchanges={found} />)}
      </Answered>
    </Card>
  );
}

function NoExchange() {
  return (
    <p className="py-6 text-center text-quiet">
      No exchange is followed. Name one under <code className="font-mono">exchanges</code> in
      slipway.yaml, such as <code className="font-mono">{"kraken: {markets: [BTC-USD]}"}</code>.
    </p>
  );
}

const cell = "border-b border-line py-1.5 pr-4 last:pr-0 align-middle";
const figure = `${cell} text-right whitespace-nowrap`;
const extra = `${figure} max-md:hidden`;

function MarketTable({ exchanges }: { exchanges: readonly CexExchange[] }) {
  const each = Math.max(shownLeast, Math.floor(shownMost / exchanges.length));
  return (
    <section className="-mx-1 overflow-x-auto px-1" aria-label="Markets" tabIndex={0}>
      <table className="w-full border-collapse">
        <caption className="sr-only">Markets</caption>
        <thead>
          <tr className="text-quiet">
            <th scope="col" className={`${cell} text-left font-medium`}>
              Market
            </th>
            <th scope="col" className={`${figure} font-medium`}>
              Price
            </th>
            <th scope="col" className={`${figure} font-medium`}>
              24 h
            </th>
            <th scope="col" className={`${extra} font-medium`}>
              Last 24 hours
            </th>
            <th scope="col" className={`${extra} font-medium`}>
              Spread
            </th>
            <th scope="col" className={`${extra} font-medium`}>
              <span title="What rests in the book within 2 % of the middle price">±2 %</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {exchanges.map((exchange) => (
            <ExchangeRows key={exchange.id} exchange={exchange} count={each} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ExchangeRows({ exchange, count }: { exchange: CexExchange; count: number }) {
  const markets = useAnswer({
    key: ["cex", exchange.id, "markets"],
    ask: (client) => client.cex.markets(exchange.id),
    everyMs: listEveryMs,
  });
  const shown = useMemo(() => topMarkets(markets.data ?? [], count), [markets.data, count]);
  if (markets.isError && !markets.data) {
    return (
      <tr>
        <td colSpan={6} className={`${cell} text-quiet`}>
          <Link href={exchangePath(exchange.id)} className="underline">
            {exchange.name}
          </Link>{" "}
          does not say which markets it has.
        </td>
      </tr>
    );
  }
  return (
    <>
      {shown.map((market) => (
        <MarketRow key={market.id} market={market} exchange={exchange} />
      ))}
    </>
  );
}

function MarketRow({ market, exchange }: { market: CexMarket; exchange: CexExchange }) {
  const names = [market.exchange, market.id] as const;
  const fallback = useFallback();
  const candles = useAnswer({
    key: ["cex", ...names, "day"],
    ask: (client) => client.cex.candles(...names, { timeframe: "1h", limit: 25, fill: "previous" }),
    everyMs: fallback.everyMs ?? 60_000,
  });
  const book = useAnswer({
    key: ["cex", ...names, "best"],
    ask: (client) => client.cex.book(...names, { limit: 1 }),
    everyMs: spreadEveryMs,
  });
  const liquidity = useAnswer({
    key: ["cex", ...names, "liquidity", depth],
    ask: (client) => client.analytics.liquidity(...names, { depth }),
    everyMs: figuresEveryMs,
  });
  // Candles of a market that nobody asked for yet take a while: the exchange is asked for its past.
  const price = useAnswer({
    key: ["cex", ...names, "price"],
    ask: (client) => client.cex.price(...names),
    ...fallback,
  });
  const told = useLiveCandle(market.exchange, market.id, "1h");
  const hours = withCandle(candles.data?.aggregates ?? [], told.value);
  const last = told.value?.c ?? hours[0]?.c ?? price.data?.price;
  const day = last === undefined ? undefined : dayFigures(hours, last);
  return (
    <tr className="hover:bg-raised">
      <td className={cell}>
        <Link href={marketPath(...names)} className="font-medium">
          {market.symbol}
        </Link>
        <div className="max-w-28 truncate text-xs text-quiet">{exchange.name}</div>
      </td>
      <td className={figure} data-price={market.id}>
        <MarketPrice price={last} isFailed={price.isError} />
      </td>
      <td className={figure}>
        <Change of={day?.change} />
      </td>
      <td className={extra}>
        <span className="inline-block align-middle">
          <SparkLine values={courseOf(hours)} />
        </span>
      </td>
      <td className={extra}>{spreadOf(book.data)}</td>
      <td className={extra}>{aboutMoney(liquidity.data?.liquidity, market.quote)}</td>
    </tr>
  );
}

/** From where the day's change is counted: so the line never says otherwise. */
function courseOf(hours: readonly CexCandle[]): number[] {
  const first = hours.at(-1);
  return first ? [first.o, ...hours.map(({ c }) => c).reverse()] : [];
}

function MarketPrice({ price, isFailed }: { price: number | undefined; isFailed: boolean }) {
  if (price === undefined)
    return <span className="text-quiet">{isFailed ? "not heard of" : "…"}</span>;
  return (
    <span className="font-semibold">
      <Price of={price} />
    </span>
  );
}
