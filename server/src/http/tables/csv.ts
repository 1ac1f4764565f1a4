import { stringify } from "csv-stringify/sync";
import type { Cell, Row } from "./cells.ts";
import type { Table } from "./columns.ts";

/** As in RFC 4180. Text that is empty is quoted and nothing is not; of line breaks the library knows only whole ones. */
const style = { record_delimiter: "\r\n", quoted_match: /^$|[\r\n]/ } as const;

/** What a spreadsheet takes for the beginning of a formula, also behind the apostrophes that we put there. */
const formulaStart = /^'*[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/;
const decimal = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** A table as CSV, with a line of names first. */
export async function* csvOf(table: Table, rows: AsyncIterable<Row[]>): AsyncGenerator<string> {
  const { columns } = table;
  yield stringify([columns.map(({ name }) => name)], style);
  const isText = columns.map(({ kind }) => kind === "text");
  for await (const batch of rows) {
    const safe = batch.map((row) =>
      row.map((cell, column) => (isText[column] ? harmless(cell) : cell)),
    );
    yield stringify(safe, style);
  }
}

/**
 * Anybody can name a token `=HYPERLINK(…)`, and whoever opens the file would run it. An apostrophe before it makes a
 * spreadsheet show it as it is; decimals such as `-1.5` are left alone.
 */
function harmless(cell: Cell): Cell {
  return cell !== null && formulaStart.test(cell) && !decimal.test(cell) ? `'${cell}` : cell;
}
