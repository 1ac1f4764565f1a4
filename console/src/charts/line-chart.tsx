import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useEffect, useRef } from "react";
import { type ColourName, colourOf, coloursVersion } from "./colours.ts";

export type Line = {
  name: string;
  colour: ColourName;
  /** Drawn under the line. */
  fill?: ColourName;
  /** Steps instead of slopes, as in a depth chart: a value holds from its place on, or up to it. */
  step?: "after" | "before";
  /** One for each of `along`; null where there is nothing. */
  values: readonly (number | null)[];
};

type Props = {
  /** Where the values stand: Unix seconds, or prices. */
  along: readonly number[];
  lines: readonly Line[];
  isTime: boolean;
  /** Days and hours of market data are UTC's; left out, times are those here. */
  isUtc?: boolean;
  /** Every line in steps. */
  isStepped?: boolean;
  format(value: number): string;
  formatAlong?(value: number): string;
  cursor: number | undefined;
};

/** Lines and areas. Values that change are drawn into the same chart; other colours make a new one. */
export function LineChart(props: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const colours = coloursVersion.value;
  const { along, lines, cursor } = props;
  const names = lines.map(({ name }) => name).join();
  const newest = useRef(props);
  newest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page when it changes
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const made = new uPlot(optionsOf(newest.current, element), dataOf(newest.current), element);
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize(sizeOf(element)));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [colours, names]);
  useEffect(() => {
    plot.current?.setData(dataOf({ along, lines }));
  }, [along, lines]);
  useEffect(() => {
    const at = cursor === undefined ? undefined : along[cursor];
    const left = at === undefined ? -10 : (plot.current?.valToPos(at, "x") ?? -10);
    plot.current?.setCursor({ left, top: at === undefined ? -10 : 10 });
  }, [cursor, along]);

  return <div ref={place} className="h-full w-full overflow-hidden" aria-hidden="true" />;
}

function dataOf({ along, lines }: Pick<Props, "along" | "lines">): uPlot.AlignedData {
  return [[...along], ...lines.map(({ values }) => [...values])];
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: element.clientWidth, height: element.clientHeight };
}

const steps = { after: steppedBy(1), before: steppedBy(-1) };

function steppedBy(align: 1 | -1): Pick<uPlot.Series, "paths"> {
  const paths = uPlot.paths.stepped?.({ align });
  return paths ? { paths } : {};
}

function utcDate(seconds: number): Date {
  return uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC");
}

const hour = 3_600;
const day = 24 * hour;
/** How times are written: from how many seconds apart, and what is added where the year or the day changes. */
const timeValues: uPlot.Axis.Values = [
  [28 * day, "{MMM}", "\n{YYYY}", null, null, null, null, null, 1],
  [day, "{D} {MMM}", "\n{YYYY}", null, null, null, null, null, 1],
  [hour, "{HH}:{mm}", "\n{D} {MMM}", null, "\n{D} {MMM}", null, null, null, 1],
  [1, "{HH}:{mm}:{ss}", "\n{D} {MMM}", null, "\n{D} {MMM}", null, null, null, 1],
];

function alongAxis(isTime: boolean, format: Props["formatAlong"]): Partial<uPlot.Axis> {
  if (isTime) return { size: 38, values: timeValues };
  return { size: 24, space: 90, ...(format ? { values: (_, values) => values.map(format) } : {}) };
}

function optionsOf(props: Props, element: HTMLElement): uPlot.Options {
  const { lines, isTime, isUtc, isStepped, format, formatAlong } = props;
  const font = "11px ui-sans-serif, system-ui, sans-serif";
  const axis: uPlot.Axis = {
    stroke: colourOf("quiet"),
    font,
    grid: { stroke: colourOf("line"), width: 1 },
    ticks: { show: false },
  };
  return {
    ...sizeOf(element),
    legend: { show: false },
    cursor: { y: false },
    ...(isUtc ? { tzDate: utcDate } : {}),
    scales: { x: { time: isTime } },
    axes: [
      { ...axis, ...alongAxis(isTime, formatAlong) },
      { ...axis, side: 1, size: 64, values: (_, values) => values.map(format) },
    ],
    series: [
      {},
      ...lines.map(({ name, colour, fill, step }) => ({
        label: name,
        stroke: colourOf(colour),
        width: 1.5,
        points: { show: false },
        ...(fill ? { fill: colourOf(fill) } : {}),
        ...(step ? steps[step] : isStepped ? steps.after : {}),
      })),
    ],
  };
}
