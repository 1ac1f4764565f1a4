import {
  CandlestickSeries,
  type ChartOptions,
  createChart,
  type DeepPartial,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useRef } from "react";
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
  shown: readonly Candle[];
};

type Props = { candles: readonly Candle[]; isLogarithmic?: boolean; cursor: number | undefined };

/** Candles and volume. Drawn by the page that needs it, since the library is larger than the page. */
export function CandleChart({ candles, isLogarithmic = false, cursor }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | undefined>(undefined);
  const colours = coloursVersion.value;

  useEffect(() => {
    if (!place.current) return undefined;
    drawn.current = draw(place.current);
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

  return <div ref={place} className="h-full w-full" aria-hidden="true" />;
}

function draw(place: HTMLElement): Drawn {
  const chart = createChart(place, { autoSize: true });
  const candles = chart.addSeries(CandlestickSeries, {
    priceFormat: { type: "custom", formatter: (value: number) => price(value), minMove: 1e-12 },
  });
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: "volume",
    priceFormat: { type: "volume" },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  chart.priceScale("volume").applyOptions({ scaleMargins: { top: 0.8, bottom: 0 } });
  chart.priceScale("right").applyOptions({ scaleMargins: { top: 0.08, bottom: 0.24 } });
  const drawn = { chart, candles, volume, shown: [] };
  paint(drawn);
  return drawn;
}

function paint({ chart, candles }: Drawn): void {
  const line = { color: colourOf("line") };
  const options: DeepPartial<ChartOptions> = {
    layout: {
      background: { color: "transparent" },
      textColor: colourOf("quiet"),
      fontFamily: "inherit",
      attributionLogo: true,
    },
    grid: { vertLines: line, horzLines: line },
    rightPriceScale: { borderVisible: false },
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: false },
  };
  chart.applyOptions(options);
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
  const grown = candles.length - shown.length;
  const isSame =
    shown.length > 0 && candles[0]?.time === shown[0]?.time && (grown === 0 || grown === 1);
  drawn.shown = candles;
  const last = candles.at(-1);
  if (isSame && last) {
    drawn.candles.update(candleData(last));
    drawn.volume.update(volumeData(last));
    return;
  }
  drawn.candles.setData(candles.map(candleData));
  drawn.volume.setData(candles.map(volumeData));
  drawn.chart.timeScale().fitContent();
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
