import type { CexExchange, CexMarket } from "@slipway/sdk";
import { Link } from "wouter";
import { decimal, price } from "../../lib/figures.ts";
import { useFallback } from "../../live/use-fallback.ts";
import { Answered } from "../../parts/answered.tsx";
import { Tile } from "../../parts/facts.tsx";
import { Change, Price, When } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { useParam } from "../../shell/use-param.ts";
import { BookLadder } from "./book-ladder.tsx";
import { dayFigures, withCandle } from "./candle-figures.ts";
import { DownloadButtons } from "./download-buttons.tsx";
import { MarketCandles, timeframesOf } from "./market-candles.tsx";
import { MarketDepth } from "./market-depth.tsx";
import { MarketFacts } from "./market-facts.tsx";
import { spreadOf } from "./money.ts";
import { exchangePath } from "./paths.ts";
import { TradeTape } from "./trade-tape.tsx";
import { useLiveCandle } from "./use-live-candle.ts";
import { type MarketFeed, useMarketFeed } from "./use-market-feed.ts";

/** A market of a centralized exchange, live: candles, depth, order book and trades. */
export function MarketPage() {
  const exchange = useParam("exchange");
  const market = useParam("market");
  const listed = useAnswer({
    key: ["cex", exchange, market],
    ask: (client) => client.cex.market(exchange, market),
  });
  const venue = useAnswer({
    key: ["cex", exchange],
    ask: (client) => client.cex.exchange(exchange),
  });
  return (
    <Page
      title={listed.data?.symbol ?? market}
      subtitle={<Link href={exchangePath(exchange)}>{venue.data?.name ?? exchange}</Link>}
      actions={
        <DownloadButtons
          label="Trades"
          path={`/v2/cex/${exchange}/${encodeURIComponent(market)}/trades?limit=10000`}
          fileName={`${exchange}-${market}-trades`}
        />
      }
    >
      <Answered answer={listed} height="40rem">
        {(found) => <OpenMarket market={found} venue={venue.data} />}
      </Answered>
    </Page>
  );
}

function OpenMarket({ market, venue }: { market: CexMarket; venue: CexExchange | undefined }) {
  const { exchange, id } = market;
  const feed = useMarketFeed(exchange, id);
  return (
    <>
      <Silence feed={feed} />
      <Header market={market} feed={feed} />
      <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-[minmax(0,1fr)_17rem_16rem]">
        <div className="grid min-w-0 gap-4 md:col-span-2 xl:col-span-1">
          <MarketCandles exchange={exchange} market={id} timeframes={timeframesOf(venue)} />
          <MarketDepth feed={feed} base={market.base} />
        </div>
        <BookLadder feed={feed} base={market.base} />
        <TradeTape feed={feed} market={market} />
      </div>
      <MarketFacts market={market} />
    </>
  );
}

function Silence({ feed }: { feed: MarketFeed }) {
  const reason = feed.silence.value;
  if (reason === undefined) return null;
  return (
    <p role="status" className="mb-4 rounded-md border border-warn p-3 text-warn">
      ! {reason} What you see is the last that was heard; it goes on by itself.
    </p>
  );
}

function Header({ market, feed }: { market: CexMarket; feed: MarketFeed }) {
  const { exchange, id, base } = market;
  const { everyMs = 60_000 } = useFallback();
  const hours = useAnswer({
    key: ["cex", exchange, id, "day"],
    ask: (client) =>
      client.cex.candles(exchange, id, { timeframe: "1h", limit: 25, fill: "previous" }),
    everyMs,
  });
  const told = useLiveCandle(exchange, id, "1h").value;
  const candles = withCandle(hours.data?.aggregates ?? [], told);
  const last = feed.trades.value[0];
  const shown = last?.price ?? candles[0]?.c;
  const day = shown === undefined ? undefined : dayFigures(candles, shown);
  return (
    <div className="mb-4 flex flex-wrap items-end gap-x-8 gap-y-3">
      <div>
        <div className="text-xs text-quiet">
          Last price {last && <When at={Number(last.timestamp)} />}
        </div>
        <div className="text-2xl font-semibold" data-price={id}>
          <Price of={shown} />{" "}
          <span className="text-sm font-normal text-quiet">{market.quote}</span>
        </div>
      </div>
      <Tile name="24 h">
        <Change of={day?.change} />
      </Tile>
      <Tile name="High 24 h">{price(day?.high)}</Tile>
      <Tile name="Low 24 h">{price(day?.low)}</Tile>
      <Tile name={`Volume 24 h, ${base}`}>{decimal(day?.volume, 2)}</Tile>
      <Spread feed={feed} />
    </div>
  );
}

function Spread({ feed }: { feed: MarketFeed }) {
  return <Tile name="Spread">{spreadOf(feed.book.value)}</Tile>;
}
