import {
  CandlestickSeries,
  type ChartOptions,
  createChart,
  type DeepPartial,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type UTCTimestamp,
} from "lightweight-charts";
import { type RefObject, useEffect, useRef } from "react";
import { price } from "../lib/figures.ts";
import { colourOf, coloursVersion } from "./colours.ts";

export type Candle = {
  /** Unix seconds. */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
};

type Drawn = {
  chart: IChartApi;
  candles: ISeriesApi<"Candlestick">;
  volume: ISeriesApi<"Histogram">;
  /** Where the price is now. */
  last: IPriceLine;
  shown: readonly Candle[];
};

type Props = {
  candles: readonly Candle[];
  isLogarithmic?: boolean;
  cursor: number | undefined;
  /** Told which candle the pointer is at. */
  onPoint?(index: number | undefined): void;
};

/** Candles and volume. Drawn by the page that needs it, since the library is larger than the page. */
export function CandleChart({ candles, isLogarithmic = false, cursor, onPoint }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | undefined>(undefined);
  const colours = coloursVersion.value;
  const pointed = useRef(onPoint);
  pointed.current = onPoint;

  useEffect(() => {
    if (!place.current) return undefined;
    const made = draw(place.current);
    drawn.current = made;
    made.chart.subscribeCrosshairMove(({ time, sourceEvent }) => {
      if (!sourceEvent) return;
      const index = made.shown.findIndex((candle) => candle.time === time);
      pointed.current?.(index === -1 ? undefined : index);
    });
    return () => {
      drawn.current?.chart.remove();
      drawn.current = undefined;
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page when it changes
  useEffect(() => {
    if (drawn.current) paint(drawn.current);
  }, [colours]);
  useEffect(() => {
    if (drawn.current) show(drawn.current, candles);
  }, [candles]);
  useEffect(() => {
    drawn.current?.chart.priceScale("right").applyOptions({ mode: isLogarithmic ? 1 : 0 });
  }, [isLogarithmic]);
  useEffect(() => {
    const candle = cursor === undefined ? undefined : candles[cursor];
    if (!drawn.current) return;
    if (!candle) drawn.current.chart.clearCrosshairPosition();
    else {
      const time = candle.time as UTCTimestamp;
      drawn.current.chart.setCrosshairPosition(candle.close, time, drawn.current.candles);
    }
  }, [cursor, candles]);

  return (
    <div className="flex h-full flex-col">
      <div ref={place} className="min-h-0 flex-1" aria-hidden="true" />
      <div className="flex flex-wrap items-center gap-x-3 text-xs text-quiet">
        <Zooms drawn={drawn} />
        <span>Times are UTC.</span>
        <a href="https://www.tradingview.com/" rel="noreferrer" className="ml-auto text-quiet">
          Lightweight Charts™ © TradingView, Inc.
        </a>
      </div>
    </div>
  );
}

const zoomIn = 0.6;

/** What a mouse wheel does, for those who have none. */
function Zooms({ drawn }: { drawn: RefObject<Drawn | undefined> }) {
  const zoom = (factor: number) => {
    const scale = drawn.current?.chart.timeScale();
    const range = scale?.getVisibleLogicalRange();
    if (!scale || !range) return;
    scale.setVisibleLogicalRange({
      from: range.to - (range.to - range.from) * factor,
      to: range.to,
    });
  };
  const buttons = [
    { label: "Zoom in", sign: "+", act: () => zoom(zoomIn) },
    { label: "Zoom out", sign: "−", act: () => zoom(1 / zoomIn) },
    { label: "Show all", sign: "↔", act: () => drawn.current?.chart.timeScale().fitContent() },
    {
      label: "Go to now",
      sign: "⇥",
      act: () => drawn.current?.chart.timeScale().scrollToRealTime(),
    },
  ];
  return (
    <span className="flex">
      {buttons.map(({ label, sign, act }) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          title={label}
          onClick={act}
          className="size-6 rounded hover:bg-raised hover:text-text"
        >
          {sign}
        </button>
      ))}
    </span>
  );
}

function draw(place: HTMLElement): Drawn {
  const chart = createChart(place, { autoSize: true });
  const candles = chart.addSeries(CandlestickSeries, {
    priceFormat: { type: "custom", formatter: (value: number) => price(value), minMove: 1e-12 },
    // Their own would have the colour of a candle's inside, which may be none.
    lastValueVisible: false,
    priceLineVisible: false,
  });
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: "volume",
    priceFormat: { type: "volume" },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  chart.priceScale("volume").applyOptions({ scaleMargins: { top: 0.8, bottom: 0 } });
  chart.priceScale("right").applyOptions({ scaleMargins: { top: 0.08, bottom: 0.24 } });
  const last = candles.createPriceLine({ price: 0, lineWidth: 1, lineStyle: 1, title: "" });
  const drawn = { chart, candles, volume, last, shown: [] };
  paint(drawn);
  return drawn;
}

function paint({ chart, candles, last }: Drawn): void {
  const line = { color: colourOf("line") };
  const options: DeepPartial<ChartOptions> = {
    layout: {
      background: { color: "transparent" },
      textColor: colourOf("quiet"),
      fontFamily: "inherit",
      // The line below the chart says whose it is: a link in here could not be reached by everybody.
      attributionLogo: false,
    },
    grid: { vertLines: line, horzLines: line },
    rightPriceScale: { borderVisible: false },
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: false },
  };
  chart.applyOptions(options);
  const accent = colourOf("accent");
  last.applyOptions({
    color: accent,
    axisLabelColor: accent,
    axisLabelTextColor: colourOf("on-accent"),
  });
  const up = colourOf("up");
  const down = colourOf("down");
  candles.applyOptions({
    upColor: "transparent",
    borderUpColor: up,
    wickUpColor: up,
    downColor: down,
    borderDownColor: down,
    wickDownColor: down,
  });
}

/** A chart that only grows at its end keeps where somebody looks; anything else is drawn anew. */
function show(drawn: Drawn, candles: readonly Candle[]): void {
  const { shown } = drawn;
  drawn.shown = candles;
  drawn.last.applyOptions({ price: candles.at(-1)?.close ?? 0 });
  if (isGrown(shown, candles)) {
    for (const candle of candles.slice(shown.length - 1)) {
      drawn.candles.update(candleData(candle));
      drawn.volume.update(volumeData(candle));
    }
    return;
  }
  drawn.candles.setData(candles.map(candleData));
  drawn.volume.setData(candles.map(volumeData));
  drawn.chart.timeScale().fitContent();
}

/** Whether all that was shown is still there, except that the last may have changed. */
function isGrown(shown: readonly Candle[], candles: readonly Candle[]): boolean {
  if (shown.length < 2 || candles.length < shown.length) return false;
  if (shown.at(-1)?.time !== candles[shown.length - 1]?.time) return false;
  return shown.slice(0, -1).every((candle, index) => isSame(candle, candles[index]));
}

function isSame(one: Candle, other: Candle | undefined): boolean {
  return one.time === other?.time && one.close === other.close && one.volume === other.volume;
}

const candleData = ({ time, open, high, low, close }: Candle) => ({
  time: time as UTCTimestamp,
  open,
  high,
  low,
  close,
});

const volumeData = ({ time, open, close, volume }: Candle) => ({
  time: time as UTCTimestamp,
  value: volume,
  color: colourOf(close < open ? "down-fill" : "up-fill"),
});
