import { setImmediate } from "node:timers/promises";
import type { ColumnKind, Layout, Table } from "./columns.ts";
import { RowSplitter, type RowText } from "./row-splitter.ts";

/** What a cell holds: text as it is meant, numbers and JSON exactly as they were written, or nothing. */
export type Cell = string | null;

export type Row = Cell[];

/** After so much text everybody else has a turn. */
const turnLength = 50_000;

/** The rows of an answer that comes as JSON in pieces, some at a time. */
export async function* rowsOf(table: Table, json: AsyncIterable<string>): AsyncGenerator<Row[]> {
  const splitter = new RowSplitter((array) => table.arrays.has(array));
  let length = 0;
  for await (const piece of json) {
    const rows = splitter.take(piece).map((row) => readRow(table, row));
    if (rows.length > 0) yield rows;
    length += piece.length;
    if (length < turnLength) continue;
    length = 0;
    await setImmediate();
  }
}

function readRow({ columns, layout, arrays }: Table, { array, text }: RowText): Row {
  const row: Row = new Array(columns.length).fill(null);
  const mark = arrays.get(array);
  if (mark !== undefined) row[0] = mark;
  new RowReader(text, row, (column) => columns[column]?.kind ?? "json").read(layout);
  return row;
}

/** Reads the JSON of one row: `JSON.parse` would round its numbers. */
class RowReader {
  readonly #text: string;
  readonly #row: Row;
  readonly #kindOf: (column: number) => ColumnKind;
  #at = 0;

  constructor(text: string, row: Row, kindOf: (column: number) => ColumnKind) {
    this.#text = text;
    this.#row = row;
    this.#kindOf = kindOf;
  }

  /** Reads the value that comes next. What has no place in the table is passed over. */
  read(layout: Layout | undefined): void {
    this.#passBlank();
    const first = this.#text[this.#at];
    if (layout && "fields" in layout && first === "{") this.#readObject(layout.fields);
    else if (layout && "fields" in layout && first === "[") this.#readTuple(layout.fields);
    else {
      const value = this.#passValue();
      if (layout && "column" in layout) {
        this.#row[layout.column] = cellOf(value, this.#kindOf(layout.column));
      }
    }
  }

  #readObject(fields: ReadonlyMap<string, Layout>): void {
    while (this.#hasAnother("}")) {
      const name = textOf(this.#passValue());
      this.#passBlank();
      this.#at++; // The colon.
      this.read(fields.get(name));
    }
  }

  #readTuple(fields: ReadonlyMap<string, Layout>): void {
    for (let place = 0; this.#hasAnother("]"); place++) this.read(fields.get(String(place)));
  }

  /** Passes what opens a list of values or stands between two; says whether a value follows. */
  #hasAnother(end: string): boolean {
    this.#passBlank();
    const isOver = this.#text[this.#at] === end;
    this.#at++;
    if (isOver) return false;
    this.#passBlank();
    if (this.#text[this.#at] !== end) return true;
    this.#at++;
    return false;
  }

  #passValue(): string {
    const start = this.#at;
    const first = this.#text[start];
    if (first === '"') this.#passText();
    else if (first === "{" || first === "[") this.#passNested();
    else this.#at = endOf(simpleEnd, this.#text, start);
    return this.#text.slice(start, this.#at);
  }

  #passNested(): void {
    let depth = 0;
    do {
      const mark = this.#text[this.#at];
      if (mark === '"') {
        this.#passText();
        continue;
      }
      if (mark === "{" || mark === "[") depth++;
      if (mark === "}" || mark === "]") depth--;
      this.#at++;
    } while (depth > 0 && this.#at < this.#text.length);
  }

  #passText(): void {
    this.#at++;
    while (this.#text[this.#at] !== '"' && this.#at < this.#text.length) {
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    }
    this.#at++;
  }

  #passBlank(): void {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at++;
  }
}

/** What ends a number, `true`, `false` and `null`. */
const simpleEnd = /[\s,\]}]/g;

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function cellOf(value: string, kind: ColumnKind): Cell {
  if (value === "null") return null;
  return kind === "text" && value.startsWith('"') ? textOf(value) : value;
}

function textOf(value: string): string {
  return value.includes("\\") ? (JSON.parse(value) as string) : value.slice(1, -1);
}
