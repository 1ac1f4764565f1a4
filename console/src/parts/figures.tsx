import { type Figure, price, shortened, signedPercent } from "../lib/figures.ts";
import { ago, dateTime } from "../lib/times.ts";
import { useNow } from "../lib/use-now.ts";

/** A price; the figure as it came is in its title. */
export function Price({ of: figure }: { of: Figure | null | undefined }) {
  return (
    <span title={figure === null || figure === undefined ? "" : String(figure)}>
      {price(figure)}
    </span>
  );
}

/** Which way something went, by sign, arrow and colour. */
export function Change({ of: change }: { of: number | undefined }) {
  if (change === undefined) return <span className="text-quiet">–</span>;
  // What rounds to nothing went nowhere.
  if (Math.abs(change) < 0.000_05) return <span className="text-quiet">0.00%</span>;
  const isDown = change < 0;
  return (
    <span className={isDown ? "text-down" : "text-up"}>
      <span aria-hidden="true">{isDown ? "▼" : "▲"}</span> {signedPercent(change)}
    </span>
  );
}

/** How long ago something was, and when exactly. */
export function When({ at }: { at: string | number | null | undefined }) {
  const now = useNow();
  if (at === null || at === undefined) return <span className="text-quiet">–</span>;
  return (
    <time dateTime={String(at)} title={dateTime(at)} className="whitespace-nowrap">
      {ago(at, now)} ago
    </time>
  );
}

/** An address or another long id; the whole of it is in its title. */
export function LongId({ of: id }: { of: string }) {
  return (
    <span title={id} className="font-mono text-xs whitespace-nowrap">
      {shortened(id)}
    </span>
  );
}
