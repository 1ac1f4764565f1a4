import type { CexCandle } from "@slipway/sdk";
import { lazy, Suspense, useMemo } from "react";
import { ChartFrame } from "../../charts/chart-frame.tsx";
import { utcTime } from "../../charts/utc.ts";
import { decimal, price } from "../../lib/figures.ts";
import { useFallback } from "../../live/use-fallback.ts";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { Segments } from "../../parts/segments.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { drawnCandles, withCandle } from "./candle-figures.ts";
import { DownloadButtons } from "./download-buttons.tsx";
import { useLiveCandle } from "./use-live-candle.ts";
import { useUrlChoice } from "./use-url-choice.ts";

const CandleChart = lazy(() =>
  import("../../charts/candle-chart.tsx").then((module) => ({ default: module.CandleChart })),
);
const candlesMost = 300;
const refreshMs = 60_000;
const height = "25rem";
const usualTimeframe = "1h";

type Props = { exchange: string; market: string; timeframes: readonly string[] };

/** What the price did, and does: the last candle grows as trades come. */
export function MarketCandles({ exchange, market, timeframes }: Props) {
  const others = timeframes.filter((each) => each !== usualTimeframe);
  const [timeframe, setTimeframe] = useUrlChoice<string>("timeframe", [usualTimeframe, ...others]);
  const [scale, setScale] = useUrlChoice("scale", ["linear", "log"]);
  const { everyMs = refreshMs } = useFallback();
  const answer = useAnswer({
    key: ["cex", exchange, market, "candles", timeframe],
    ask: (client) => client.cex.candles(exchange, market, { timeframe, limit: candlesMost }),
    everyMs,
  });
  const told = useLiveCandle(exchange, market, timeframe).value;
  const candles = useMemo(
    () => withCandle(answer.data?.aggregates ?? [], told),
    [answer.data, told],
  );
  const drawn = useMemo(() => drawnCandles(candles), [candles]);
  const list = `/v2/cex/${exchange}/${encodeURIComponent(market)}/aggregates?timeframe=${timeframe}&limit=${candlesMost}`;
  return (
    <Card>
      {answer.data && <Answered answer={answer}>{() => null}</Answered>}
      <ChartFrame
        title={`Candles of ${market}, ${timeframe}`}
        count={candles.length}
        describe={(index) => candleWords(candles[candles.length - 1 - index])}
        height={height}
        controls={
          <>
            <Segments
              label="Timeframe"
              value={timeframe}
              onChange={setTimeframe}
              options={timeframes.map((value) => ({ value, label: value }))}
            />
            <Segments
              label="Scale"
              value={scale}
              onChange={setScale}
              options={[
                { value: "linear", label: "Linear" },
                { value: "log", label: "Log" },
              ]}
            />
            <DownloadButtons
              label="Candles"
              path={list}
              fileName={`${exchange}-${market}-${timeframe}`}
            />
          </>
        }
        table={() => (
          <Table
            caption={`Candles of ${market}, the newest first`}
            columns={candleColumns}
            rows={candles}
            keyOf={({ timestamp }) => timestamp}
          />
        )}
      >
        {(cursor) =>
          answer.data ? (
            <Suspense fallback={<div className="h-full animate-pulse rounded-md bg-raised" />}>
              <CandleChart candles={drawn} isLogarithmic={scale === "log"} cursor={cursor} />
            </Suspense>
          ) : (
            <Answered answer={answer} height={height}>
              {() => null}
            </Answered>
          )
        }
      </ChartFrame>
    </Card>
  );
}

const timeOf = ({ timestamp }: CexCandle) => utcTime(Number(timestamp) / 1_000);

const candleColumns: Column<CexCandle>[] = [
  { header: "Start", cell: timeOf },
  { header: "Open", isFigure: true, cell: ({ o }) => price(o) },
  { header: "High", isFigure: true, cell: ({ h }) => price(h) },
  { header: "Low", isFigure: true, cell: ({ l }) => price(l) },
  { header: "Close", isFigure: true, cell: ({ c }) => price(c) },
  { header: "Volume", isFigure: true, cell: ({ volume }) => decimal(volume, 4) },
  { header: "State", cell: ({ closed }) => (closed ? "closed" : "still grows") },
];

function candleWords(candle: CexCandle | undefined): string {
  if (!candle) return "";
  const { o, h, l, c, volume } = candle;
  return `${timeOf(candle)}: open ${price(o)}, high ${price(h)}, low ${price(l)}, close ${price(c)}, volume ${decimal(volume, 4)}`;
}

/** The timeframes to choose from; what every exchange has, until this one has answered. */
export function timeframesOf(
  exchange: { aggregateTimeframes: Record<string, number> } | undefined,
) {
  return exchange
    ? Object.keys(exchange.aggregateTimeframes)
    : ["1m", "5m", "15m", "1h", "6h", "1d"];
}
