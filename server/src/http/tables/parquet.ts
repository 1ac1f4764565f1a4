import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import { assert } from "../../lib/errors.ts";
import type { Cell, Row } from "./cells.ts";
import type { Column, ColumnKind, Table } from "./columns.ts";

/** So many rows are held before they are written. */
const groupRows = 5_000;

/** A table as Parquet, one group of rows after the other. Every cell may be null. */
export async function* parquetOf(
  { columns }: Table,
  rows: AsyncIterable<Row[]>,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema: schemaOf(columns) });
  for await (const group of groupsOf(rows)) {
    writer.write({ columnData: columnsOf(columns, group), rowGroupSize: groupRows });
    yield takeFrom(bytes);
  }
  writer.finish();
  yield takeFrom(bytes);
}

async function* groupsOf(rows: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  let held: Row[] = [];
  for await (const batch of rows) {
    held = held.concat(batch);
    while (held.length >= groupRows) {
      yield held.slice(0, groupRows);
      held = held.slice(groupRows);
    }
  }
  if (held.length > 0) yield held;
}

/** Text holds decimals and JSON too: both to the last digit. */
const typeOf = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  json: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  integer: { type: "INT64" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
} as const satisfies Record<ColumnKind, Partial<SchemaElement>>;

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  const elements = columns.map(
    ({ name, kind }) => ({ name, repetition_type: "OPTIONAL", ...typeOf[kind] }) as const,
  );
  return [{ name: "rows", num_children: columns.length }, ...elements];
}

function columnsOf(columns: readonly Column[], rows: readonly Row[]): ColumnSource[] {
  return columns.map(({ name, kind }, column) => ({
    name,
    data: rows.map((row) => typedValue(row[column] ?? null, kind)),
  }));
}

function typedValue(cell: Cell, kind: ColumnKind): string | bigint | number | boolean | null {
  if (cell === null) return null;
  switch (kind) {
    case "integer":
      return integerOf(cell);
    case "number":
      return Number(cell);
    case "boolean":
      return cell === "true";
    default:
      return cell;
  }
}

function integerOf(cell: string): bigint {
  const value = BigInt(/^-?\d+$/.test(cell) ? cell : Number(cell));
  assert(BigInt.asIntN(64, value) === value, "an integer of an answer has at most 64 bits");
  return value;
}

/** What has been written since the last time. The writer goes on counting. */
function takeFrom(bytes: ByteWriter): Uint8Array {
  const taken = bytes.getBytes().slice();
  bytes.index = 0;
  return taken;
}
