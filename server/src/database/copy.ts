import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";

/** A value COPY can write. Objects go as JSON. */
export type CopyValue = string | number | bigint | boolean | Date | Buffer | null | object;

export type CopyRows = {
  table: string;
  columns: readonly string[];
  rows: Iterable<readonly CopyValue[]> | AsyncIterable<readonly CopyValue[]>;
};

const chunkLength = 64 * 1024;

/** Streams rows into a table with COPY. Returns how many were written. */
export async function copyRows(
  client: pg.PoolClient,
  { table, columns, rows }: CopyRows,
): Promise<number> {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const stream = client.query(copyFrom(`copy ${table} (${names}) from stdin`));
  await pipeline(Readable.from(chunks(rows), { objectMode: false }), stream);
  return stream.rowCount;
}

/** Many rows per chunk: a write per row costs more than the row. */
async function* chunks(rows: CopyRows["rows"]): AsyncGenerator<string> {
  let chunk = "";
  for await (const row of rows) {
    chunk += `${row.map(copyText).join("\t")}\n`;
    if (chunk.length >= chunkLength) {
      yield chunk;
      chunk = "";
    }
  }
  if (chunk) yield chunk;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** One value in COPY's text form. */
function copyText(value: CopyValue): string {
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
