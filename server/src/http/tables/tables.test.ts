import fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { type TSchema, Type } from "typebox";
import { describe, expect, test } from "vitest";
import { readCsv } from "../../../test/read-csv.ts";
import { Ready } from "../ready.ts";
import { Streamed } from "../streamed.ts";
import { type Column, type Table, tableOf } from "./columns.ts";
import { asTable } from "./table-answer.ts";

type Rows = Parameters<typeof tableOf>[0]["rows"];

function tableFor(response: TSchema, rows?: Rows): Table {
  const table = tableOf({ method: "GET", response, ...(rows && { rows }) });
  if (!table) throw new Error("it is no list");
  return table;
}

async function csv(table: Table, json: Ready | Streamed) {
  let text = "";
  for await (const piece of asTable(table, json, "csv").chunks) text += String(piece);
  return readCsv(text);
}

async function parquet(table: Table, json: Ready | Streamed): Promise<Record<string, unknown>[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of asTable(table, json, "parquet").chunks)
    pieces.push(Buffer.from(piece as Uint8Array));
  const bytes = Buffer.concat(pieces);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return parquetReadObjects({ file: file as ArrayBuffer });
}

async function* cut(text: string, at: number[]): AsyncGenerator<string> {
  const places = [0, ...at.map((place) => place % (text.length + 1)).sort((a, b) => a - b)];
  for (const [index, place] of places.entries()) yield text.slice(place, places[index + 1]);
}

/** A field of a random kind: its schema, its JSON, and what its cells hold. */
type Value = { json: string; cells: Record<string, string | null> };
type Field = { schema: TSchema; value: fc.Arbitrary<Value> };

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "",
    "=1+1",
    "-5",
    "'-5",
    "@x",
    'a"b',
    "a,b",
    "a\r\nb",
    "\n",
    "a\rb",
    "\t",
    "null",
    "''=",
    "+1.5",
  ),
  fc.bigInt().map((value) => `${value}.123456789012345678901234567890`),
);
const numberText = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom("1.10", "1e-7", "100.0", "-0.000000000000000000123456789012345678901"),
);
const simple = (schema: TSchema, json: fc.Arbitrary<string>): Field => ({
  schema,
  value: json.map((written) => ({ json: written, cells: { "": written } })),
});

const leaf: fc.Arbitrary<Field> = fc.constantFrom(
  {
    schema: Type.String(),
    value: text.map((value) => ({ json: JSON.stringify(value), cells: { "": value } })),
  },
  simple(Type.Integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  simple(Type.Number(), numberText),
  simple(Type.Boolean(), fc.constantFrom("true", "false")),
  simple(Type.Array(Type.Number()), fc.constantFrom("[]", "[1.10,[2]]", '[ "]" ]')),
  simple(Type.Unknown(), fc.constantFrom('{"a":[1.0,"}\\""]}', '"x"', "1.00")),
  {
    schema: Type.Union([Type.String(), Type.Null()]),
    value: fc.constant({ json: "null", cells: { "": null } }),
  },
);

const fieldName = fc.constantFrom("a", "b", "c d", 'e"', "é", "kind", "=f");

function objectOf(fields: fc.Arbitrary<Field>): fc.Arbitrary<Field> {
  return fc.dictionary(fieldName, fields, { minKeys: 1, maxKeys: 5, noNullPrototype: true }).map(
    (members): Field => ({
      schema: Type.Object(
        Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema])),
      ),
      value: fc
        .record(
          Object.fromEntries(Object.entries(members).map(([name, { value }]) => [name, value])),
        )
        .map((values) => ({
          json: `{ ${Object.entries(values)
            .map(([name, { json }]) => `${JSON.stringify(name)} :${json}`)
            .join(" ,\n")} }`,
          cells: Object.fromEntries(
            Object.entries(values).flatMap(([name, { cells }]) =>
              Object.entries(cells).map(([inner, cell]) => [
                inner ? `${name}.${inner}` : name,
                cell,
              ]),
            ),
          ),
        })),
    }),
  );
}

/** Rows of a random schema, as JSON that comes in random pieces. */
const answers = objectOf(fc.oneof({ weight: 4, arbitrary: leaf }, objectOf(leaf))).chain(
  ({ schema, value }) =>
    fc.record({
      schema: fc.constant(schema),
      rows: fc.array(value, { maxLength: 6 }),
      cuts: fc.array(fc.nat(), { maxLength: 6 }),
      isNamed: fc.boolean(),
    }),
);

function typed(column: Column, cell: string | null): unknown {
  if (cell === null) return null;
  if (column.kind === "integer") return BigInt(cell);
  if (column.kind === "number") return Number(cell);
  return column.kind === "boolean" ? cell === "true" : cell;
}

describe("a list as a table", () => {
  test("has the rows of the JSON, whatever they hold and wherever its pieces end", async () => {
    await fc.assert(
      fc.asyncProperty(answers, async ({ schema, rows, cuts, isNamed }) => {
        const array = `[ ${rows.map(({ json }) => json).join(",")} ]`;
        const json = isNamed ? `{"x":"rows","s":[1],"rows":${array},"after":{"rows":[2]}}` : array;
        const list = Type.Array(schema);
        const table = isNamed
          ? tableFor(Type.Object({ rows: list, s: Type.Unknown() }), "rows")
          : tableFor(list);
        const names = table.columns.map(({ name }) => name);
        const cells = rows.map((row) => names.map((name) => row.cells[name] ?? null));

        const whole = await csv(table, new Ready(json));
        expect(whole).toEqual([names, ...cells]);
        expect(await csv(table, new Streamed(cut(json, cuts)))).toEqual(whole);

        const read = await parquet(table, new Streamed(cut(json, cuts)));
        expect(read.map((row) => table.columns.map(({ name }) => row[name] ?? null))).toEqual(
          cells.map((row) => row.map((cell, at) => typed(table.columns[at] as Column, cell))),
        );
      }),
      { numRuns: 200 },
    );
  });

  test("has columns when it has no rows", async () => {
    const table = tableFor(Type.Array(Type.Object({ a: Type.String(), b: Type.Integer() })));
    expect(await csv(table, new Ready("[]"))).toEqual([["a", "b"]]);
    expect(await parquet(table, new Ready("[]"))).toEqual([]);
  });

  test("says in a column which of several arrays a row is from", async () => {
    const side = Type.Array(
      Type.Tuple([Type.Number({ title: "price" }), Type.Number({ title: "size" })]),
    );
    const table = tableFor(Type.Object({ bids: side, asks: side }), {
      column: "side",
      arrays: { bids: "bid", asks: "ask" },
    });
    const json = new Ready('{"nonce":1,"bids":[[1.10,2]],"asks":[[3,4e-8],[5,6]]}');
    expect(await csv(table, json)).toEqual([
      ["side", "price", "size"],
      ["bid", "1.10", "2"],
      ["ask", "3", "4e-8"],
      ["ask", "5", "6"],
    ]);
  });

  test("has the columns of all forms that a row may have, and one type for each", () => {
    const one = Type.Object({ a: Type.Integer(), b: Type.Union([Type.Null(), Type.Literal("x")]) });
    const other = Type.Object({ a: Type.Number(), c: Type.Object({ d: Type.Boolean() }) });
    const { columns } = tableFor(Type.Union([Type.Array(one), Type.Array(other)]));
    expect(columns).toEqual([
      { name: "a", kind: "number" },
      { name: "b", kind: "text" },
      { name: "c.d", kind: "boolean" },
    ]);
  });

  test("is written in groups of rows, so that it need not be held as a whole", async () => {
    const table = tableFor(Type.Array(Type.Object({ n: Type.Integer() })));
    let given = 0;
    async function* pieces(): AsyncGenerator<string> {
      yield "[";
      for (; given < 30_000; given++) yield `${given ? "," : ""}{"n":${given}}`;
      yield "]";
    }
    const sizes: number[] = [];
    for await (const piece of asTable(table, new Streamed(pieces()), "parquet").chunks) {
      if (sizes.length === 0) expect(given).toBeLessThan(10_000);
      sizes.push(piece.length);
    }
    expect(sizes).toHaveLength(7);
  });
});
