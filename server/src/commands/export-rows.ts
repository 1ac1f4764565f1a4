import type { TSchema } from "typebox";
import { rowsOf } from "../http/tables/cells.ts";
import { tableOf, wholeAnswer } from "../http/tables/columns.ts";
import { csvOf } from "../http/tables/csv.ts";
import { parquetOf } from "../http/tables/parquet.ts";
import { RowSplitter } from "../http/tables/row-splitter.ts";
import { OperatorError } from "../lib/errors.ts";

/** What rows can be written as. */
export const exportFormats = ["json", "ndjson", "csv", "parquet"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The rows of one page, each as its JSON. */
export type RowPage = readonly string[];

type Exported = {
  format: ExportFormat;
  /** The JSON schema of a list of these rows: what decides about columns. */
  schema: object;
  pages: AsyncIterable<RowPage>;
};

/** Writes the rows of many pages as one file, in pieces. Numbers keep all their digits. */
export function exportRows({
  format,
  schema,
  pages,
}: Exported): AsyncIterable<string | Uint8Array> {
  if (format === "ndjson") return lines(pages);
  if (format === "json") return jsonArray(pages);
  const table = tableOf({ method: "GET", response: schema as TSchema });
  if (!table) throw new OperatorError("These are no rows that could be a table. Use .json.");
  const rows = rowsOf(table, jsonArray(pages));
  return format === "csv" ? csvOf(table, rows) : parquetOf(table, rows);
}

/** Cuts the JSON of an answer into its rows: the items of the array that it is, or of the one with this name. */
export function rowsIn(text: string, array: string | undefined): string[] {
  const splitter = new RowSplitter((name) => name === (array ?? wholeAnswer));
  return splitter.take(text).map((row) => row.text);
}

async function* jsonArray(pages: AsyncIterable<RowPage>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield before + rows.join(",\n");
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

async function* lines(pages: AsyncIterable<RowPage>): AsyncGenerator<string> {
  for await (const rows of pages) if (rows.length > 0) yield `${rows.join("\n")}\n`;
}
