import type { Ready } from "../ready.ts";
import { Streamed } from "../streamed.ts";
import { rowsOf } from "./cells.ts";
import type { Table } from "./columns.ts";
import { csvOf } from "./csv.ts";
import type { Format } from "./format.ts";
import { parquetOf } from "./parquet.ts";

/** JSON that is there as a whole is read in pieces of this length. */
const pieceLength = 65_536;
const partLengthMost = 60;

/** An answer that is JSON as a table, made while it is sent. */
export function asTable(
  table: Table,
  json: Ready | Streamed,
  format: Exclude<Format, "json">,
): Streamed {
  const pieces = json instanceof Streamed ? textsOf(json.chunks) : piecesOf(json);
  const rows = rowsOf(table, pieces);
  return format === "csv"
    ? new Streamed(csvOf(table, rows))
    : new Streamed(parquetOf(table, rows), { isCompressed: true });
}

/** `/v2/cex/{exchange}/{market}/trades` is saved as `cex-kraken-BTC-USD-trades.csv`. */
export function dispositionOf(path: string, params: unknown, format: Format): string {
  const values = params as Record<string, string>;
  const parts = path
    .split("/")
    .filter((part) => part && part !== "v2")
    .map((part) => (part.startsWith("{") ? (values[part.slice(1, -1)] ?? "") : part))
    .map((part) => part.slice(0, partLengthMost).replace(/[^A-Za-z0-9._-]/g, "_"));
  return `attachment; filename="${parts.join("-")}.${format}"`;
}

/** Links from a page that was asked for as `?format=csv` lead to pages that are CSV too. */
export function keepFormat(headers: string[], query: unknown): void {
  const named = (query as { format?: unknown } | undefined)?.format;
  if (named === undefined) return;
  for (const [at, name] of headers.entries()) {
    if (name !== "link" || at % 2 === 1) continue;
    headers[at + 1] = (headers[at + 1] ?? "").replace(pageLink, `$1&format=${named}$2`);
  }
}

const pageLink = /(\?[^>]*)(>; rel="(?:next|prev)")/g;

async function* piecesOf({ plain }: Ready): AsyncGenerator<string> {
  const text = typeof plain === "string" ? plain : plain.toString();
  for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength);
}

async function* textsOf(chunks: Streamed["chunks"]): AsyncGenerator<string> {
  for await (const chunk of chunks) yield String(chunk);
}
