import {
  columnFilteringFeature,
  createFilteredRowModel,
  createSortedRowModel,
  filterFn_includesString,
  globalFilteringFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { type ReactNode, useMemo, useState } from "react";
import { Button } from "./button.tsx";
import { Field } from "./fields.tsx";
import type { Column } from "./table.tsx";

/** A column that can be ordered and searched by what it holds. */
export type DataColumn<Row> = Column<Row> & { value(row: Row): string | number | null };

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
  columnFilteringFeature,
  globalFilteringFeature,
  filteredRowModel: createFilteredRowModel(),
  filterFns: { includesString: filterFn_includesString },
});

/** Thousands of rows would take seconds to draw, and nobody reads them. */
const shownMost = 200;

type Props<Row> = {
  caption: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  empty?: ReactNode;
  /** Left out: there is nothing to search for. */
  search?: string;
};

/** A table that can be ordered by any column and searched. */
export function DataTable<Row extends object>(props: Props<Row>) {
  const { caption, columns, rows, keyOf, search, empty = "There is nothing yet." } = props;
  const [wanted, setWanted] = useState("");
  const [isWhole, setWhole] = useState(false);
  const data = useMemo(() => [...rows], [rows]);
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.header,
        header: column.header,
        accessorFn: (row: Row) => column.value(row),
        sortFn: compareValues,
        meta: column,
      })),
    [columns],
  );
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: keyOf,
    globalFilterFn: "includesString",
    state: { globalFilter: wanted },
    onGlobalFilterChange: setWanted,
  });
  const found = table.getRowModel().rows;
  const shown = isWhole ? found : found.slice(0, shownMost);
  const byHeader = new Map(columns.map((column) => [column.header, column]));
  return (
    <>
      {search && (
        <div className="mb-3 max-w-sm">
          <Field
            label={search}
            type="search"
            value={wanted}
            onChange={({ currentTarget }) => setWanted(currentTarget.value)}
          />
        </div>
      )}
      {found.length === 0 ? (
        <p className="py-6 text-center text-quiet">{wanted ? "Nothing matches." : empty}</p>
      ) : (
        <section className="-mx-1 overflow-x-auto px-1" aria-label={caption} tabIndex={0}>
          <table className="w-full border-collapse">
            <caption className="sr-only">{caption}</caption>
            <thead>
              {table.getHeaderGroups().map((group) => (
                <tr key={group.id}>
                  {group.headers.map(({ id, column }) => (
                    <SortableHeader
                      key={id}
                      name={id}
                      order={column.getIsSorted()}
                      look={lookOf(byHeader.get(id))}
                      onToggle={() => column.toggleSorting()}
                    />
                  ))}
                </tr>
              ))}
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.id} className="hover:bg-raised">
                  {columns.map((column) => (
                    <td key={column.header} className={lookOf(column)}>
                      {column.cell(row.original)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {shown.length < found.length && (
        <Button className="mt-3" onClick={() => setWhole(true)}>
          Show all {found.length}
        </Button>
      )}
    </>
  );
}

type HeaderProps = {
  name: string;
  order: false | "asc" | "desc";
  look: string;
  onToggle(): void;
};

function SortableHeader({ name, order, look, onToggle }: HeaderProps) {
  const said = order === "asc" ? "ascending" : order === "desc" ? "descending" : "none";
  return (
    <th scope="col" aria-sort={said} className={`${look} font-medium text-quiet`}>
      <button type="button" className="hover:text-text" onClick={onToggle}>
        {name} <span aria-hidden="true">{order === "asc" ? "↑" : order === "desc" ? "↓" : ""}</span>
      </button>
    </th>
  );
}

/** Figures are decimal text: what looks like a number is ordered as one. */
function compareValues(
  one: { getValue(id: string): unknown },
  other: { getValue(id: string): unknown },
  id: string,
): number {
  const a = one.getValue(id);
  const b = other.getValue(id);
  const difference = Number(a ?? Number.NaN) - Number(b ?? Number.NaN);
  return Number.isNaN(difference) ? String(a ?? "").localeCompare(String(b ?? "")) : difference;
}

function lookOf(column: { isFigure?: boolean; isExtra?: boolean } | undefined): string {
  const side = column?.isFigure ? "text-right whitespace-nowrap" : "text-left";
  const extra = column?.isExtra ? "max-md:hidden" : "";
  return `border-b border-line py-1.5 pr-4 last:pr-0 align-top ${side} ${extra}`;
}
