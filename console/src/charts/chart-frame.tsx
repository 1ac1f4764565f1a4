import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { Button } from "../parts/button.tsx";

type Props = {
  title: string;
  /** How many points there are, and each of them in words. */
  count: number;
  describe(index: number): string;
  /** The same as a table, for those who would rather read. */
  table: () => ReactNode;
  controls?: ReactNode;
  height: string;
  /** Told where the keyboard is. */
  onCursor?(index: number | undefined): void;
  /** The chart; `cursor` is the point that the keyboard is at. */
  children: (cursor: number | undefined) => ReactNode;
};

/** A chart that can be read without seeing it: arrow keys walk over its points, and it is a table too. */
export function ChartFrame(props: Props) {
  const { title, count, describe, table, controls, height, onCursor, children } = props;
  const [isTable, setTable] = useState(false);
  const [cursor, keepCursor] = useState<number>();
  const setCursor = (index: number | undefined) => {
    keepCursor(index);
    onCursor?.(index);
  };
  const help = useId();

  function walk(event: KeyboardEvent): void {
    const next = indexAfter(event.key, cursor, count);
    if (next === undefined) return;
    event.preventDefault();
    setCursor(next);
  }

  return (
    <figure aria-label={title} className="min-w-0">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        {controls}
        <Button
          look="quiet"
          className="ml-auto"
          onClick={() => setTable(!isTable)}
          aria-pressed={isTable}
        >
          {isTable ? "View as chart" : "View as table"}
        </Button>
      </div>
      {isTable ? (
        <div style={{ maxHeight: height }} className="overflow-auto">
          {table()}
        </div>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a chart is none of the things that HTML has an element for
        <div
          role="group"
          aria-label={title}
          aria-describedby={help}
          tabIndex={0}
          onKeyDown={walk}
          onBlur={() => setCursor(undefined)}
          className="relative rounded-md"
          style={{ height }}
        >
          {children(cursor)}
        </div>
      )}
      <p id={help} className="sr-only">
        Left and right arrow keys walk over {count} points. “View as table” shows them all.
      </p>
      <p aria-live="polite" className="min-h-5 text-xs text-quiet">
        {cursor !== undefined && cursor < count ? describe(cursor) : ""}
      </p>
    </figure>
  );
}

function indexAfter(key: string, cursor: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined;
  const last = count - 1;
  const at = cursor ?? last + (key === "ArrowLeft" ? 1 : 0);
  if (key === "ArrowLeft") return Math.max(0, at - 1);
  if (key === "ArrowRight") return Math.min(last, at + 1);
  if (key === "Home") return 0;
  return key === "End" ? last : undefined;
}
