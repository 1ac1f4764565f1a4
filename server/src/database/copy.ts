import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";

/** A value COPY can write. Objects go as JSON. */
export type CopyValue = string | number | bigint | boolean | Date | Buffer | null | object;

export type CopyRows = {
  table: string;
  columns: readonly string[];
} & (
  | { rows: Iterable<readonly CopyValue[]> | AsyncIterable<readonly CopyValue[]> }
  /** Rows in COPY's text form, each with its line end: for hot paths that know the form of their values. */
  | { lines: Iterable<string> }
);

const chunkLength = 64 * 1024;

/** Streams rows into a table with COPY. Returns how many were written. */
export async function copyRows(client: pg.PoolClient, copy: CopyRows): Promise<number> {
  const names = copy.columns.map((column) => `"${column}"`).join(", ");
  const stream = client.query(copyFrom(`copy ${copy.table} (${names}) from stdin`));
  const chunks = "lines" in copy ? chunksOfLines(copy.lines) : chunksOfRows(copy.rows);
  await pipeline(Readable.from(chunks, { objectMode: false }), stream);
  return stream.rowCount;
}

/** Many rows per chunk: a write per row costs more than the row. */
function* chunksOfLines(lines: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const line of lines) {
    chunk += line;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk) yield chunk;
}

async function* chunksOfRows(
  rows: Iterable<readonly CopyValue[]> | AsyncIterable<readonly CopyValue[]>,
): AsyncGenerator<string> {
  let chunk = "";
  for await (const row of rows) {
    chunk += `${row.map(copyText).join("\t")}\n`;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk) yield chunk;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** One value in COPY's text form. */
export function copyText(value: CopyValue): string {
  if (value === null) return "\\N";
  if (typeof value === "string") return escaped(value);
  if (typeof value !== "object") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString("hex")}`;
  return escaped(JSON.stringify(value));
}

function escaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}
