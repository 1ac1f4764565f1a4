import type { PoolBar } from "@slipway/sdk";
import { lazy, Suspense, useMemo, useState } from "react";
import { ChartFrame } from "../../charts/chart-frame.tsx";
import { utcTime } from "../../charts/utc.ts";
import { aboutDollars, dollars, price } from "../../lib/figures.ts";
import { Answered } from "../../parts/answered.tsx";
import { Card } from "../../parts/card.tsx";
import { Segments } from "../../parts/segments.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { BarInspector } from "./bar-inspector.tsx";
import { DownloadButtons } from "./download-buttons.tsx";
import type { Place } from "./paths.ts";
import { drawnBars, type PriceOf } from "./pool-figures.ts";
import { barsMost, useBars } from "./use-bars.ts";
import { useUrlChoice } from "./use-url-choice.ts";

const CandleChart = lazy(() =>
  import("../../charts/candle-chart.tsx").then((module) => ({ default: module.CandleChart })),
);
const LineChart = lazy(() =>
  import("../../charts/line-chart.tsx").then((module) => ({ default: module.LineChart })),
);
const height = "26rem";

type Props = { place: Place; id: string; of: PriceOf };

/** What a pool did over time: its price, what was locked in it, and what it earned. */
export function PoolCharts({ place, id, of }: Props) {
  const [timeframe, setTimeframe] = useUrlChoice("timeframe", ["hour", "day"]);
  const [scale, setScale] = useUrlChoice("scale", ["linear", "log"]);
  const { answer, bars } = useBars(place, id, timeframe);
  const [pointed, setPointed] = useState<number>();
  const candles = useMemo(() => drawnBars(bars, of), [bars, of]);
  const at = pointed === undefined ? undefined : candles[pointed]?.time;
  const inspected = bars.find(({ timestamp }) => timestamp === at) ?? bars[0];
  const list = `/v2/dex/${place.exchange}/${place.blockchain}/pool/${id}/aggregate?timeframe=${timeframe}&limit=${barsMost}`;
  return (
    <>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <Card>
          {answer.data && <Answered answer={answer}>{() => null}</Answered>}
          <ChartFrame
            title={`Candles of the pool, each ${timeframe === "hour" ? "an hour" : "a day"}`}
            count={candles.length}
            describe={(index) => candleWords(candles[index])}
            height={height}
            onCursor={setPointed}
            controls={
              <>
                <Segments
                  label="Timeframe"
                  value={timeframe}
                  onChange={setTimeframe}
                  options={[
                    { value: "hour", label: "Hours" },
                    { value: "day", label: "Days" },
                  ]}
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
                <DownloadButtons label="Bars" path={list} fileName={`${id}-${timeframe}s`} />
              </>
            }
            table={() => (
              <Table
                caption="Candles, the newest first"
                columns={candleColumns}
                rows={[...candles].reverse()}
                keyOf={({ time }) => String(time)}
              />
            )}
          >
            {(cursor) =>
              answer.data ? (
                <Suspense fallback={<Waiting />}>
                  <CandleChart
                    candles={candles}
                    isLogarithmic={scale === "log"}
                    cursor={cursor}
                    onPoint={setPointed}
                  />
                </Suspense>
              ) : (
                <Answered answer={answer} height={height}>
                  {() => null}
                </Answered>
              )
            }
          </ChartFrame>
        </Card>
        <BarInspector bar={inspected} isNewest={inspected === bars[0]} timeframe={timeframe} />
      </div>
      <div className="mt-4 grid gap-4 lg:grid-cols-2">
        <DollarLine title="Locked over time" bars={bars} field="tvlUSD" />
        <DollarLine title="Fees over time" bars={bars} field="feesUSD" isStepped />
      </div>
    </>
  );
}

function Waiting() {
  return <div className="h-full animate-pulse rounded-md bg-raised" />;
}

type Candle = ReturnType<typeof drawnBars>[number];

const candleColumns: Column<Candle>[] = [
  { header: "Start", cell: ({ time }) => utcTime(time) },
  { header: "Open", isFigure: true, cell: ({ open }) => price(open) },
  { header: "High", isFigure: true, cell: ({ high }) => price(high) },
  { header: "Low", isFigure: true, cell: ({ low }) => price(low) },
  { header: "Close", isFigure: true, cell: ({ close }) => price(close) },
  { header: "Volume", isFigure: true, cell: ({ volume }) => aboutDollars(volume) },
];

function candleWords(candle: Candle | undefined): string {
  if (!candle) return "";
  const { time, open, high, low, close, volume } = candle;
  return `${utcTime(time)}: open ${price(open)}, high ${price(high)}, low ${price(low)}, close ${price(close)}, volume ${aboutDollars(volume)}`;
}

type LineProps = {
  title: string;
  bars: readonly PoolBar[];
  field: "tvlUSD" | "feesUSD";
  isStepped?: boolean;
};

function DollarLine({ title, bars, field, isStepped = false }: LineProps) {
  const rising = useMemo(() => [...bars].reverse(), [bars]);
  const along = useMemo(() => rising.map(({ timestamp }) => timestamp), [rising]);
  const lines = useMemo(
    () => [
      {
        name: title,
        colour: "accent",
        fill: "up-fill",
        values: rising.map((bar) => Number(bar[field])),
        ...(isStepped ? { step: "after" as const } : {}),
      } as const,
    ],
    [rising, title, field, isStepped],
  );
  return (
    <Card>
      <ChartFrame
        title={title}
        controls={<h2 className="font-semibold">{title}</h2>}
        count={rising.length}
        describe={(index) => {
          const bar = rising[index];
          return bar ? `${utcTime(bar.timestamp)}: ${dollars(bar[field])}` : "";
        }}
        height="11rem"
        table={() => (
          <Table
            caption={title}
            rows={bars}
            keyOf={({ id }) => id}
            columns={[
              { header: "Start", cell: ({ timestamp }) => utcTime(timestamp) },
              { header: "US dollars", isFigure: true, cell: (bar) => dollars(bar[field]) },
            ]}
          />
        )}
      >
        {(cursor) => (
          <Suspense fallback={<Waiting />}>
            <LineChart
              along={along}
              lines={lines}
              isTime
              isUtc
              format={(value) => aboutDollars(value)}
              cursor={cursor}
            />
          </Suspense>
        )}
      </ChartFrame>
    </Card>
  );
}
