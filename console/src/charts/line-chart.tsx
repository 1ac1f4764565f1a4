import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useEffect, useRef } from "react";
import { type ColourName, colourOf, coloursVersion } from "./colours.ts";

export type Line = {
  name: string;
  colour: ColourName;
  /** Drawn under the line. */
  fill?: ColourName;
  /** One for each of `along`; null where there is nothing. */
  values: readonly (number | null)[];
};

type Props = {
  /** Where the values stand: Unix seconds, or prices. */
  along: readonly number[];
  lines: readonly Line[];
  isTime: boolean;
  /** Steps instead of slopes, as in a depth chart. */
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

function optionsOf(props: Props, element: HTMLElement): uPlot.Options {
  const { lines, isTime, isStepped = false, format, formatAlong } = props;
  const font = "11px ui-sans-serif, system-ui, sans-serif";
  const axis: uPlot.Axis = {
    stroke: colourOf("quiet"),
    font,
    grid: { stroke: colourOf("line"), width: 1 },
    ticks: { show: false },
  };
  const stepped = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  return {
    ...sizeOf(element),
    legend: { show: false },
    cursor: { y: false },
    scales: { x: { time: isTime } },
    axes: [
      formatAlong ? { ...axis, values: (_, values) => values.map(formatAlong) } : axis,
      { ...axis, side: 1, size: 64, values: (_, values) => values.map(format) },
    ],
    series: [
      {},
      ...lines.map(({ name, colour, fill }) => ({
        label: name,
        stroke: colourOf(colour),
        width: 1.5,
        points: { show: false },
        ...(fill ? { fill: colourOf(fill) } : {}),
        ...(stepped ? { paths: stepped } : {}),
      })),
    ],
  };
}
