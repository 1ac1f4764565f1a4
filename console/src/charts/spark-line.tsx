/** The course of a figure, at a glance: how it went is also told beside it. */
export function SparkLine({ values }: { values: readonly number[] }) {
  if (values.length < 2) return <span className="text-quiet">–</span>;
  const least = Math.min(...values);
  const range = Math.max(...values) - least || 1;
  const step = 100 / (values.length - 1);
  const points = values.map(
    (value, index) =>
      `${(index * step).toFixed(1)},${(26 - (24 * (value - least)) / range).toFixed(1)}`,
  );
  const isDown = (values.at(-1) ?? 0) < (values[0] ?? 0);
  return (
    <svg viewBox="0 0 100 28" preserveAspectRatio="none" className="h-7 w-24" aria-hidden="true">
      <polyline
        points={points.join(" ")}
        fill="none"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
        className={isDown ? "stroke-down" : "stroke-up"}
      />
    </svg>
  );
}
