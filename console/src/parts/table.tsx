import type { ReactNode } from "react";

export type Column<Row> = {
  header: string;
  cell(row: Row): ReactNode;
  /** Figures stand at the right, so that their digits do. */
  isFigure?: boolean;
  /** Left out on narrow screens. */
  isExtra?: boolean;
};

type Props<Row> = {
  /** What the table shows, for those who cannot see where it stands. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** What is said when there are no rows. */
  empty?: ReactNode;
  /** Only so high, and scrolls inside. */
  height?: string;
};

/** A table that scrolls inside itself, never the page. */
export function Table<Row>(props: Props<Row>) {
  const { caption, columns, rows, keyOf, empty = "There is nothing yet.", height } = props;
  if (rows.length === 0) return <p className="py-6 text-center text-quiet">{empty}</p>;
  return (
    <section
      className="-mx-1 overflow-auto px-1"
      aria-label={caption}
      tabIndex={0}
      style={{ maxHeight: height }}
    >
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-card">
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={`${cellLook(column)} font-medium text-quiet`}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="hover:bg-raised">
              {columns.map((column) => (
                <td key={column.header} className={cellLook(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function cellLook({ isFigure, isExtra }: { isFigure?: boolean; isExtra?: boolean }): string {
  const side = isFigure ? "text-right whitespace-nowrap" : "text-left";
  return `border-b border-line py-1.5 pr-4 last:pr-0 align-top ${side} ${isExtra ? "max-md:hidden" : ""}`;
}
