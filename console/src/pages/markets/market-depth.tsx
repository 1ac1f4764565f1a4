import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { ChartFrame } from "../../charts/chart-frame.tsx";
import { about, price } from "../../lib/figures.ts";
import { Card } from "../../parts/card.tsx";
import { Segments } from "../../parts/segments.tsx";
import { Table } from "../../parts/table.tsx";
import { type Depth, depthOf } from "./ladder.ts";
import type { MarketFeed, ShownBook } from "./use-market-feed.ts";
import { useUrlChoice } from "./use-url-choice.ts";

const LineChart = lazy(() =>
  import("../../charts/line-chart.tsx").then((module) => ({ default: module.LineChart })),
);
const redrawMs = 1_000;
const reaches = ["0.02", "0.005", "0.1"] as const;
const reachNames = { "0.005": "±0.5 %", "0.02": "±2 %", "0.1": "±10 %" };

/** How much could be sold or bought before the price has moved so far. */
export function MarketDepth({ feed, base }: { feed: MarketFeed; base: string }) {
  const [reach, setReach] = useUrlChoice("reach", reaches);
  const book = useEachSecond(feed);
  const depth = useMemo(
    () => depthOf(book ?? { bids: [], asks: [] }, Number(reach)),
    [book, reach],
  );
  const lines = useMemo(
    () => [
      { name: "Bids", colour: "up", fill: "up-fill", step: "before", values: depth.bids } as const,
      {
        name: "Asks",
        colour: "down",
        fill: "down-fill",
        step: "after",
        values: depth.asks,
      } as const,
    ],
    [depth],
  );
  return (
    <Card>
      <ChartFrame
        title={`Depth in ${base}`}
        count={depth.prices.length}
        describe={(index) => depthWords(depth, index, base)}
        height="12rem"
        controls={
          <>
            <h2 className="font-semibold">Depth</h2>
            <Segments
              label="Reach"
              value={reach}
              onChange={setReach}
              options={(["0.005", "0.02", "0.1"] as const).map((value) => ({
                value,
                label: reachNames[value],
              }))}
            />
          </>
        }
        table={() => <DepthTable depth={depth} base={base} />}
      >
        {(cursor) => (
          <Suspense fallback={<div className="h-full animate-pulse rounded-md bg-raised" />}>
            <LineChart
              along={depth.prices}
              lines={lines}
              isTime={false}
              format={(value) => about(value)}
              formatAlong={(value) => price(value)}
              cursor={cursor}
            />
          </Suspense>
        )}
      </ChartFrame>
    </Card>
  );
}

/** The book, told once a second: an area of a thousand levels need not flicker. */
function useEachSecond(feed: MarketFeed): ShownBook | undefined {
  const [book, setBook] = useState(() => feed.book.peek());
  useEffect(() => {
    const stop = feed.book.subscribe((first) => setBook((before) => before ?? first));
    const timer = setInterval(() => setBook(feed.book.peek()), redrawMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [feed.book]);
  return book;
}

function depthWords({ prices, bids, asks }: Depth, index: number, base: string): string {
  const bid = bids[index];
  const ask = asks[index];
  if (bid !== null && bid !== undefined)
    return `${about(bid)} ${base} can be sold down to ${price(prices[index])}`;
  return `${about(ask)} ${base} can be bought up to ${price(prices[index])}`;
}

function DepthTable({ depth, base }: { depth: Depth; base: string }) {
  const rows = depth.prices.map((at, index) => ({ at, index }));
  return (
    <Table
      caption="Depth"
      rows={rows}
      keyOf={({ at }) => String(at)}
      columns={[
        { header: "Price", isFigure: true, cell: ({ at }) => price(at) },
        {
          header: `Sold down to it, ${base}`,
          isFigure: true,
          cell: ({ index }) => about(depth.bids[index] ?? undefined),
        },
        {
          header: `Bought up to it, ${base}`,
          isFigure: true,
          cell: ({ index }) => about(depth.asks[index] ?? undefined),
        },
      ]}
    />
  );
}
